/** The flags of exports. `TableSelection` and `RunExport` apply them. */
import * as Argument from "effect/cli/Argument"
import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import {
  conditions,
  failOnEmpty,
  lang,
  sortBy,
  text,
  texts,
  toggle,
  wholeNumber,
} from "../command/SharedFlags.ts"
import { mirrorFlags } from "../sync/MirrorFlags.ts"
import { profileFlags } from "./ExportProfiles.ts"
import { flavours, names } from "./Formats.ts"
import { keep } from "./Keep.ts"

/** Records per page that exports request. */
export const defaultPageSize = 100

const outFlags = {
  out: texts(
    "out",
    "FILE",
    "File to write, or - for standard output; may hold {profile}, {table}, {date} (today here, or in --time-zone) and end in .gz or .zst. Repeat for several files of one read",
  ),
  overwrite: toggle("overwrite", "Replace existing files"),
} as const

const layoutFlags = {
  lang,
  compression: Flag.Literals("compression", ["fast", "small"]).pipe(
    Flag.withMetavar("LEVEL"),
    Flag.withDescription(
      "Compression of a workbook or Parquet: fast, or small (a sixth smaller, twice the time); default fast",
    ),
    Flag.withDefault("fast"),
  ),
  paper: Flag.Literals("paper", ["a4", "letter"]).pipe(
    Flag.withMetavar("SIZE"),
    Flag.withDescription("Paper size of a workbook for printing; default a4"),
    Flag.withDefault("a4"),
  ),
} as const

/** Flags for how a workbook is written. */
export const workbookFlags = { ...outFlags, ...layoutFlags } as const

/** Flags for how files of any format are written. */
export const formatFlags = {
  ...outFlags,
  format: Flag.Literals("format", names).pipe(
    Flag.withMetavar("FORMAT"),
    Flag.withDescription("File format; default: the extension of --out. Repeat for several files"),
    Flag.atLeast(0),
  ),
  flavour: Flag.Literals("for", flavours).pipe(
    Flag.withMetavar("FLAVOUR"),
    Flag.withDescription(
      "CSV for programs, Excel, Excel with decimal commas, LibreOffice, or tab-separated; default rfc4180",
    ),
    Flag.withDefault("rfc4180"),
  ),
  headers: Flag.Literals("headers", ["labels", "api"]).pipe(
    Flag.withMetavar("NAMES"),
    Flag.withDescription("Column headings: labels for people, or the API's names; default labels"),
    Flag.withDefault("labels"),
  ),
  formulaGuard: Flag.Literals("formula-guard", ["on", "off"]).pipe(
    Flag.withMetavar("STATE"),
    Flag.withDescription(
      "Protect text in CSV from being evaluated as a formula; use off only for programs; default on",
    ),
    Flag.withDefault("on"),
  ),
  ...layoutFlags,
} as const

/** The files of an export can be named without `--out`. */
export const fileArgument = {
  files: Argument.String("FILE").pipe(
    Argument.withDescription("Files to write, the same as --out FILE"),
    Argument.atLeast(0),
  ),
} as const

/** Whether a file of `--out` is standard output, under one of its names. */
export const isStandardOutput = (file: string): boolean =>
  /^(?:-|\/dev\/stdout|\/(?:dev|proc\/self)\/fd\/1)$/.test(file)

/** The choices with the files of `fileArgument` among those of `--out`. */
export const withFiles = <A extends { readonly out: ReadonlyArray<string> }>({
  files,
  ...choices
}: A & { readonly files: ReadonlyArray<string> }) => ({
  ...choices,
  out: [...choices.out, ...files].map((file) => (isStandardOutput(file) ? "-" : file)),
})

/** Flags for what is read, and how the run behaves. */
export const sourceFlags = {
  pageSize: wholeNumber("page-size", `Records per page; default ${defaultPageSize}`),
  resume: toggle("resume", "Resume an interrupted export; columns, conditions and formats may differ"),
  manifest: Flag.Boolean("manifest").pipe(
    Flag.withDescription(
      "Write a manifest beside the file, and save pages for --resume; default yes, off with --no-manifest",
    ),
    Flag.withDefault(true),
  ),
  maxRejects: wholeNumber(
    "max-rejects",
    "Rejected records after which the export stops; default 100, or 5 % once 20 records were read, whichever comes first",
  ),
  quick: toggle("quick", "Read every page once, without the requests that verify completeness"),
  failOnEmpty,
  keep,
  dryRun: toggle("dry-run", "Dry run: print requests, columns and files, and send nothing"),
  ...mirrorFlags,
  tag: text("tag", "NAME", "With --from: every account that its accounts file gives the tag NAME"),
  ...profileFlags,
  combine: toggle(
    "combine",
    "With --all, or several --profile: one file for all, with a column for the account",
  ),
} as const

/** The same for tables; a report has a time zone of its own, and no summary. */
export const runFlags = {
  summary: toggle("summary", "Add a summary table: source, time, verdict, counts"),
  timeZone: text("time-zone", "ZONE", "Time zone of all times, such as Europe/Athens; default UTC"),
  ...sourceFlags,
} as const

const sort = sortBy("Holds all records in memory")

/** Flags for the columns and records of one table. */
export const tableFlags = {
  columns: text(
    "columns",
    "A,B",
    'Columns, in this order, by the API\'s names such as id,listing.city,extra.member. JSON stays nested: {"listing":{"city":...}}',
  ),
  where: conditions("Select records, such as status=active or city~athens. Repeat to combine conditions"),
  sort,
} as const

/** The same for an export of several tables: they apply to contracts. */
export const allTableFlags = {
  columns: text("columns", "A,B", "Columns of the contracts, in this order, by the API's names"),
  where: conditions("Select contracts, such as status=active. Repeat to combine conditions"),
  sort,
} as const

/** Flags that apply to contracts only. */
export const contractFlags = {
  link: text(
    "link",
    "URL",
    "Add the column link with each listing's public page, such as 'https://site.example/{slug}'. JSON and NDJSON have it only where --columns names it",
  ),
} as const

/** Flags for the data payloads of contracts. */
export const dataFlags = {
  data: toggle(
    "data",
    "Also read each contract's data payload (include_data), one request each, into the column extra",
  ),
  dataColumns: toggle(
    "data-columns",
    "List the members of the payloads of the first page, as names for --columns, and export nothing",
  ),
} as const

export type FormatChoices = Command.Command.Config.Infer<typeof formatFlags>
export type RunChoices = Command.Command.Config.Infer<typeof runFlags>
export type ContractChoices = Command.Command.Config.Infer<typeof contractFlags>
export type DataChoices = Command.Command.Config.Infer<typeof dataFlags>
export type TableChoices = Command.Command.Config.Infer<typeof tableFlags>

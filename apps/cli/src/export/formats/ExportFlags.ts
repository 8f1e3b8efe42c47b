/** The flags of exports. What they mean is said in `ExportOptions`. */
import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { flavours, names } from "./FormatName.ts"
import { text, toggle, wholeNumber } from "../../command/SharedFlags.ts"

/** Records a page that exports ask for. */
export const defaultLimit = 100

/** How files are written. */
export const formatFlags = {
  format: Flag.Literals("format", names).pipe(
    Flag.withDescription(
      "The file's format; default: what the name of --out ends in. May be given several times",
    ),
    Flag.atLeast(0),
  ),
  flavour: Flag.Literals("for", flavours).pipe(
    Flag.withDescription(
      "Who reads the CSV: programs, Excel, Excel where the comma is decimal, tabs; default rfc4180",
    ),
    Flag.withDefault("rfc4180"),
  ),
  headers: Flag.Literals("headers", ["labels", "api"]).pipe(
    Flag.withDescription("Headings for people or the service's names; default labels"),
    Flag.withDefault("labels"),
  ),
  formulaGuard: Flag.Literals("formula-guard", ["on", "off"]).pipe(
    Flag.withDescription(
      "Keep texts of CSV from being evaluated by a spreadsheet; off for programs only; default on",
    ),
    Flag.withDefault("on"),
  ),
  compression: Flag.Literals("compression", ["fast", "small"]).pipe(
    Flag.withDescription(
      "Of a workbook: written quickly, or a sixth smaller in twice the time; default fast",
    ),
    Flag.withDefault("fast"),
  ),
  out: Flag.String("out").pipe(
    Flag.withMetavar("FILE"),
    Flag.withDescription(
      "The file to write, or - for standard output. Several times: several files of one read",
    ),
    Flag.atLeast(0),
  ),
  overwrite: toggle("overwrite", "Replace files that are there already"),
} as const

/** What goes into the tables, and how the run behaves. */
export const runFlags = {
  summary: toggle("summary", "Add a table about the export: source, time, verdict, counts"),
  timeZone: text(
    "time-zone",
    "ZONE",
    "Show times as clocks in this zone do, such as Europe/Athens; default UTC",
  ),
  limit: wholeNumber("limit", `Records a page; default ${defaultLimit}`),
  resume: toggle("resume", "Go on with an export that was cut off, with the same options"),
  manifest: Flag.Boolean("manifest").pipe(
    Flag.withDescription("Keep a manifest beside the file, and what is needed to go on; default yes"),
    Flag.withDefault(true),
  ),
  sign: text(
    "sign",
    "KEYFILE",
    "Sign the manifest with this Ed25519 private key (PEM, mode 600), so that export verify finds deliberate changes",
  ),
  maxRejects: wholeNumber(
    "max-rejects",
    "Records that may be set aside before the run stops; default 100, and 5 % of all",
  ),
  quick: toggle(
    "quick",
    "Read every page once, without the extra requests that show that nothing is missing",
  ),
  plan: toggle("plan", "Say what would be done, and do nothing"),
} as const

/** Which columns and records of one table. */
export const tableFlags = {
  columns: text(
    "columns",
    "A,B",
    'Only these columns, in this order, by the service\'s names such as id,listing.city,extra.member. JSON stays nested: {"listing":{"city":...}}',
  ),
  where: Flag.String("where").pipe(
    Flag.withMetavar("TEST"),
    Flag.withDescription(
      "Only records that pass, such as status=active or city~athens; several times: all of them",
    ),
    Flag.atLeast(0),
  ),
} as const

export type FormatChoices = Command.Command.Config.Infer<typeof formatFlags>
export type RunChoices = Command.Command.Config.Infer<typeof runFlags>
export type TableChoices = Command.Command.Config.Infer<typeof tableFlags>

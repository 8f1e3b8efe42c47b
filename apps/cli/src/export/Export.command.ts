/**
 * `deedkit export contracts|keys|all|report`: writes all records to files, each written completely or not at all. `verify` checks such
 * files.
 */
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { contractFlags, dataFlags, formatFlags, runFlags, tableFlags } from "./formats/ExportFlags.ts"
import type { Subcommand } from "../command/Subcommand.ts"
import { whenRun } from "../command/Subcommand.ts"
import * as Since from "../sync/Since.ts"
import { verify } from "./verify/Verify.command.ts"

const contracts = Command.make(
  "contracts",
  {
    ...formatFlags,
    ...tableFlags,
    ...contractFlags,
    ...dataFlags,
    ...runFlags,
  },
  whenRun(async () => (await import("./Export.ts")).contracts),
).pipe(
  Command.withDescription("Export all contracts to a file"),
  Command.withExamples([
    { command: "deedkit export contracts --out contracts.xlsx", description: "A workbook" },
    {
      command: "deedkit export contracts --for excel --out contracts.csv --overwrite",
      description: "CSV for Excel, replacing an older file",
    },
    {
      command: "deedkit export contracts --link 'https://site.example/{slug}' --out contracts.xlsx",
      description: "With links to the listings",
    },
    {
      command: "deedkit export contracts --where status=active --where city=Athens --out athens.xlsx",
      description: "Active contracts in Athens",
    },
    {
      command: "deedkit export contracts --columns id,status,listing.city --headers api --out - | head",
      description: "Three columns to another program",
    },
    {
      command: "deedkit export contracts --from mirror.sqlite --as-of 2026-10-31 --out october.csv",
      description: "From a mirror, without a request: the contracts of that day",
    },
    {
      command: "deedkit export contracts --format csv --format xlsx --out contracts",
      description: "Two files of one read",
    },
  ]),
)

const keys = Command.make(
  "keys",
  { ...formatFlags, ...tableFlags, ...runFlags },
  whenRun(async () => (await import("./Export.ts")).keys),
).pipe(
  Command.withDescription("Export the metadata of all API keys to a file"),
  Command.withExamples([
    { command: "deedkit export keys --out keys.csv", description: "Names, scopes and use of API keys" },
    {
      command: "deedkit export keys --columns name,scopes,age_days,unused_days --out keys.xlsx",
      description: "Their age, and how long they have been unused",
    },
  ]),
)

const all = Command.make(
  "all",
  { ...formatFlags, ...contractFlags, ...runFlags },
  whenRun(async () => (await import("./Export.ts")).all),
).pipe(
  Command.withDescription("Export contracts, API keys and a summary to a workbook, or to one file each"),
  Command.withExamples([
    { command: "deedkit export all --out everything.xlsx", description: "A workbook of three sheets" },
    {
      command: "deedkit export all --out everything.csv",
      description: "Three files: everything-contracts.csv and so on",
    },
  ]),
)

const { compression, out, overwrite, paper } = formatFlags
const { account, asOf, dryRun, from, manifest, maxRejects, pageSize, quick, resume } = runFlags
const { columns } = tableFlags

const report = Command.make(
  "report",
  {
    account,
    asOf,
    columns,
    compression,
    dryRun,
    from,
    manifest,
    maxRejects,
    out,
    overwrite,
    pageSize,
    paper,
    quick,
    resume,
    since: Flag.String("since").pipe(
      Flag.filter(
        (value) => Since.isSince(value),
        () => Since.shape,
      ),
      Flag.withMetavar("DATE"),
      Flag.withDescription(
        "With --from: add the contracts that were added, changed or removed since a date, a UTC time, or a span such as 7d",
      ),
      Flag.optional,
      Flag.map(Option.getOrUndefined),
    ),
    ...contractFlags,
    ...dataFlags,
  },
  whenRun(async () => (await import("./Export.ts")).report),
).pipe(
  Command.withDescription(
    "Export a workbook to send on: cover, contracts, units, months, changes, API keys with findings",
  ),
  Command.withExamples([
    { command: "deedkit export report --out march.xlsx" },
    {
      command: "deedkit export report --from mirror.sqlite --as-of 2026-10-31 --out october.xlsx",
      description: "Of a mirror, as it was then; the same file whenever it is made",
    },
    {
      command: "deedkit export report --paper letter --link 'https://site.example/{slug}' --out march.xlsx",
      description: "For US Letter, with links to the listings",
    },
    {
      command: "deedkit export report --from mirror.sqlite --since 30d --out march.xlsx",
      description: "With what was added, changed and removed in the last 30 days",
    },
    {
      command: "deedkit export report --data --columns id,unit_label,status,extra.data.rent --out march.xlsx",
      description: "With a member of the data payload; --data-columns lists them",
    },
  ]),
)

export const exportCommand: Subcommand<"export"> = Command.make("export").pipe(
  Command.withExamples([
    { command: "deedkit export contracts --out contracts.xlsx" },
    { command: "deedkit export verify contracts.xlsx" },
  ]),
  Command.withSubcommands([contracts, keys, all, report, verify]),
)

/**
 * `deedkit export report`: a workbook to send on. Its cover has the verdict in words, the main figures, and what is missing from the workbook because
 * the service does not provide it. Units, months and the cover are derived from the contracts: memory grows with the number of units, months and
 * changes, not with the number of contracts.
 */
import { KeyAudit } from "@deedkit/core"
import type { ApiKey, Contract } from "@deedkit/core"
import {
  Account,
  apiKeysAt,
  DerivedTable,
  LatestOfUnits,
  MonthCounts,
  months,
  StatusByCity,
  units,
} from "@deedkit/export"
import type { Column, Cover, Manifest, Table } from "@deedkit/export"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import type { Work } from "../command/Subcommand.ts"
import type { Failure } from "../failure/Failure.ts"
import { usageError } from "../failure/Failure.ts"
import * as MirrorFlags from "../sync/MirrorFlags.ts"
import * as Since from "../sync/Since.ts"
import { Environment } from "../terminal/Environment.ts"
import { count } from "../terminal/Figures.ts"
import * as DataColumns from "./DataColumns.ts"
import {
  contractFlags,
  dataFlags,
  fileArgument,
  formatFlags,
  runFlags,
  tableFlags,
  withFiles,
} from "./ExportFlags.ts"
import type { ContractChoices, DataChoices, TableChoices } from "./ExportFlags.ts"
import { contractsTable, select, withoutLink } from "./ExportOptions.ts"
import type { Choices } from "./ExportRequest.ts"
import { perform } from "./ExportRequest.ts"
import { contractsJob, keysJob } from "./ExportTables.ts"
import * as Formats from "./Formats.ts"
import * as ReportChanges from "./ReportChanges.ts"

type KeyColumn = Column.Column<ApiKey.ApiKey>

const severities = ["high", "medium", "low"] as const

/** The table at a moment, in milliseconds since 1970. The cells for findings are empty for a key without any. */
const keysWithFindingsAt = (nowMillis: number): Table.Table<ApiKey.ApiKey> => {
  const table = apiKeysAt(nowMillis)
  const find = (key: ApiKey.ApiKey) => KeyAudit.audit([key], { now: new Date(nowMillis) })
  const findings: ReadonlyArray<KeyColumn> = [
    {
      name: "priority",
      label: "Priority",
      kind: "text",
      isComputed: true,
      tones: { high: "attention", medium: "attention", low: "muted" },
      get: (key) => {
        const found = new Set(find(key).map(({ severity }) => severity))
        return severities.find((severity) => found.has(severity)) ?? null
      },
    },
    {
      name: "findings",
      label: "Findings",
      kind: "text",
      isComputed: true,
      wraps: true,
      get: (key) =>
        find(key)
          .map((finding) => KeyAudit.sentence(finding))
          .join("; ") || null,
    },
  ]
  const { columns, onDemand, printed = columns.length } = table
  return {
    ...table,
    columns: [
      ...columns.slice(0, 2),
      ...findings,
      ...columns.slice(2, printed),
      ...onDemand.filter(({ name }) => name === "age_days" || name === "unused_days"),
      ...columns.slice(printed),
    ],
    printed: printed + findings.length,
  }
}

/** The manifest of a run whose files are not finished. */
type SoFar = Manifest.Manifest

/** `2026-03-01 09:30:00`. */
const momentText = (timestamp: string): string => timestamp.slice(0, 19).replace("T", " ")

const verdictOf = ({ reasons, tables, verdict }: SoFar): Cover.Cover["verdict"] => {
  const [contracts, keys] = tables.map(({ rows }) => rows)
  if (verdict === "complete") {
    return {
      text: `Complete: ${count(contracts ?? 0, "contract", "contracts")} and ${count(keys ?? 0, "API key", "API keys")}, all that existed during the whole read.`,
      tone: "good",
    }
  }
  const headline =
    verdict === "partial" ? "Partial: records are missing." : "Not shown to be complete (unverified)."
  return { text: [headline, ...reasons].join(" "), tone: "attention" }
}

/** The period in which all lists were read. */
const windowOf = ({ startedAt, tables }: SoFar): string => {
  const starts = tables.map(({ reading }) => reading.startedAt).toSorted()
  const ends = tables.map(({ reading }) => reading.endedAt).toSorted()
  return `${momentText(starts[0] ?? startedAt)} to ${momentText(ends.at(-1) ?? startedAt)} UTC`
}

/** Where the records come from, and when they were read. */
const subtitleOf = (soFar: SoFar): string => {
  const { mirror } = soFar
  if (mirror === undefined) return `As the service listed them, read ${windowOf(soFar)}`
  const asOf = mirror.asOf === null ? "" : ` at ${momentText(mirror.asOf)} UTC`
  return `As a mirror knew them${asOf}, read ${windowOf(soFar)}`
}

/** Makes the cover, once all tables are written. `changes` are the facts about changes; empty if none are asked for. */
const coverOf = (
  soFar: SoFar,
  byCity: StatusByCity,
  units: number,
  changes: Cover.Cover["sections"][number]["facts"],
): Cover.Cover => {
  const { account, madeBy, mirror, origin, tables } = soFar
  const [contracts, keys] = tables.map(({ rows }) => rows)
  const owner = Account.clean(mirror?.account ?? account.profile ?? origin.replace(/^https?:\/\//, ""))
  return {
    title: `Contracts of ${owner}`,
    subtitle: subtitleOf(soFar),
    verdict: verdictOf(soFar),
    figures: [
      { label: "contracts", value: contracts ?? 0 },
      ...byCity
        .statuses()
        .slice(0, 3)
        .map(({ label, records }) => ({ label, value: records })),
    ],
    counts: byCity.table(),
    sections: [
      {
        title: "What is in this workbook",
        facts: [
          {
            name: "Contracts",
            table: "Contracts",
            text: `${count(contracts ?? 0, "row", "rows")}, one for each contract`,
          },
          {
            name: "API keys",
            table: "API keys",
            text: `${count(keys ?? 0, "row", "rows")}, with findings; the service never gives the secrets`,
          },
          {
            name: "Units",
            table: "Units",
            text: `${count(units, "row", "rows")}: the latest contract of each; a unit without an id is identified by listing and label`,
          },
          { name: "Months", table: "Months", text: "Contracts created and last updated, by month in UTC" },
        ],
      },
      ...(changes.length === 0 ? [] : [{ title: "What has changed", facts: changes }]),
      {
        title: "What the service does not give",
        facts: [
          {
            name: "Not known",
            text: "Start, end, rent and tenant of a contract. A contract that has ended is counted in the month of its last update, because the date on which it ended is not given.",
          },
        ],
      },
      {
        title: "Where it is from",
        facts: [
          { name: "Source", text: origin },
          ...tables.flatMap(({ stored, title }) =>
            stored === undefined ? [] : [{ name: title, text: `Run ${stored.run} of a mirror` }],
          ),
          ...(account.profile === null ? [] : [{ name: "Profile", text: Account.clean(account.profile) }]),
          ...(account.keyFingerprint === null
            ? []
            : [{ name: "Key fingerprint", text: account.keyFingerprint }]),
          { name: "Made by", text: madeBy },
        ],
      },
    ],
  }
}

interface Report {
  /** Receives the contracts of each page. */
  readonly collect: (contracts: ReadonlyArray<Contract.Contract>) => void
  /** Makes the tables and the cover. `changes` is null if none are asked for. Called before the first page. */
  readonly begin: (changes: ReportChanges.ReportChanges | null) => {
    readonly derived: ReadonlyArray<DerivedTable.DerivedTable>
    readonly cover: (soFar: SoFar) => Cover.Cover
  }
}

const makeReport = (): Report => {
  const byUnit = new LatestOfUnits()
  const byMonth = new MonthCounts()
  const byCity = new StatusByCity()
  return {
    collect: (contracts) => {
      byUnit.add(contracts)
      byMonth.add(contracts)
      byCity.add(contracts)
    },
    begin: (changes) => ({
      derived: [
        DerivedTable.make(units, () => byUnit.pages()),
        DerivedTable.make(months, () => [byMonth.rows()]),
        ...(changes === null ? [] : [changes.derived]),
      ],
      cover: (soFar) => coverOf(soFar, byCity, byUnit.size, changes?.facts ?? []),
    }),
  }
}

/** A report has fixed headings, format and time zone. */
const reportChoices = {
  flavour: "rfc4180",
  format: ["xlsx"],
  formulaGuard: "on",
  headers: "labels",
  summary: false,
  failOnEmpty: false,
  timeZone: undefined,
} as const

/** The moment of `--since`, in ISO 8601 UTC; null without it. `nowMillis` is the moment of the report. */
const sinceOf = (
  since: string | undefined,
  from: string | undefined,
  nowMillis: number,
): Effect.Effect<string | null, Failure> => {
  if (since === undefined) return Effect.succeed(null)
  if (from === undefined) {
    return Effect.fail(
      usageError(
        "--since needs the history of a mirror, and the service has none",
        "Add --from MIRROR, such as --from mirror.sqlite.",
      ),
    )
  }
  const moment = Since.moment(since, nowMillis)
  return Date.parse(moment) > nowMillis
    ? Effect.fail(
        usageError(`--since ${since} is later than the report`, "Choose an earlier moment, or leave it out."),
      )
    : Effect.succeed(moment)
}

interface ReportChoices extends ContractChoices, DataChoices, Pick<TableChoices, "columns"> {
  readonly since: string | undefined
}

const run: Work<Omit<Choices, keyof typeof reportChoices> & ReportChoices> = Effect.fn(function* ({
  columns,
  data,
  dataColumns,
  link,
  since,
  ...given
}) {
  if (dataColumns) return yield* DataColumns.list(given)
  const other = given.out.find((target) => target !== "-" && Formats.ofFile(target) !== "xlsx")
  if (other !== undefined) {
    return yield* usageError(
      `A report is a workbook, and ${other} is not the name of one`,
      "Name a file that ends in .xlsx: --out report.xlsx.",
    )
  }
  const choices = { ...given, ...reportChoices }
  const { madeAt } = yield* Environment
  const { asOf, nowMillis } = yield* MirrorFlags.momentOf(given)
  const from = yield* sinceOf(since, given.from, nowMillis)
  const now = madeAt === undefined || asOf !== null ? nowMillis : Date.parse(madeAt)
  const { begin, collect } = makeReport()
  const selection = yield* select(yield* contractsTable(link), { columns, where: [] })
  if (link !== undefined)
    yield* withoutLink(selection.table, yield* Formats.targets(given.out, choices.format, "report.xlsx"))
  const keyTable = keysWithFindingsAt(now)
  let sentence: string | null = null
  yield* perform({
    choices,
    data,
    tables: [
      {
        selection,
        job: (session, pageSize) => contractsJob(session, { ...selection, pageSize, collect, data }),
        afterRun: ({ note }) => {
          if (sentence !== null) note(sentence)
        },
      },
      {
        selection: { table: keyTable, filter: { texts: [] } },
        job: (session, pageSize) => keysJob(session, { table: keyTable, pageSize }),
      },
    ],
    report: ({ client }) =>
      Effect.gen(function* () {
        const { changesSince } = client.contracts
        if (from === null || changesSince === undefined) return begin(null)
        const changes = ReportChanges.make(from, yield* changesSince(from))
        sentence = changes.sentence
        return begin(changes)
      }),
  })
})

const { compression, out, overwrite, paper } = formatFlags
const { account, asOf, dryRun, from, manifest, maxRejects, pageSize, quick, resume } = runFlags
const { columns } = tableFlags

export const report = Command.make(
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
    ...fileArgument,
  },
  (choices) => run(withFiles(choices)),
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

/**
 * `deedkit export report`: a workbook to send on. Its cover has the verdict in words, the main figures, and what is missing from the workbook because
 * the service does not provide it. Units, months and the cover are derived from the contracts: memory grows with the number of units, months and
 * changes, not with the number of contracts.
 */
import { KeyAudit } from "@deedkit/core"
import type { ApiKey, Contract } from "@deedkit/core"
import {
  Account,
  amounts,
  AmountTotals,
  apiKeysAt,
  cities,
  citiesOf,
  DerivedTable,
  LatestOfUnits,
  MonthCounts,
  months,
  StatusByCity,
  Texts,
  TimeZone,
  units,
  worded,
} from "@deedkit/export"
import type { Column, Cover, Manifest, Table, Unit } from "@deedkit/export"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { examples, languageOf, text, toggle } from "../command/SharedFlags.ts"
import type { Work } from "../command/Subcommand.ts"
import { Failure, usageError } from "../failure/Failure.ts"
import type { SourceSession } from "../session/RecordSource.ts"
import * as MirrorFlags from "../sync/MirrorFlags.ts"
import * as Since from "../sync/Since.ts"
import { Environment } from "../terminal/Environment.ts"
import * as DataColumns from "./DataColumns.ts"
import {
  allTableFlags,
  defaultPageSize,
  contractFlags,
  dataFlags,
  fileArgument,
  formatFlags,
  runFlags,
  withFiles,
} from "./ExportFlags.ts"
import type { ContractChoices, DataChoices, TableChoices } from "./ExportFlags.ts"
import { contractsTable, select, withoutLink } from "./TableSelection.ts"
import * as ExportProfiles from "./ExportProfiles.ts"
import * as Formats from "./Formats.ts"
import * as OutName from "./OutName.ts"
import type { Origin } from "./ExportAccount.ts"
import * as ReportChanges from "./ReportChanges.ts"
import type { Choices, Planned } from "./RunExport.ts"
import { contractsJob, keysJob, originOf, perform, planned } from "./RunExport.ts"
import * as SeveralAccounts from "./SeveralAccounts.ts"
import * as SplitBy from "./SplitBy.ts"

type KeyColumn = Column.Column<ApiKey.ApiKey>

const severities = ["high", "medium", "low"] as const

/** The table at a moment, in milliseconds since 1970. Findings are in English. The cells for findings are empty for a key without any. */
const keysWithFindingsAt = (nowMillis: number, language: Texts.Language): Table.Table<ApiKey.ApiKey> => {
  const table = apiKeysAt(nowMillis)
  const find = (key: ApiKey.ApiKey) => KeyAudit.audit([key], { now: new Date(nowMillis) })
  const findings: ReadonlyArray<KeyColumn> = [
    {
      name: "priority",
      label: "Priority",
      kind: "text",
      isComputed: true,
      tones: Object.fromEntries(
        severities.map((severity) => [
          Texts.say(language, severity),
          severity === "low" ? ("muted" as const) : ("attention" as const),
        ]),
      ),
      get: (key) => {
        const found = new Set(find(key).map(({ severity }) => severity))
        const worst = severities.find((severity) => found.has(severity))
        return worst === undefined ? null : Texts.say(language, worst)
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

/** The words for people of a column's values. */
const wordOf: Readonly<Record<string, typeof worded>> = {
  status: worded,
  kind: worded,
  occupancy: (value, language) => Texts.say(language ?? "en", value as "Occupied" | "Vacant"),
}

/** Whether a column of the data payload holds amounts: its name is all that is known of it before it is read. */
const isAmount = ({ name }: { readonly name: string }): boolean => /^extra\..*\.amount$/.test(name)

/** The table with words for people in its columns of statuses and kinds, and with days. */
const forReaders = <A>(table: Table.Table<A>, language: Texts.Language): Table.Table<A> => ({
  ...table,
  columns: table.columns.map((column) => {
    if (isAmount(column)) return { ...column, role: "amount" as const }
    if (column.kind === "timestamp") return { ...column, shows: "day" as const }
    const word = wordOf[column.name]
    if (word === undefined) return column
    const { get, tones } = column
    const inTones = Object.entries(tones ?? {}).map(([value, tone]) => [word(value, language), tone] as const)
    return {
      ...column,
      tones: Object.fromEntries(inTones),
      get: (record) => {
        const value = get(record)
        return typeof value === "string" ? word(value, language) : value
      },
    }
  }),
})

/** How moments look to the reader. */
interface Clock {
  /** The local time, such as `2026-03-01T11:30:00`. */
  readonly local: (timestamp: string) => string
  readonly zone: string
  readonly language: Texts.Language
}

/** `1 March 2026, 11:30 UTC`, or `(Europe/Athens)`. */
const momentText = (timestamp: string, { language, local, zone }: Clock): string => {
  const at = local(timestamp)
  return `${Texts.day(language, at.slice(0, 10))}, ${at.slice(11, 16)} ${zone === "UTC" ? "UTC" : `(${zone})`}`
}

const inAll = (tables: SoFar["tables"], language: Texts.Language): string => {
  const rowsOf = (collection: "contracts" | "api-keys") =>
    tables.flatMap(({ reading, rows }) => (reading.collection === collection ? [rows] : []))
  const contracts = rowsOf("contracts").reduce((sum, rows) => sum + rows, 0)
  const words = Texts.count(language, contracts, "{0} contract", "{0} contracts")
  const [keys] = rowsOf("api-keys")
  return keys === undefined
    ? words
    : Texts.say(language, "{0} and {1}", words, Texts.count(language, keys, "{0} API key", "{0} API keys"))
}

/** In a sentence; reasons are in English, so that other languages lead to the sheet that has them. */
const verdictOf = ({ reasons, tables, verdict }: SoFar, language: Texts.Language): Cover.Cover["verdict"] => {
  if (verdict === "complete") {
    const which = tables.some(({ filters }) => filters.length > 0)
      ? "Complete: {0}, all that met the conditions and existed during the whole read."
      : "Complete: {0}, all that existed during the whole read."
    return { text: Texts.say(language, which, inAll(tables, language)), tone: "good" }
  }
  const headline =
    verdict === "partial" ? "Partial: records are missing." : "Not shown to be complete (unverified)."
  const why =
    language === "en" ? new Set(reasons) : [Texts.say(language, "The last sheet says why, in English.")]
  return { text: [Texts.say(language, headline), ...why].join(" "), tone: "attention" }
}

/** When these lists were read. */
const windowOf = (tables: SoFar["tables"], clock: Clock): string => {
  const { language } = clock
  const [from = "", to = ""] = [
    tables.map(({ reading }) => reading.startedAt).toSorted()[0],
    tables
      .map(({ reading }) => reading.endedAt)
      .toSorted()
      .at(-1),
  ].map((moment) => momentText(moment ?? "", clock))
  return from === to
    ? Texts.say(language, "read on {0}", from)
    : Texts.say(language, "read from {0} to {1}", from, to)
}

/** For whom it is, where the records come from, and when they were read. */
const subtitleOf = (soFar: SoFar, { clock, preparedFor }: Look): string => {
  const { mirror } = soFar
  const { language } = clock
  const read = [
    Texts.say(language, mirror === undefined ? "As the service listed them" : "As a mirror knew them"),
    ...(mirror === undefined || mirror.asOf === null
      ? []
      : [Texts.say(language, "as of {0}", momentText(mirror.asOf, clock))]),
    windowOf(soFar.tables, clock),
  ].join(", ")
  return preparedFor === undefined
    ? read
    : `${Texts.say(language, "Prepared for {0}.", Account.clean(preparedFor))} ${read}`
}

/** Where `/v1/me/` may name the account; its form is not specified (Spec: Endpoints 7). The first text is taken. */
const namesOfAccount = ["account.name", "organization.name", "company.name", "name"]

/** Whose contracts these are: the account in the mirror, its name at the service, the profile, or the service. */
const ownerOf = ({ account, mirror, origin }: SoFar): string => {
  const named = namesOfAccount
    .map((path) => account.me?.[path])
    .find((name) => typeof name === "string" && name !== "")
  const host = origin.replace(/^https?:\/\//, "")
  return Account.clean(mirror?.account ?? (named === undefined ? (account.profile ?? host) : String(named)))
}

/** What the reader chose of the cover. */
interface Look {
  readonly title: string | undefined
  readonly preparedFor: string | undefined
  readonly clock: Clock
  /** Whether the sheet of contracts may hold members of the data payload. */
  readonly data: boolean
  /** The value that all contracts of the workbook have in the column by which they are split. */
  readonly part: string | undefined
  /** Whose contracts they are, if they are those of several accounts; else empty. */
  readonly accounts: ReadonlyArray<string>
}

/** `acme, beta`, or `12 accounts`. */
const accountsText = ({ accounts, clock: { language } }: Look): string =>
  accounts.length > 3
    ? Texts.say(language, "{0} accounts", accounts.length)
    : accounts.map((name) => Account.clean(name)).join(", ")

/** Sums that the cover shows; the sheet has all of them. */
const mostTotals = 12

/** Makes the cover, once all tables are written. `changes` are the facts about changes; empty if none are asked for. */
const coverOf = (
  soFar: SoFar,
  look: Look,
  byCity: StatusByCity,
  byCurrency: AmountTotals,
  byUnit: LatestOfUnits,
  changes: Cover.Cover["sections"][number]["facts"],
): Cover.Cover => {
  const { tables } = soFar
  const { language } = look.clock
  const say = (text: Texts.Text, ...values: ReadonlyArray<string>) => Texts.say(language, text, ...values)
  const rows = (number: number) => Texts.count(language, number, "{0} row", "{0} rows")
  const lists = tables.filter(({ reading }) => reading.collection === "contracts")
  const keys = tables.find(({ reading }) => reading.collection === "api-keys")
  const records = lists.reduce((sum, table) => sum + table.rows, 0)
  const counts = byCity.table()
  const units = byUnit.size
  const ofCities = citiesOf(byCity, byUnit)
  const sumOf = (name: "occupied" | "vacant") => ofCities.reduce((sum, city) => sum + city[name], 0)
  const totals = look.data ? byCurrency.totals() : []
  const sheet = (title: Texts.Text, text: string) => ({ name: say(title), table: say(title), text })
  return {
    title: [
      look.title ?? say("Contracts of {0}", look.accounts.length > 1 ? accountsText(look) : ownerOf(soFar)),
      ...(look.part === undefined ? [] : [look.part]),
    ]
      .map((text) => Account.clean(text))
      .join(" · "),
    subtitle: subtitleOf(soFar, look),
    verdict: verdictOf(soFar, language),
    figures: [
      { label: say("contracts"), value: records },
      ...byCity
        .statuses()
        .slice(0, 3)
        .map(({ label, records }) => ({ label: worded(label, language), value: records })),
    ],
    counts:
      counts === null
        ? null
        : {
            ...counts,
            columns: counts.columns.map(({ name, tone }) => ({ name: worded(name, language), tone })),
          },
    sections: [
      {
        title: say("What is in this workbook"),
        facts: [
          ...(look.accounts.length > 1
            ? [sheet("Contracts", say("{0}, one for each contract", rows(records)))]
            : lists.map(({ rows: own, title }) => ({
                name: title,
                table: title,
                text: say("{0}, one for each contract", rows(own)),
              }))),
          ...(lists[0]?.filters ?? []).map((filter) => ({ name: say("Only"), text: Account.clean(filter) })),
          ...(keys === undefined
            ? []
            : [
                sheet(
                  "API keys",
                  say("{0}, with findings; the service never gives the secrets", rows(keys.rows)),
                ),
              ]),
          sheet(
            "Units",
            say(
              "{0}: the latest contract of each. By it {1} are occupied and {2} vacant: rentals that are active, or have ended. A unit without an id is identified by listing and label",
              rows(units),
              Texts.number(language, sumOf("occupied")),
              Texts.number(language, sumOf("vacant")),
            ),
          ),
          sheet(
            "Cities",
            say("{0}: contracts by status, and units that are occupied or vacant", rows(ofCities.length)),
          ),
          sheet("Months", say("Contracts created and last updated, by month in UTC")),
          ...(look.data
            ? [
                sheet(
                  "Amounts",
                  say(
                    "{0}: members of the data payload that have an amount and a currency, added up by month of creation",
                    rows(byCurrency.rows().length),
                  ),
                ),
              ]
            : []),
          sheet("Source", say("Where the records are from, and how it was checked that they are all")),
        ],
      },
      ...(totals.length > 0
        ? [
            {
              title: say("Amounts"),
              facts: totals.slice(0, mostTotals).map(({ active, contracts, currency, member, total }) => ({
                name: Account.clean(member),
                text: say(
                  "{0} {1} in {2}, of which {3} {1} in active ones",
                  Texts.amount(language, total),
                  Account.clean(currency),
                  Texts.count(language, contracts, "{0} contract", "{0} contracts"),
                  Texts.amount(language, active),
                ),
              })),
            },
          ]
        : []),
      ...(look.accounts.length > 1
        ? [
            {
              title: say("Accounts"),
              facts: lists.map((list) => ({
                name: Account.clean(list.account ?? ""),
                text: say(
                  "{0}, {1}",
                  Texts.count(language, list.rows, "{0} contract", "{0} contracts"),
                  windowOf([list], look.clock),
                ),
              })),
            },
          ]
        : []),
      ...(changes.length === 0 ? [] : [{ title: say("What has changed"), facts: changes }]),
      {
        title: say("What the service does not give"),
        facts: [
          {
            name: say("Not known"),
            text: [
              say(
                look.data
                  ? "Start, end, rent and tenant of a contract are not promised. Columns of the data payload are as the service sent them."
                  : "Start, end, rent and tenant of a contract.",
              ),
              say(
                "A contract that has ended is counted in the month of its last update, because the date on which it ended is not given.",
              ),
            ].join(" "),
          },
        ],
      },
    ],
  }
}

interface SourceRow {
  readonly what: string
  readonly value: string
}

const sourceTable: Table.Table<SourceRow> = {
  name: "source",
  title: "Source",
  columns: [
    { name: "what", label: "What", kind: "text", get: ({ what }) => what },
    { name: "value", label: "Value", kind: "text", wraps: true, get: ({ value }) => value },
  ],
  onDemand: [],
}

const titleOf = ({ account, title }: SoFar["tables"][number]): string =>
  account === undefined ? title : `${title}, ${Account.clean(account)}`

const sourceRows = (soFar: SoFar, clock: Clock): ReadonlyArray<SourceRow> => {
  const { account, evidence, madeBy, mirror, origin, reasons, tables, timeZone, verdict } = soFar
  const say = (text: Texts.Text, ...values: ReadonlyArray<string | number>) =>
    Texts.say(clock.language, text, ...values)
  const rows: ReadonlyArray<readonly [what: string, value: string | null]> = [
    [say("Service"), origin],
    [say("Account in the mirror"), mirror === undefined ? null : Account.clean(mirror.account)],
    [say("Profile"), account.profile === null ? null : Account.clean(account.profile)],
    [say("Key fingerprint"), account.keyFingerprint],
    [say("Verdict"), say(verdict)],
    ...[...new Set(reasons)].map((reason) => [say("Because"), reason] as const),
    ...[...new Set(evidence)].map((text) => [say("Shown by"), text] as const),
    ...tables.map(
      (table) => [titleOf(table), say("{0} {1}", table.reading.records, windowOf([table], clock))] as const,
    ),
    ...tables.flatMap((table) =>
      table.filters.map((filter) => [say("{0}: only", titleOf(table)), Account.clean(filter)] as const),
    ),
    ...tables.map(
      (table) =>
        [say("{0}: run of the mirror", titleOf(table)), table.stored?.run.toString() ?? null] as const,
    ),
    [say("Times are in"), timeZone],
    [say("Made by"), madeBy],
  ]
  return rows.flatMap(([what, value]) => (value === null ? [] : [{ what, value }]))
}

interface Report {
  /** Receives the contracts of each page. `account` is one of several. */
  readonly collect: (contracts: ReadonlyArray<Contract.Contract>, account?: string) => void
  /** Makes the tables and the cover. `changes` is null if none are asked for. Called before the first page. */
  readonly begin: (
    changes: ReportChanges.ReportChanges | null,
    look: Look,
  ) => {
    readonly derived: ReadonlyArray<DerivedTable.DerivedTable>
    readonly cover: (soFar: SoFar) => Cover.Cover
  }
}

/** `unitTable` has its times in the reader's zone. */
const makeReport = (unitTable: Table.Table<Unit>, language: Texts.Language): Report => {
  const byUnit = new LatestOfUnits()
  const byMonth = new MonthCounts()
  const byCity = new StatusByCity(language)
  const byCurrency = new AmountTotals()
  return {
    collect: (contracts, account) => {
      byUnit.add(contracts, account)
      byMonth.add(contracts)
      byCity.add(contracts)
      byCurrency.add(contracts)
    },
    begin: (changes, look) => ({
      derived: [
        DerivedTable.make(forReaders(unitTable, language), () => byUnit.pages()),
        DerivedTable.make(Texts.inLanguage(cities, language), () => [citiesOf(byCity, byUnit)]),
        DerivedTable.make(Texts.inLanguage(months, language), () => [byMonth.rows()]),
        ...(look.data
          ? [DerivedTable.make(Texts.inLanguage(amounts, language), () => [byCurrency.rows()])]
          : []),
        ...(changes === null ? [] : [changes.derived]),
        DerivedTable.make(Texts.inLanguage(sourceTable, language), (soFar) => [
          sourceRows(soFar(), look.clock),
        ]),
      ],
      cover: (soFar) => coverOf(soFar, look, byCity, byCurrency, byUnit, changes?.facts ?? []),
    }),
  }
}

/** A report has fixed headings and a fixed format. */
const reportChoices = {
  flavour: "rfc4180",
  format: ["xlsx"],
  formulaGuard: "on",
  headers: "labels",
  summary: false,
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

interface ReportChoices extends ContractChoices, DataChoices, TableChoices {
  readonly splitBy: string | undefined
  readonly preparedFor: string | undefined
  readonly since: string | undefined
  readonly title: string | undefined
  readonly withKeys: boolean
}

/** What `--split-by` cannot be combined with; null if it can. */
const notSplit = ({
  dryRun,
  out,
  resume,
  since,
  splitBy,
  withKeys,
}: Pick<Choices, "dryRun" | "out" | "resume"> &
  Pick<ReportChoices, "since" | "splitBy" | "withKeys">): Failure | null => {
  if (splitBy === undefined) return null
  const refused = Object.entries({
    "--dry-run": dryRun,
    "--resume": resume,
    "--since": since !== undefined,
    "--with-keys": withKeys,
  }).find(([, given]) => given)
  if (refused !== undefined)
    return usageError(`--split-by and ${refused[0]} cannot be combined`, "Leave one of them out.")
  return new Set(out.map((target) => target.includes(SplitBy.placeholder))).size > 1
    ? usageError(
        `Some names of --out have ${SplitBy.placeholder}, and others do not`,
        "Choose a workbook for each value, or one for all.",
      )
    : null
}

type Given = Omit<Choices, keyof typeof reportChoices> & ReportChoices

/** The table with a column that says whose record it is. */
const withAccount = <A>(
  table: Table.Table<A>,
  language: Texts.Language,
  get: (record: A) => string | null,
): Table.Table<A> => ({
  ...table,
  columns: [
    { name: "account", label: Texts.say(language, "Account"), kind: "text", isComputed: true, get },
    ...table.columns,
  ],
  printed: table.printed === undefined ? undefined : table.printed + 1,
})

/** Writes one workbook: of all contracts, of one part of them, of all parts, each on a sheet, or of several accounts. */
const write = (
  { columns, data, link, preparedFor, since, title, where, withKeys, ...given }: Omit<Given, "splitBy">,
  parts?: {
    readonly origin: Origin
    readonly all: ReadonlyArray<SplitBy.Part>
    readonly isOne: boolean
    readonly isTold: boolean
  },
  several?: Effect.Success<ReturnType<typeof SeveralAccounts.open>>,
) =>
  Effect.gen(function* () {
    const choices = { ...given, ...reportChoices }
    const { madeAt } = yield* Environment
    const { asOf, nowMillis } = yield* MirrorFlags.momentOf(given)
    const from = yield* sinceOf(since, given.from, nowMillis)
    const now = madeAt === undefined || asOf !== null ? nowMillis : Date.parse(madeAt)
    const zone = given.timeZone ?? "UTC"
    const language = yield* languageOf(given.lang)
    const only = parts?.isOne === true ? parts.all[0] : undefined
    const look: Look = {
      title,
      preparedFor,
      clock: { local: yield* Effect.fromResult(TimeZone.clocks(zone)), zone, language },
      data,
      part: only?.title,
      accounts: (several?.accounts ?? []).map(({ name }) => name),
    }
    const unitTable = Texts.inLanguage(yield* Effect.fromResult(TimeZone.apply(units, zone)), language)
    const { begin, collect } = makeReport(
      several === undefined ? unitTable : withAccount(unitTable, language, ({ account }) => account),
      language,
    )
    /** The account of each contract that is being written. */
    const accountOf = new WeakMap<Contract.Contract, string>()
    const reader = { language, nowMillis, timeZone: zone }
    const selected = yield* select(yield* contractsTable(link), { columns, where }, reader)
    const { filter } = selected
    const shown = forReaders(selected.table, language)
    const selection = {
      table:
        several === undefined
          ? shown
          : withAccount(shown, language, (contract) => accountOf.get(contract) ?? null),
      filter: only === undefined ? filter : { ...filter, texts: [...filter.texts, only.condition] },
    }
    if (link !== undefined)
      yield* withoutLink(selection.table, yield* Formats.targets(given.out, choices.format, "report.xlsx"))
    const keyTable = Texts.inLanguage(
      yield* Effect.fromResult(TimeZone.apply(keysWithFindingsAt(now, language), zone)),
      language,
    )
    const contracts = planned("contract", selected.table, selection, (session, options) => {
      const account = several?.accounts.find((each) => each.session === session)?.name
      return contractsJob(session, {
        ...options,
        account,
        data,
        collect: (records) => {
          if (account !== undefined) for (const record of records) accountOf.set(record, account)
          collect(records, account)
        },
      })
    })
    const ofAccounts = several?.accounts.map(({ name, session }, at): Planned => ({
      selection,
      of: { account: name, list: session.client.contracts },
      job: (_session, pageSize) => contracts.job(session, pageSize),
      // What is said of conditions is of all accounts.
      afterRun: (first) => (at === 0 ? contracts.afterRun?.(first) : undefined),
    }))
    const inParts = (parts?.all ?? []).map(({ fileName, session, title: value }) => {
      const table = { ...selection.table, name: `contracts-${fileName}`, title: value }
      return planned("contract", selected.table, { ...selection, table }, (_session, options) =>
        contractsJob(session, { ...options, collect, data }),
      )
    })
    let sentence: string | null = null
    yield* perform({
      choices,
      data,
      part:
        several !== undefined
          ? { origin: several.origin, value: undefined, isTold: false }
          : parts === undefined
            ? undefined
            : { origin: parts.origin, value: only?.fileName, isTold: parts.isTold },
      tables: [
        ...(ofAccounts !== undefined
          ? ofAccounts
          : parts === undefined || only !== undefined
            ? [
                {
                  ...contracts,
                  afterRun: (session: SourceSession) => {
                    contracts.afterRun?.(session)
                    if (sentence !== null) session.note(sentence)
                  },
                },
              ]
            : inParts),
        ...(withKeys
          ? [
              {
                selection: { table: keyTable, filter: { texts: [] } },
                job: (session: SourceSession, pageSize: number) =>
                  keysJob(session, { table: keyTable, pageSize }),
              },
            ]
          : []),
      ],
      report: ({ client }) =>
        Effect.gen(function* () {
          const { changesSince } = client.contracts
          if (from === null || changesSince === undefined) return begin(null, look)
          const changes = ReportChanges.make(from, yield* changesSince(from), language)
          sentence = changes.sentence
          return begin(changes, look)
        }),
    })
  })

/** Reads the list once, and writes a workbook for each value of a column, or one with a sheet for each. */
const split = (given: Omit<Given, "splitBy">, column: string) =>
  Effect.gen(function* () {
    const { data, link, where } = given
    const { nowMillis } = yield* MirrorFlags.momentOf(given)
    const language = yield* languageOf(given.lang)
    const table = yield* contractsTable(link)
    const selection = yield* select(table, { columns: undefined, where }, { language: "en", nowMillis })
    const origin = yield* originOf({ ...given, ...reportChoices }, { data, names: [table.name] })
    const { caller, session } = yield* origin.connect
    const all = yield* SplitBy.read(session, {
      column,
      data,
      language,
      pageSize: given.pageSize ?? defaultPageSize,
      prove: !given.quick,
      selection,
    })
    session.terminal.live(null)
    if (all.length === 0) {
      session.terminal.say("No contract meets the conditions, so that there is no workbook.", "yellow")
      return yield* given.failOnEmpty ? new Failure({ reason: { _tag: "NothingFound" } }) : Effect.void
    }
    const known = yield* Effect.cached(caller)
    const of = (part: SourceSession): Origin => ({
      ...origin,
      connect: Effect.succeed({ session: part, caller: known }),
    })
    if (!given.out.some((target) => target.includes(SplitBy.placeholder))) {
      if (all.length > SplitBy.mostSheets)
        return yield* usageError(
          `${column} has ${all.length} values, and a workbook has at most ${SplitBy.mostSheets} sheets of them`,
          `Name a workbook for each: --out 'report-${SplitBy.placeholder}.xlsx'.`,
        )
      return yield* write(given, { origin: of(session), all, isOne: false, isTold: false })
    }
    const incomplete: Array<Failure> = []
    for (const part of all)
      yield* write(given, {
        origin: of(part.session),
        all: [part],
        isOne: true,
        isTold: part !== all[0],
      }).pipe(
        Effect.catchTag("Failure", (failure) => {
          if (failure.reason._tag !== "NotComplete") return Effect.fail(failure)
          // Every workbook has the verdict of the list, and is written whatever it is.
          incomplete.push(failure)
          return Effect.void
        }),
      )
    const [first] = incomplete
    if (first !== undefined) return yield* first
  }).pipe(Effect.scoped)

/** Checks that the files are workbooks. */
const onlyWorkbooks = ({ out }: Pick<Choices, "out">): Failure | null => {
  const other = out.find((target) => target !== "-" && Formats.ofFile(target) !== "xlsx")
  return other === undefined
    ? null
    : usageError(
        `A report is a workbook, and ${other} is not the name of one`,
        "Name a file that ends in .xlsx: --out report.xlsx.",
      )
}

const run: Work<Given> = Effect.fn(function* ({ dataColumns, splitBy, ...given }) {
  if (dataColumns) return yield* DataColumns.list(given)
  const refusal = onlyWorkbooks(given) ?? notSplit({ ...given, splitBy })
  if (refusal !== null) return yield* refusal
  const choices = { ...given, dataColumns }
  return yield* splitBy === undefined ? write(choices) : split(choices, splitBy)
})

/** The names of the accounts that go into one workbook: several profiles without `{profile}` in its name, or all of a mirror; else null. */
const together = (given: Given & ExportProfiles.ProfileChoices) =>
  Effect.gen(function* () {
    const { all, from, out, profiles } = given
    if (from !== undefined) {
      if (!all || profiles.length > 0) return null
      const { accountsOf } = yield* Effect.promise(() => import("../sync/MirrorSource.ts"))
      return yield* accountsOf(from)
    }
    if (out.length === 0 || given.dataColumns || out.some((target) => target.includes("{profile}")))
      return null
    const names = yield* ExportProfiles.namesOf(given)
    return names.length > 1 ? names : null
  })

const reportOf: Work<Given & ExportProfiles.ProfileChoices> = Effect.fn(function* (chosen) {
  // A moment of the past is named in UTC, and gives the same file everywhere.
  const timeZone = chosen.timeZone ?? (chosen.asOf === undefined ? OutName.zoneOf() : undefined)
  const given = { ...chosen, timeZone }
  const names = yield* together(given)
  if (names === null) return yield* ExportProfiles.forEach(run)(given)
  const [refused] =
    Object.entries({
      "--account": given.account !== undefined,
      "--data-columns": given.dataColumns,
      "--dry-run": given.dryRun,
      "--since": given.since !== undefined,
      "--split-by": given.splitBy !== undefined,
      "--with-keys": given.withKeys,
    }).find(([, isGiven]) => isGiven) ?? []
  const twice = names.find((name, at) => names.indexOf(name) < at)
  const refusal =
    onlyWorkbooks(given) ??
    (twice === undefined ? null : usageError(`The profile ${twice} is named twice`, "Name each once.")) ??
    (refused === undefined
      ? null
      : usageError(
          `${refused} and a workbook of several accounts cannot be combined`,
          `Leave ${refused} out, or write a workbook for each.`,
        ))
  if (refusal !== null) return yield* refusal
  yield* Effect.scoped(
    Effect.flatMap(SeveralAccounts.open({ ...given, ...reportChoices }, names, given.data), (several) =>
      write(given, undefined, several),
    ),
  )
})

const { compression, lang, out, overwrite, paper } = formatFlags
const { account, asOf, dryRun, failOnEmpty, from, keep, manifest, maxRejects, pageSize, quick, resume } =
  runFlags

export const report = Command.make(
  "report",
  {
    account,
    asOf,
    compression,
    dryRun,
    failOnEmpty,
    from,
    keep,
    lang,
    manifest,
    maxRejects,
    out,
    overwrite,
    pageSize,
    paper,
    preparedFor: text("prepared-for", "NAME", "Say on the cover for whom the report is"),
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
    splitBy: text(
      "split-by",
      "COLUMN",
      "A workbook for each value of a column, such as city, by {value} in --out; without {value}, a sheet for each",
    ),
    timeZone: text(
      "time-zone",
      "ZONE",
      "Time zone of all times, such as Europe/Athens; default: that of this machine, or UTC with --as-of",
    ),
    title: text("title", "TEXT", "Title of the cover; default: Contracts of the account"),
    withKeys: toggle("with-keys", "Add the sheet of API keys with what keys audit finds"),
    ...allTableFlags,
    ...contractFlags,
    ...dataFlags,
    ...ExportProfiles.profileFlags,
    ...fileArgument,
  },
  (choices) => reportOf(withFiles(choices)),
).pipe(
  Command.withDescription("Export a workbook to send on: cover, contracts, units, cities, months, changes"),
  examples(`
    deedkit export report --out march.xlsx
    # Contracts of one city, with a title of your own
    deedkit export report --title 'Sea View, March' --prepared-for 'A. Papadaki' --where city=Chania march.xlsx
    # Of a mirror, as it was then; the same file whenever it is made
    deedkit export report --from mirror.sqlite --as-of 2026-10-31 --out october.xlsx
    # For US Letter, with links to the listings
    deedkit export report --paper letter --link 'https://site.example/{slug}' --out march.xlsx
    # With what was added, changed and removed in the last 30 days
    deedkit export report --from mirror.sqlite --since 30d --out march.xlsx
    # With a member of the data payload; --data-columns lists them
    deedkit export report --data --columns id,unit_label,status,extra.data.rent --out march.xlsx
  `),
)

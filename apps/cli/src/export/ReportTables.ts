/**
 * The tables of a report: those that are derived from contracts, that of where the records are from, and the tables of an export in words for people.
 * Memory grows with the number of units, months and cities, not with the number of contracts.
 */
import { KeyAudit, Timestamp } from "@deedkit/core"
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
  StatusCounts,
  Texts,
  worded,
} from "@deedkit/export"
import type { Column, Cover, Table, Unit } from "@deedkit/export"
import type * as ReportChanges from "./ReportChanges.ts"
import { coverOf, windowOf } from "./ReportCover.ts"
import type { Clock, Look, SoFar } from "./ReportCover.ts"

type KeyColumn = Column.Column<ApiKey.ApiKey>

const severities = ["high", "medium", "low"] as const

/** The table at a moment, in milliseconds since 1970. Findings are in English. The cells for findings are empty for a key without any. */
export const keysWithFindingsAt = (
  nowMillis: number,
  language: Texts.Language,
): Table.Table<ApiKey.ApiKey> => {
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

/** The words for people of a column's values. */
const wordOf: Readonly<Record<string, typeof worded>> = {
  status: worded,
  kind: worded,
  occupancy: (value, language) => Texts.say(language ?? "en", value as "Occupied" | "Vacant"),
}

/** Whether a column of the data payload holds amounts: its name is all that is known of it before it is read. */
const isAmount = ({ name }: { readonly name: string }): boolean => /^extra\..*\.amount$/.test(name)

/** The same of moments, such as `extra.data.signed_at`. Values that are none stay as they are. */
const isMoment = ({ name }: { readonly name: string }): boolean => /^extra\..*[._](?:at|date)$/.test(name)

/** The table with words for people in its columns of statuses and kinds, and with days. */
export const forReaders = <A>(table: Table.Table<A>, { language, local, zone }: Clock): Table.Table<A> => ({
  ...table,
  columns: table.columns.map((column) => {
    if (isAmount(column)) return { ...column, role: "amount" as const }
    if (isMoment(column)) {
      const get = (record: A) => {
        const value = column.get(record)
        return Timestamp.isTimestamp(value) ? local(value) : value
      }
      const label = `${column.label} (${zone})`
      return { ...column, label, kind: "timestamp" as const, shows: "day" as const, get }
    }
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

/** The table with a column that says whose record it is. Formats that nest have it too, where columns were chosen. */
export const withAccount = <A>(
  { json, ...table }: Table.Table<A>,
  language: Texts.Language,
  get: (record: A) => string | null,
): Table.Table<A> => ({
  ...table,
  json:
    json === undefined || table.isChosen !== true
      ? json
      : (record) => ({ account: get(record), ...(json(record) as object) }),
  columns: [
    { name: "account", label: Texts.say(language, "Account"), kind: "text", isComputed: true, get },
    ...table.columns,
  ],
  printed: table.printed === undefined ? undefined : table.printed + 1,
})

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
export const makeReport = (unitTable: Table.Table<Unit>, language: Texts.Language): Report => {
  const byUnit = new LatestOfUnits()
  const byMonth = new MonthCounts()
  const byStatus = new StatusCounts(language)
  const byCurrency = new AmountTotals()
  return {
    collect: (contracts, account) => {
      byUnit.add(contracts, account)
      byMonth.add(contracts)
      byStatus.add(contracts)
      byCurrency.add(contracts)
    },
    begin: (changes, look) => ({
      derived: [
        DerivedTable.make(forReaders(unitTable, look.clock), () => byUnit.pages()),
        DerivedTable.make(Texts.inLanguage(cities, language), () => [citiesOf(byStatus, byUnit)]),
        DerivedTable.make(Texts.inLanguage(months, language), () => [byMonth.rows()]),
        DerivedTable.make(Texts.inLanguage(amounts, language), () => {
          const rows = byCurrency.rows()
          return rows.length === 0 ? null : [rows]
        }),
        ...(changes === null ? [] : [changes.derived]),
        DerivedTable.make(Texts.inLanguage(sourceTable, language), (soFar) => [
          sourceRows(soFar(), look.clock),
        ]),
      ],
      cover: (soFar) => coverOf(soFar, look, byStatus, byCurrency, byUnit, changes?.facts ?? []),
    }),
  }
}

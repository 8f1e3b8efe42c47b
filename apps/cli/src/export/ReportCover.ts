/** What the cover of a report says: verdict, figures, what is in the workbook and what the service does not give. Pure. */
import { Account, citiesOf, Texts, worded } from "@deedkit/export"
import type { AmountTotals, Cover, LatestOfUnits, Manifest, StatusCounts } from "@deedkit/export"

/** The manifest of a run whose files are not finished. */
export type SoFar = Manifest.Manifest

/** How moments look to the reader. */
export interface Clock {
  /** The local time, such as `2026-03-01T11:30:00`. */
  readonly local: (timestamp: string) => string
  readonly zone: string
  readonly language: Texts.Language
}

/** `1 March 2026, 11:30 UTC`, or `(Europe/Athens)`. */
export const momentText = (timestamp: string, { language, local, zone }: Clock): string => {
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

/** In sentences. */
const verdictOf = ({ reasons, tables, verdict }: SoFar, language: Texts.Language): Cover.Cover["verdict"] => {
  if (verdict === "complete") {
    const which = tables.some(({ filters }) => filters.length > 0)
      ? "Complete: {0}, all that met the conditions and existed during the whole read."
      : "Complete: {0}, all that existed during the whole read."
    return { text: Texts.say(language, which, inAll(tables, language)), tone: "good" }
  }
  const headline =
    verdict === "partial" ? "Partial: records are missing." : "Not shown to be complete (unverified)."
  return { text: [Texts.say(language, headline), ...new Set(reasons)].join(" "), tone: "attention" }
}

/** When these lists were read. */
export const windowOf = (tables: SoFar["tables"], clock: Clock): string => {
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

/** Whose contracts these are: the account in the mirror, its name at the service, the profile, or the service. */
const ownerOf = ({ account, mirror, origin }: SoFar): string => {
  const own = account.me?.["name"]
  const named = Account.nameIn(account.me) ?? (typeof own === "string" && own !== "" ? own : null)
  const host = origin.replace(/^https?:\/\//, "")
  return Account.clean(mirror?.account ?? named ?? account.profile ?? host)
}

/** What the reader chose of the cover. */
export interface Look {
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
export const coverOf = (
  soFar: SoFar,
  look: Look,
  byStatus: StatusCounts,
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
  const units = byUnit.size
  const ofCities = citiesOf(byStatus, byUnit)
  const sumOf = (name: "occupied" | "vacant") => ofCities.reduce((sum, city) => sum + city[name], 0)
  const totals = byCurrency.totals()
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
      ...byStatus
        .statuses()
        .slice(0, 3)
        .map(({ label, records }) => ({ label: worded(label, language), value: records })),
    ],
    counts: [byStatus.byCity(), byStatus.byYear()]
      .filter((table) => table !== null)
      .map(({ columns, rowLabel, rows: counted, title }) => ({
        title,
        rowLabel,
        columns: columns.map(({ name, tone }) => ({ name: worded(name, language), tone })),
        rows: counted,
      })),
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
          ...(totals.length > 0
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
          sheet("Source", say("Where the records are from, and how completeness was checked")),
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
                look.data || totals.length > 0
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

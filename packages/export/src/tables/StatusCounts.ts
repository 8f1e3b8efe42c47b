/**
 * Contracts by status, of each city and of each year: for the cover of a report, and as a table with the units of each city that are let or vacant
 * (Spec: Resources, Contract). The values of cities and statuses are open, so both are limited in number.
 */
import type { Contract } from "@deedkit/core"
import type { Language } from "../Texts.ts"
import { say } from "../Texts.ts"
import { statusTones } from "./Contracts.ts"
import { monthOf } from "./Months.ts"
import type { CrossTable } from "../write/Cover.ts"
import type { Table } from "../table/Table.ts"
import * as TextForm from "../table/TextForm.ts"
import type { LatestOfUnits } from "./Units.ts"

/** Number of cities that are counted by name; contracts of further cities are counted together. */
const mostCities = 10_000
/** Number of rows and columns that are shown; the last one holds the rest. */
const shown = { cities: 7, years: 5, statuses: 4 } as const

const toneOf = (status: string | null) =>
  status !== null && Object.hasOwn(statusTones, status) ? (statusTones[status] ?? null) : null

const sum = (counts: Iterable<number>): number => {
  let all = 0
  for (const count of counts) all += count
  return all
}

const byCount = ([one, many]: readonly [string, number], [other, more]: readonly [string, number]): number =>
  more - many || one.localeCompare(other, "en")

/** Numbers of contracts by status. */
type Counts = Map<string, number>

const addTo = (all: Map<string, Counts>, name: string, status: string): void => {
  const counts = all.get(name) ?? new Map<string, number>()
  all.set(name, counts.set(status, (counts.get(status) ?? 0) + 1))
}

export class StatusCounts {
  readonly #language: Language
  readonly #cities = new Map<string, Counts>()
  readonly #years = new Map<string, Counts>()
  readonly #statuses: Counts = new Map()

  constructor(language: Language = "en") {
    this.#language = language
  }

  add(contracts: ReadonlyArray<Contract.Contract>): void {
    for (const { created_at, listing, status } of contracts) {
      addTo(this.#cities, this.nameOf(listing?.city ?? null), status)
      addTo(this.#years, monthOf(created_at)?.slice(0, 4) ?? say(this.#language, "(none)"), status)
      this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1)
    }
  }

  /** The name under which a city is counted: one of its own, a word for none, or one for all further cities. */
  nameOf(given: string | null): string {
    const city = TextForm.equal(given || say(this.#language, "(none)"))
    return this.#cities.has(city) || this.#cities.size < mostCities
      ? city
      : say(this.#language, "Other cities")
  }

  /** All cities that are counted by name, those with the most contracts first. */
  cities(): ReadonlyArray<{
    readonly name: string
    readonly statuses: ReadonlyMap<string, number>
    readonly records: number
  }> {
    return [...this.#cities]
      .map(([name, statuses]) => ({ name, statuses, records: sum(statuses.values()) }))
      .toSorted((one, other) => byCount([one.name, one.records], [other.name, other.records]))
  }

  /** The statuses, the most frequent first; if there are more than four, the last entry is the rest, and has no status. */
  statuses(): ReadonlyArray<{
    readonly label: string
    readonly status: string | null
    readonly records: number
  }> {
    const sorted = [...this.#statuses].toSorted(byCount)
    const named = sorted.length <= shown.statuses ? sorted : sorted.slice(0, shown.statuses - 1)
    const others = sorted.slice(named.length)
    const all = named.map(([status, records]) => ({ label: status, status, records }))
    const records = sum(others.map(([, count]) => count))
    return others.length === 0
      ? all
      : [...all, { label: say(this.#language, "others"), status: null, records }]
  }

  /** The cities with the most contracts, then the rest of them; null if nothing was counted. */
  byCity(): CrossTable | null {
    const rows = this.cities().map(({ name, statuses }) => [name, statuses] as const)
    if (rows.length === 0) return null
    const title = say(this.#language, "Contracts by city and status")
    return this.#table(title, say(this.#language, "City"), rows, shown.cities, "Other cities")
  }

  /** The years in which contracts were created, the latest first, then the others; null if there are not two. */
  byYear(): CrossTable | null {
    const rows = [...this.#years].toSorted(([one], [other]) => (one < other ? 1 : -1))
    if (rows.length < 2) return null
    const title = say(this.#language, "Contracts by year of creation and status")
    return this.#table(title, say(this.#language, "Year (UTC)"), rows, shown.years, "Other years")
  }

  #table(
    title: string,
    rowLabel: string,
    all: ReadonlyArray<readonly [name: string, statuses: ReadonlyMap<string, number>]>,
    most: number,
    rest: "Other cities" | "Other years",
  ): CrossTable {
    const statuses = this.statuses()
    const named = new Set(statuses.map(({ status }) => status))
    const rows = all.map(([name, counts]) => ({
      name,
      counts: statuses.map(({ status }) =>
        status === null
          ? sum([...counts].map(([each, records]) => (named.has(each) ? 0 : records)))
          : (counts.get(status) ?? 0),
      ),
    }))
    const listed = rows.length <= most ? rows : rows.slice(0, most - 1)
    const others = rows.slice(listed.length)
    const counts = statuses.map((_, at) => sum(others.map((row) => row.counts[at] ?? 0)))
    return {
      title,
      rowLabel,
      columns: statuses.map(({ label, status }) => ({ name: label, tone: toneOf(status) })),
      rows: others.length === 0 ? listed : [...listed, { name: say(this.#language, rest), counts }],
    }
  }
}

export interface City {
  readonly city: string
  readonly contracts: number
  readonly active: number
  readonly draft: number
  readonly ended: number
  /** Contracts with any other status. */
  readonly others: number
  /** Units whose latest contract is a rental that is active. */
  readonly occupied: number
  /** Units whose latest contract is a rental that has ended. */
  readonly vacant: number
}

const counted = (name: Exclude<keyof City, "city">, label: string): Table<City>["columns"][number] => ({
  name,
  label,
  kind: "integer",
  role: "count",
  get: (city) => city[name],
})

export const cities: Table<City> = {
  name: "cities",
  title: "Cities",
  hasTotals: true,
  columns: [
    { name: "city", label: "City", kind: "text", get: ({ city }) => city },
    counted("contracts", "Contracts"),
    counted("active", "Active"),
    counted("draft", "Draft"),
    counted("ended", "Ended"),
    counted("others", "Other statuses"),
    counted("occupied", "Units occupied"),
    counted("vacant", "Units vacant"),
  ],
  onDemand: [],
}

/** The cities with the most contracts first. */
export const citiesOf = (byStatus: StatusCounts, byUnit: LatestOfUnits): ReadonlyArray<City> => {
  const units = byUnit.occupancy((city) => byStatus.nameOf(city))
  return byStatus.cities().map(({ name, records: contracts, statuses }): City => {
    const of = (status: string): number => statuses.get(status) ?? 0
    const [active, draft, ended] = [of("active"), of("draft"), of("ended")]
    const { occupied = 0, vacant = 0 } = units.get(name) ?? {}
    return {
      city: name,
      contracts,
      active,
      draft,
      ended,
      others: contracts - active - draft - ended,
      occupied,
      vacant,
    }
  })
}

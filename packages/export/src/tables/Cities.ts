/** One row for each city: its contracts by status, and its units that are let or vacant (Spec: Resources, Contract). */
import type { Table } from "../table/Table.ts"
import type { StatusByCity } from "./StatusByCity.ts"
import type { LatestOfUnits } from "./Units.ts"

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
export const citiesOf = (byCity: StatusByCity, byUnit: LatestOfUnits): ReadonlyArray<City> => {
  const units = byUnit.occupancy((city) => byCity.nameOf(city))
  return byCity.cities().map(({ name, statuses }): City => {
    const of = (status: string): number => statuses.get(status) ?? 0
    const contracts = [...statuses.values()].reduce((sum, count) => sum + count, 0)
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

/** The members of a table's records that the specification does not name, by path and never by value, and whether the table includes them. */
import type { Table } from "../table/Table.ts"

export interface Undocumented {
  /** Paths such as `deposit` and `listing.price` that are in the files. */
  readonly included: ReadonlyArray<string>
  /** Paths that the chosen columns do not include, or only in part. */
  readonly excluded: ReadonlyArray<string>
}

/** Most paths that are listed; further ones are not. */
const most = 200
/** Most characters of a path. */
const longest = 100

export class UndocumentedMembers<in A> {
  readonly #paths = new Set<string>()
  readonly #table: Pick<Table<A>, "columns" | "undocumented">
  readonly #redact: (text: string) => string

  /** `redact` removes secrets from the names of members, which come from the service. */
  constructor(
    table: Pick<Table<A>, "columns" | "undocumented">,
    redact: (text: string) => string = (text) => text,
  ) {
    this.#table = table
    this.#redact = redact
  }

  see(records: ReadonlyArray<A>): void {
    const { undocumented } = this.#table
    if (undocumented === undefined) return
    for (const record of records) {
      for (const path of undocumented(record)) {
        if (this.#paths.size >= most) return
        this.#paths.add(path)
      }
    }
  }

  /** The members so far, sorted. */
  summary(): Undocumented {
    const names = new Set(this.#table.columns.map(({ name }) => name))
    const isIncluded = (path: string): boolean => names.has("extra") || names.has(`extra.${path}`)
    const shown = (paths: ReadonlyArray<string>): ReadonlyArray<string> =>
      [...new Set(paths.map((path) => this.#redact(path).slice(0, longest).toWellFormed()))].toSorted()
    const paths = [...this.#paths]
    return {
      included: shown(paths.filter(isIncluded)),
      excluded: shown(paths.filter((path) => !isIncluded(path))),
    }
  }
}

/**
 * Tracks which pages have an unchanged record in common, across several readings of one list.
 *
 * One answer is a contiguous part of the list at one moment, and records that do not move keep their order. So when the first page and the page
 * that ends the list are connected by such records, no record that existed all the time can be missing between two pages.
 */
import { IdTable } from "./IdTable.ts"

export class PageLinks {
  readonly #parent: Array<number> = []
  readonly #pages = new IdTable()
  readonly #first: Array<number> = []

  #root(page: number): number {
    const parent = this.#parent
    let root = page
    while (parent[root] !== root) root = parent[root] = parent[parent[root]!]!
    return root
  }

  /** Adds a page: the ids and versions of its records. Returns whether it is connected with an earlier one. */
  add(records: ReadonlyArray<{ readonly id: number; readonly version: number }>, isFirst: boolean): boolean {
    const page = this.#parent.length
    this.#parent.push(page)
    if (isFirst) this.#first.push(page)
    let isLinked = false
    for (const { id, version } of records) {
      const before = this.#pages.put(id, page, version)
      // A record that changed may have moved, so it connects nothing.
      if (before === null || before.version !== version || before.page === page) continue
      this.#parent[this.#root(before.page)] = this.#root(page)
      isLinked = true
    }
    return isLinked
  }

  /**
   * Whether a first page and the page taken last are connected. The latter has to be the end of the list. An earlier end is not enough, because
   * updates may have moved records behind it.
   */
  get isGapless(): boolean {
    const end = this.#root(this.#parent.length - 1)
    return this.#first.some((first) => this.#root(first) === end)
  }
}

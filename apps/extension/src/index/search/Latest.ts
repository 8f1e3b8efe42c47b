/** Collects the latest of many contracts without sorting all of them: the result of a search that finds more than are shown. */

export interface Hits {
  /** Ids, the latest update first. */
  readonly ids: ReadonlyArray<number>
  /** Number of all that were found, including those that are not returned. */
  readonly total: number
}

export class Latest {
  readonly #most: number
  readonly #found: Array<{ readonly id: number; readonly updated: number }> = []
  #total = 0

  constructor(most: number) {
    this.#most = most
  }

  add(id: number, updated: number): void {
    this.#total += 1
    const last = this.#found.at(-1)
    const isFull = this.#found.length >= this.#most
    if (isFull && (last === undefined || updated <= last.updated)) return
    let at = this.#found.length
    while (at > 0 && this.#found[at - 1]!.updated < updated) at -= 1
    this.#found.splice(at, 0, { id, updated })
    if (isFull) this.#found.pop()
  }

  result(): Hits {
    return { ids: this.#found.map(({ id }) => id), total: this.#total }
  }
}

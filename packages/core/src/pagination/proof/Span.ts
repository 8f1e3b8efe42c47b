/**
 * The range of ids that the pages of one reading have covered. In a list by id every new record lies outside of it. This detects a list in
 * another order whose single pages are sorted by id.
 */
export class Span {
  #low = Infinity
  #high = -Infinity

  /** Takes a page. Returns whether a new record lies within the range of the previous pages. */
  add<A extends { readonly id: number }>(records: ReadonlyArray<A>, known: ReadonlyArray<A>): boolean {
    const [low, high] = [this.#low, this.#high]
    const repeated = new Set(known)
    let isWithin = false
    for (const record of records) {
      const { id } = record
      isWithin ||= id > low && id < high && !repeated.has(record)
      this.#low = Math.min(this.#low, id)
      this.#high = Math.max(this.#high, id)
    }
    return isWithin
  }
}

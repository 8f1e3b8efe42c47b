/**
 * The ids that the pages of one reading have covered. In a list by id every record that comes for the first time lies outside: a list that
 * is ordered by something else, whose pages are sorted by id one by one, shows here.
 */
export class Span {
  #low = Infinity
  #high = -Infinity

  /** Takes a page. Says whether a record that is new lies between the ids of the pages before. */
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

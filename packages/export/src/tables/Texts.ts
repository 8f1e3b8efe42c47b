/** Stores each distinct text once, under a number, so that a million rows with a few cities hold a few texts. */

const collator = new Intl.Collator("en", { numeric: true })

export class Texts {
  readonly #numbers = new Map<string, number>()
  /** Number 0 is null. */
  readonly #texts: Array<string | null> = [null]

  add(text: string | null): number {
    if (text === null) return 0
    let number = this.#numbers.get(text)
    if (number === undefined) {
      number = this.#texts.length
      this.#numbers.set(text, number)
      this.#texts.push(text)
    }
    return number
  }

  get(number: number): string | null {
    return this.#texts[number] ?? null
  }

  /** The rank of each number among all texts in sorted order, where `A2` is before `A10`; null is last. */
  ranks(): Uint32Array {
    const order = Uint32Array.from(this.#texts.keys()).toSorted((one, other) => {
      const [left, right] = [this.#texts[one] ?? null, this.#texts[other] ?? null]
      if (left === null || right === null) return left === right ? 0 : left === null ? 1 : -1
      return collator.compare(left, right) || one - other
    })
    const ranks = new Uint32Array(order.length)
    order.forEach((number, rank) => (ranks[number] = rank))
    return ranks
  }
}

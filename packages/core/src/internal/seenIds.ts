/**
 * The ids that a read has returned. Ordered ids are appended to a log, which is cheap and has binary search; only ids out of order go to a set.
 * Memory: less than 5 bytes per record for an ordered list.
 */

/** Small, because most lists are short and a sync reads those of thousands of accounts. */
const blockSize = 512

/** Ids in order, each as its distance from the block's first. */
interface Block {
  readonly base: number
  readonly distances: Int32Array
}

const fits = (distance: number): boolean => (distance | 0) === distance

export class SeenIds {
  readonly #log: Array<Block> = []
  #length = 0
  #last = 0
  /** 1 ascending, -1 descending, 0 not known yet. */
  #direction = 0
  readonly #others = new Set<number>()

  /** Adds an id; false when it was there already. */
  add(id: number): boolean {
    const step = this.#length === 0 ? 0 : Math.sign(id - this.#last)
    if (this.#length < 2 && step !== 0) this.#direction = step
    if (this.#length > 0 && (step === 0 || step !== this.#direction)) {
      return !this.#isLogged(id) && this.#addOther(id)
    }
    if (this.#others.size > 0 && this.#others.has(id)) return false
    const at = this.#length % blockSize
    if (at === 0) this.#log.push({ base: id, distances: new Int32Array(blockSize) })
    const { base, distances } = this.#log[this.#log.length - 1]!
    if (!fits(id - base)) return this.#addOther(id)
    distances[at] = id - base
    this.#length += 1
    this.#last = id
    return true
  }

  has(id: number): boolean {
    return (this.#length > 0 && this.#isLogged(id)) || this.#others.has(id)
  }

  forEach(visit: (id: number) => void): void {
    for (let at = 0; at < this.#length; at++) {
      const { base, distances } = this.#log[Math.floor(at / blockSize)]!
      visit(base + distances[at % blockSize]!)
    }
    this.#others.forEach(visit)
  }

  #addOther(id: number): boolean {
    const before = this.#others.size
    return this.#others.add(id).size > before
  }

  #isLogged(id: number): boolean {
    let low = 0
    let high = this.#length - 1
    while (low <= high) {
      const middle = (low + high) >> 1
      const { base, distances } = this.#log[Math.floor(middle / blockSize)]!
      const there = base + distances[middle % blockSize]!
      if (there === id) return true
      if ((there - id) * this.#direction < 0) low = middle + 1
      else high = middle - 1
    }
    return false
  }
}

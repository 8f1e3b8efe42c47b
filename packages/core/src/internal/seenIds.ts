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
  readonly #others = new IdSet()

  /** Adds an id; false when it was there already. */
  add(id: number): boolean {
    const step = this.#length === 0 ? 0 : Math.sign(id - this.#last)
    if (this.#length < 2 && step !== 0) this.#direction = step
    if (this.#length > 0 && (step === 0 || step !== this.#direction)) {
      return !this.#isLogged(id) && this.#others.add(id)
    }
    if (this.#others.size > 0 && this.#others.has(id)) return false
    const at = this.#length % blockSize
    if (at === 0) this.#log.push({ base: id, distances: new Int32Array(blockSize) })
    const { base, distances } = this.#log[this.#log.length - 1]!
    if (!fits(id - base)) return this.#others.add(id)
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

/** Marks a free slot. */
const empty = -1

/** Slots of a new table. Most lists are short. */
const fewestSlots = 32

/** Adjacent ids share a block of slots, which keeps ordered ids in the cache; blocks are spread, which separates strides. */
const slotOf = (id: number): number => {
  const block = Math.floor(id / 256)
  return (id & 255) + ((Math.imul(block ^ Math.floor(block / 4_294_967_296), 0x9e3779b1) >>> 4) & ~255)
}

/** The slot that holds the id, or the empty one where it belongs. */
const find = (slots: Float64Array, id: number): number => {
  const mask = slots.length - 1
  let at = slotOf(id) & mask
  while (slots[at] !== id && slots[at] !== empty) at = (at + 1) & mask
  return at
}

/**
 * A set of whole numbers in one typed array: a million ids take 12 to 24 MB instead of the 40 of a `Set`. Open addressing, at most two
 * thirds full.
 */
class IdSet {
  #slots = new Float64Array(fewestSlots).fill(empty)
  #size = 0
  /** Ids that a slot cannot hold: negative ones, which no documented server sends. */
  readonly #negative = new Set<number>()

  get size(): number {
    return this.#size + this.#negative.size
  }

  has(id: number): boolean {
    return id < 0 ? this.#negative.has(id) : this.#slots[find(this.#slots, id)] === id
  }

  /** Adds an id; false when it was there already. */
  add(id: number): boolean {
    if (id < 0) {
      const before = this.#negative.size
      return this.#negative.add(id).size > before
    }
    const at = find(this.#slots, id)
    if (this.#slots[at] === id) return false
    this.#slots[at] = id
    this.#size += 1
    if (this.#size * 3 > this.#slots.length * 2) this.#grow()
    return true
  }

  forEach(visit: (id: number) => void): void {
    for (const id of this.#slots) if (id !== empty) visit(id)
    for (const id of this.#negative) visit(id)
  }

  #grow(): void {
    const before = this.#slots
    const larger = new Float64Array(before.length * 2).fill(empty)
    for (let at = 0; at < before.length; at++) {
      const id = before[at]!
      if (id !== empty) larger[find(larger, id)] = id
    }
    this.#slots = larger
  }
}

/**
 * A set of whole numbers in one typed array: a million ids take 12 to 24 MB instead of the 40 of a `Set`. Open addressing, at most two
 * thirds full.
 */

/** Marks a free slot. */
export const empty = -1

/** Slots of a new table. Most lists are short. */
export const fewestSlots = 32

/** Adjacent ids share a block of slots, which keeps ordered ids in the cache; blocks are spread, which separates strides. */
const slotOf = (id: number): number => {
  const block = Math.floor(id / 256)
  return (id & 255) + ((Math.imul(block ^ Math.floor(block / 4_294_967_296), 0x9e3779b1) >>> 4) & ~255)
}

/** The slot that holds the id, or the empty one where it belongs. */
export const find = (slots: Float64Array, id: number): number => {
  const mask = slots.length - 1
  let at = slotOf(id) & mask
  while (slots[at] !== id && slots[at] !== empty) at = (at + 1) & mask
  return at
}

export class IdSet {
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

/**
 * Maps whole numbers to the page and version of a record, in typed arrays: 24 to 48 MB for a million ids. Open addressing, at most two thirds
 * full.
 */
import { empty, fewestSlots, find } from "./IdSet.ts"

interface Entry {
  readonly page: number
  readonly version: number
}

export class IdTable {
  #slots = new Float64Array(fewestSlots).fill(empty)
  #pages = new Int32Array(fewestSlots)
  #versions = new Int32Array(fewestSlots)
  #size = 0
  /** Ids that a slot cannot hold: negative ones, which no documented server sends. */
  readonly #negative = new Map<number, Entry>()

  /** Sets the page and version of an id, and returns the previous ones. */
  put(id: number, page: number, version: number): Entry | null {
    if (id < 0) {
      const before = this.#negative.get(id) ?? null
      this.#negative.set(id, { page, version })
      return before
    }
    const at = find(this.#slots, id)
    const isKnown = this.#slots[at] === id
    const before = isKnown ? { page: this.#pages[at]!, version: this.#versions[at]! } : null
    this.#slots[at] = id
    this.#pages[at] = page
    this.#versions[at] = version
    if (!isKnown) {
      this.#size += 1
      if (this.#size * 3 > this.#slots.length * 2) this.#grow()
    }
    return before
  }

  #grow(): void {
    const [slots, pages, versions] = [this.#slots, this.#pages, this.#versions]
    const length = slots.length * 2
    this.#slots = new Float64Array(length).fill(empty)
    this.#pages = new Int32Array(length)
    this.#versions = new Int32Array(length)
    for (let from = 0; from < slots.length; from++) {
      const id = slots[from]!
      if (id === empty) continue
      const to = find(this.#slots, id)
      this.#slots[to] = id
      this.#pages[to] = pages[from]!
      this.#versions[to] = versions[from]!
    }
  }
}

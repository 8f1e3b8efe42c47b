/**
 * The ids that a walk has given out. Ids that come in order are appended to a log, which costs next to nothing and is searched by
 * halves; only ids out of order go to a set. Memory: 8 bytes a record for an ordered server.
 */
import { IdSet } from "./IdSet.ts"

const blockSize = 8_192

export class SeenIds {
  readonly #log: Array<Float64Array> = []
  #length = 0
  #last = 0
  /** 1 ascending, -1 descending, 0 not known yet. */
  #direction = 0
  readonly #others = new IdSet()

  /** Adds an id; false when it was there already. */
  add(id: number): boolean {
    const step = this.#length === 0 ? 0 : Math.sign(id - this.#last)
    if (this.#length < 2 && step !== 0) this.#direction = step
    if (this.#length > 0 && (step === 0 || step !== this.#direction))
      return !this.#isLogged(id) && this.#others.add(id)
    if (this.#others.size > 0 && this.#others.has(id)) return false
    const at = this.#length % blockSize
    if (at === 0) this.#log.push(new Float64Array(blockSize))
    this.#log[this.#log.length - 1]![at] = id
    this.#length += 1
    this.#last = id
    return true
  }

  #isLogged(id: number): boolean {
    let low = 0
    let high = this.#length - 1
    while (low <= high) {
      const middle = (low + high) >> 1
      const there = this.#log[Math.floor(middle / blockSize)]![middle % blockSize]!
      if (there === id) return true
      if ((there - id) * this.#direction < 0) low = middle + 1
      else high = middle - 1
    }
    return false
  }
}

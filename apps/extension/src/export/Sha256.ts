/**
 * SHA-256 (FIPS 180-4) of bytes that come bit by bit. Browsers only digest what is in memory all at once, and a file of an export is never
 * that; this keeps 64 bytes of it.
 */

/** The first 32 bits of the fractions of the roots of the first primes: square roots begin the state, cube roots are the round constants. */
const fractions = (count: number, root: (prime: number) => number): Uint32Array => {
  const words = new Uint32Array(count)
  let found = 0
  for (let candidate = 2; found < count; candidate++) {
    let isPrime = true
    for (let divisor = 2; divisor * divisor <= candidate; divisor++) {
      if (candidate % divisor === 0) isPrime = false
    }
    if (isPrime) words[found++] = (root(candidate) % 1) * 0x1_0000_0000
  }
  return words
}

const roundConstants = fractions(64, Math.cbrt)
const blockBytes = 64

const rotated = (word: number, by: number): number => (word >>> by) | (word << (32 - by))

export class Sha256 {
  readonly #state = fractions(8, Math.sqrt)
  readonly #schedule = new Uint32Array(64)
  readonly #block = new Uint8Array(blockBytes)
  readonly #words = new DataView(this.#block.buffer)
  #filled = 0
  #bytes = 0

  /** Takes the bytes that follow. */
  update(bytes: Uint8Array): void {
    this.#bytes += bytes.length
    let at = 0
    while (at < bytes.length) {
      const room = Math.min(blockBytes - this.#filled, bytes.length - at)
      this.#block.set(bytes.subarray(at, at + room), this.#filled)
      this.#filled += room
      at += room
      if (this.#filled === blockBytes) this.#compress()
    }
  }

  /** The digest in hexadecimal. Nothing can be taken afterwards. */
  hex(): string {
    const bits = BigInt(this.#bytes) * 8n
    this.#block[this.#filled++] = 0x80
    this.#block.fill(0, this.#filled)
    if (this.#filled > blockBytes - 8) {
      this.#compress()
      this.#block.fill(0)
    }
    this.#words.setBigUint64(blockBytes - 8, bits)
    this.#compress()
    return [...this.#state].map((word) => word.toString(16).padStart(8, "0")).join("")
  }

  #compress(): void {
    const schedule = this.#schedule
    const state = this.#state
    for (let at = 0; at < 16; at++) schedule[at] = this.#words.getUint32(at * 4)
    for (let at = 16; at < 64; at++) {
      const early = schedule[at - 15]!
      const late = schedule[at - 2]!
      const first = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3)
      const second = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10)
      schedule[at] = schedule[at - 16]! + first + schedule[at - 7]! + second
    }
    let a = state[0]!
    let b = state[1]!
    let c = state[2]!
    let d = state[3]!
    let e = state[4]!
    let f = state[5]!
    let g = state[6]!
    let h = state[7]!
    for (let at = 0; at < 64; at++) {
      const choice = (e & f) ^ (~e & g)
      const majority = (a & b) ^ (a & c) ^ (b & c)
      const mixedE = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
      const mixedA = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
      const one = (h + mixedE + choice + roundConstants[at]! + schedule[at]!) | 0
      const two = (mixedA + majority) | 0
      h = g
      g = f
      f = e
      e = (d + one) | 0
      d = c
      c = b
      b = a
      a = (one + two) | 0
    }
    state[0] = state[0]! + a
    state[1] = state[1]! + b
    state[2] = state[2]! + c
    state[3] = state[3]! + d
    state[4] = state[4]! + e
    state[5] = state[5]! + f
    state[6] = state[6]! + g
    state[7] = state[7]! + h
    this.#filled = 0
  }
}

/**
 * Pseudorandom numbers: the same seed gives the same sequence on every machine. Used for fixtures, shuffles and faults
 * with a probability. Not for secrets.
 */

/** A source of numbers in [0, 1). */
export type Random = () => number

/** Spreads an integer over 32 bits; equal input, equal output. */
export const mix = (value: number): number => {
  let bits = Math.trunc(value) >>> 0
  bits = Math.imul(bits ^ (bits >>> 16), 0x21f0aaad)
  bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97)
  return (bits ^ (bits >>> 15)) >>> 0
}

/** A sequence that depends only on the seed. */
export const make = (seed: number): Random => {
  let state = mix(seed + 1)
  return () => {
    state = (state + 0x9e3779b9) >>> 0
    return mix(state) / 0x1_0000_0000
  }
}

/** A whole number from 0 up to, but not including, `limit`. */
export const below = (random: Random, limit: number): number => Math.floor(random() * limit)

/** One of the options; the list must not be empty. */
export const pick = <A>(random: Random, options: ReadonlyArray<A>): A =>
  options[below(random, options.length)] as A

/** `digits` hexadecimal digits. */
export const hex = (random: Random, digits: number): string =>
  Array.from({ length: digits }, () => below(random, 16).toString(16)).join("")

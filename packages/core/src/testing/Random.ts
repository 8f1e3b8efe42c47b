/** Numbers that look random and are the same for the same seed. */

/** Draws values. */
export interface Random {
  /** A whole number from `least` to `most`, both included. */
  readonly integer: (least: number, most: number) => number
  /** A number from 0 to below 1. */
  readonly fraction: () => number
  /** One of the values. */
  readonly pick: <const A>(values: ReadonlyArray<A>) => A
  readonly chance: (probability: number) => boolean
  /** Up to `most` values. */
  readonly list: <A>(most: number, draw: () => A) => ReadonlyArray<A>
  /** Some of the members, each with this probability; default one half. Members that are left out keep their default. */
  readonly some: <A extends object>(
    members: { readonly [Name in keyof A]: () => A[Name] },
    probability?: number,
  ) => Partial<A>
}

/** Makes a source of values; `seed` is any whole number. */
export const make = (seed: number): Random => {
  let state = seed | 0
  const fraction = (): number => {
    state = (state + 0x9e3779b9) | 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }
  const integer = (least: number, most: number): number => least + Math.floor(fraction() * (most - least + 1))
  const chance = (probability: number): boolean => fraction() < probability
  return {
    fraction,
    integer,
    chance,
    pick: (values) => values[integer(0, values.length - 1)]!,
    list: (most, draw) => Array.from({ length: integer(0, most) }, draw),
    some: <A extends object>(members: { readonly [Name in keyof A]: () => A[Name] }, probability = 0.5) =>
      Object.fromEntries(
        Object.entries<() => unknown>(members)
          .filter(() => chance(probability))
          .map(([name, draw]) => [name, draw()]),
      ) as Partial<A>,
  }
}

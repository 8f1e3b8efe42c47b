/**
 * One setting and everywhere it was given: the first place wins, and what it hides is known, so that an explanation can never say something
 * else than what is used. Pure.
 */

/** A value, and where it was given: a flag, a variable, `profile NAME`, `default`. */
export interface Given<A> {
  readonly value: A
  readonly source: string
}

export interface Setting<A> extends Given<A> {
  /** What was given in places of less weight. */
  readonly hides: ReadonlyArray<Given<A>>
}

/** A candidate for a setting; null when it was not given there. */
export const given = <A>(source: string, value: A | undefined | null): Given<A> | null =>
  value === undefined || value === null ? null : { value, source }

/** The setting out of its candidates, the weightiest first; null when it was given nowhere. */
export const settle = <A>(...candidates: ReadonlyArray<Given<A> | null>): Setting<A> | null => {
  const [first, ...hides] = candidates.filter((each) => each !== null)
  return first === undefined ? null : { ...first, hides }
}

/** The same for a setting that has a default, which hides nothing and is not hidden by anything worth a word. */
export const settleOr = <A>(fallback: A, ...candidates: ReadonlyArray<Given<A> | null>): Setting<A> =>
  settle(...candidates) ?? { value: fallback, source: "default", hides: [] }

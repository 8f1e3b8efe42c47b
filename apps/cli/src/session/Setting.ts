/**
 * One setting and every place where it was given. The first place wins, and the others are listed, so that `config explain` shows the values that
 * commands use. Pure.
 */

/** A value and where it was given: a flag, a variable, `profile NAME` or `default`. */
export interface Given<A> {
  readonly value: A
  readonly source: string
}

export interface Setting<A> extends Given<A> {
  /** The values given in places of lower precedence. */
  readonly hides: ReadonlyArray<Given<A>>
}

/** A candidate for a setting; null if it was not given there. */
export const given = <A>(source: string, value: A | undefined | null): Given<A> | null =>
  value === undefined || value === null ? null : { value, source }

/** The setting from its candidates in order of precedence; null if it was not given anywhere. */
export const settle = <A>(...candidates: ReadonlyArray<Given<A> | null>): Setting<A> | null => {
  const [first, ...hides] = candidates.filter((each) => each !== null)
  return first === undefined ? null : { ...first, hides }
}

/** The same for a setting with a default, which is not listed as hidden. */
export const settleOr = <A>(fallback: A, ...candidates: ReadonlyArray<Given<A> | null>): Setting<A> =>
  settle(...candidates) ?? { value: fallback, source: "default", hides: [] }

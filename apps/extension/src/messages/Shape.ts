/**
 * Schemas of messages: small checks that are combined, each one a type guard. They are part of the background, which starts anew every time
 * the browser wakes it, so they are as little code as the messages need. A member that is not named is rejected.
 */

/** Whether a value has a shape. */
export type Shape<A> = (value: unknown) => value is A

type TypeOf<S> = S extends Shape<infer A> ? A : never

const shape = <A>(test: (value: unknown) => boolean): Shape<A> => test as Shape<A>

/** A string of at most `most` UTF-16 units, and at least `least`. */
export const text = (most: number, least = 0): Shape<string> =>
  shape((value) => typeof value === "string" && value.length >= least && value.length <= most)

/** A whole number that is exact, within bounds. */
export const integer = (least: number, most = Number.MAX_SAFE_INTEGER): Shape<number> =>
  shape((value) => Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most)

export const yesOrNo: Shape<boolean> = shape((value) => typeof value === "boolean")

export const oneOf = <const A extends string | number>(...values: ReadonlyArray<A>): Shape<A> =>
  shape((value) => values.some((known) => known === value))

export const orNull = <A>(inner: Shape<A>): Shape<A | null> =>
  shape((value) => value === null || inner(value))

/** An array of at most `most` items. */
export const listOf = <A>(item: Shape<A>, most: number): Shape<ReadonlyArray<A>> =>
  shape((value) => Array.isArray(value) && value.length <= most && value.every(item))

type Shapes = Readonly<Record<string, Shape<unknown>>>

const hasOnly = (value: unknown, required: Shapes, optional: Shapes): boolean => {
  if (Object(value) !== value || Array.isArray(value)) return false
  const given = { ...(value as Readonly<Record<string, unknown>>) }
  const members: Shapes = { ...required, ...optional }
  return (
    Object.keys(required).every((name) => Object.hasOwn(given, name)) &&
    Object.entries(given).every(([name, member]) => Object.hasOwn(members, name) && members[name]!(member))
  )
}

type Members<M extends Shapes> = { readonly [Name in keyof M]: TypeOf<M[Name]> }

/** An object with exactly these members; it may have the optional ones, too. */
export const object = <M extends Shapes, O extends Shapes = {}>(
  members: M,
  optional?: O,
): Shape<Members<M> & Partial<Members<O>>> => shape((value) => hasOnly(value, members, optional ?? {}))

/** An object with some of these members and no others. */
export const partial = <M extends Shapes>(members: M): Shape<Partial<Members<M>>> =>
  shape((value) => hasOnly(value, {}, members))

/**
 * One of several objects, distinguished by `type`. The members of each are given without it, and the compiler checks them against the union
 * that they are for.
 */
export const byType = <Union extends { readonly type: string }>(variants: {
  readonly [Type in Union["type"]]: Shape<Omit<Extract<Union, { readonly type: Type }>, "type">>
}): Shape<Union> =>
  shape((value) => {
    const { type, ...members } = Object(value) as { readonly type?: unknown }
    return (
      typeof type === "string" && Object.hasOwn(variants, type) && variants[type as Union["type"]](members)
    )
  })

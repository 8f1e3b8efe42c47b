/**
 * Damaged copies of a good record, for the properties that hold the two halves of a record's check together. Serves the tests of the
 * models. Refuses to know which damage a model should find.
 */
import * as fc from "fast-check"

/** What may stand in the place of any member. */
const values: ReadonlyArray<unknown> = [
  null,
  0,
  -1,
  1.5,
  7,
  2 ** 53,
  9007199254740993n,
  Number.NaN,
  "",
  "text",
  "2026-03-01T09:30:00Z",
  "2026-03-01T09:30:00+02:00",
  "2026-03-01",
  true,
  [],
  ["text"],
  [1],
  {},
  { id: 1 },
]

interface Mutation {
  readonly path: ReadonlyArray<string>
  /** Undefined takes the member away. */
  readonly value: unknown
}

const changed = (record: object, { path: [name = "", ...rest], value }: Mutation): object => {
  const { [name]: inner, ...others } = record as { readonly [member: string]: unknown }
  if (rest.length === 0) return value === undefined ? others : { ...record, [name]: value }
  return typeof inner === "object" && inner !== null
    ? { ...record, [name]: changed(inner, { path: rest, value }) }
    : record
}

/** The record with up to three of its members changed or taken away; `paths` names members with dots for inner ones. */
export const mutations = (good: object, paths: ReadonlyArray<string>): fc.Arbitrary<object> =>
  fc
    .array(
      fc.record({
        path: fc.constantFrom(...paths).map((path) => path.split(".")),
        value: fc.constantFrom(undefined, ...values),
      }),
      { maxLength: 3 },
    )
    .map((all) => all.reduce(changed, good))

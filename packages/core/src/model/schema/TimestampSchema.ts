/** Timestamps as a Schema (Spec: Resources): the same strings that `Timestamp.isTimestamp` accepts, kept as strings. */
import * as Schema from "effect/Schema"
import { isTimestamp, tolerated } from "../Timestamp.ts"

/** The pattern of generated samples: only months, days, hours, minutes and seconds that always exist. */
const sample = "^20\\d\\d-(0[1-9]|1[0-2])-(0[1-9]|1\\d|2[0-8])T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\dZ$"

/**
 * An ISO 8601 date and time. JSON Schema gets the pattern of every accepted form instead of `format: date-time`, which would refuse those
 * without a zone or with a space. A date that does not exist passes the pattern only.
 */
export const TimestampSchema = Schema.String.check(
  Schema.makeFilter(isTimestamp, {
    expected: "timestamp",
    toJsonSchema: () => [{ pattern: tolerated.source }, true],
    arbitraryConstraint: { patterns: [{ source: sample, flags: "" }] },
  }),
)

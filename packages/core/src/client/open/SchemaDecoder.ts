/**
 * Records decoded by a builder's own Schema. A record is decoded once, where it is checked; the decoded value is kept beside it until the page
 * is returned, so that a read verifies and proves the records that the service sent.
 */
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import type * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaParser from "effect/SchemaParser"
import type { Redact } from "../../error/redaction.ts"
import type { Issue } from "../../model/check.ts"
import { typeName } from "../../model/Json.ts"

/** A Schema that decodes without services and without waiting. Anything else in it is a defect of the program. */
export type Decoder<A> = Schema.ConstraintDecoder<A>

/** Decodes JSON objects, and remembers the results. */
export interface SchemaDecoder<A> {
  readonly accepts: (value: object) => boolean
  /** The decoded value of an accepted object. */
  readonly decoded: (value: object) => A
  /** Why an object is not accepted: the first issue, with its path. */
  readonly issues: (value: object) => ReadonlyArray<Issue>
}

/** Makes the decoder of a Schema. The texts of its issues are redacted and cut, because they may quote the service. */
export const make = <A>(schema: Decoder<A>, redact: Redact): SchemaDecoder<A> => {
  const decode = SchemaParser.decodeUnknownExit(schema)
  const kept = new WeakMap<object, A>()
  const text = (given: string): string => redact(given).toWellFormed().slice(0, 200)
  return {
    accepts: (value) => {
      const exit = decode(value)
      if (Exit.isSuccess(exit)) kept.set(value, exit.value)
      else issueOf(exit.cause)
      return Exit.isSuccess(exit)
    },
    decoded: (value) => kept.get(value) as A,
    issues: (value) => {
      const exit = decode(value)
      if (Exit.isSuccess(exit)) return []
      return standard(issueOf(exit.cause)).issues.map(({ message, path }) => {
        const keys = path as ReadonlyArray<PropertyKey>
        return {
          path: text(pathText(keys)),
          expected: text(message === "Missing key" ? "present" : message.replace(/^Expected /, "")),
          found: typeName(at(value, keys)),
        }
      })
    },
  }
}

/** Rethrows anything that is not an issue: an error of the builder's own code, or a Schema that waits. */
const issueOf = (cause: Cause.Cause<SchemaIssue.Issue>): SchemaIssue.Issue => {
  const error = Cause.squash(cause)
  if (SchemaIssue.isIssue(error)) return error
  throw error
}

const standard = SchemaIssue.makeFormatterStandardSchemaV1()

/** `listing.photos[0]`. */
const pathText = (path: ReadonlyArray<PropertyKey>): string =>
  path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`
    return text === "" ? String(key) : `${text}.${String(key)}`
  }, "")

const at = (value: unknown, path: ReadonlyArray<PropertyKey>): unknown =>
  path.reduce<unknown>(
    (inner, key) =>
      typeof inner === "object" && inner !== null && Object.hasOwn(inner, key)
        ? (inner as { readonly [key: PropertyKey]: unknown })[key]
        : undefined,
    value,
  )

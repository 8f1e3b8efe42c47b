/**
 * Reads each contract of a page by id, with its data payload (Spec: Endpoints, row 4).
 *
 * A response that does not match the specification rejects only its own record. A record keeps its row without data if it no longer exists, if the
 * service refuses it, or if its response has no member that the list lacks. An error about the key or the service ends the run, and so does a refusal
 * of all records so far.
 */
import type { ClientError, RejectedRecord, Json, PropertyClient } from "@deedkit/core"
import type { Completion } from "@deedkit/export/run"
import * as Effect from "effect/Effect"

type Issues = RejectedRecord["issues"]

/** Number of concurrent requests; the rate limiter of the key applies to all of them. */
const concurrency = 8

const place = "in the response with its data payload"

const issue = (path: string, expected: string, found: string): Issues => [
  { path, expected, found: `${found} ${place}` },
]

/** What a body should be, by its problem. */
const expectedOf = {
  json: "JSON",
  encoding: "UTF-8",
  limits: "fewer levels, members or digits",
  partial: "the whole answer",
}

/** The problems of a response about a record; null for a failure that is not about the record. */
const issuesOf = (reason: ClientError.Reason): Issues | null => {
  switch (reason._tag) {
    case "RecordInvalid":
      return reason.issues.map((each) => ({ ...each, found: `${each.found} ${place}` }))
    case "IdentityMismatch":
      return issue("id", "the one asked for", "another one")
    case "ShapeMismatch":
      return issue("", "one record", "a list")
    case "NotOk":
      return issue("ok", "true", "something else")
    case "BodyInvalid":
      return issue("", expectedOf[reason.problem], "something else")
    case "BodyTooLarge":
      return issue("", `${Math.round(reason.maxBodyBytes / 1_048_576)} MiB at most`, "larger")
    default:
      return null
  }
}

type Answer<A> =
  | { readonly _tag: "Whole"; readonly record: A }
  | { readonly _tag: "WithoutData"; readonly record: A }
  | { readonly _tag: "Refused"; readonly record: A; readonly error: ClientError.ClientError }
  | { readonly _tag: "Invalid"; readonly record: RejectedRecord }

/**
 * Whether the response has a member that the list lacks: the names of payload members are not specified, and the list never has any
 * (Spec: Endpoints, rule 3).
 */
const hasData = (answer: object, listed: object): boolean =>
  Object.keys(answer).some((name) => !Object.hasOwn(listed, name))

/** Returns the step that adds payloads to the pages of one list. */
export const completing = <A extends { readonly id: number }>({
  get,
}: Pick<PropertyClient.Records<A, PropertyClient.GetContractOptions>, "get">) => {
  let isAllowed = false
  return (page: ReadonlyArray<A>): Effect.Effect<Completion<A>, ClientError.ClientError> => {
    const ask = (listed: A): Effect.Effect<Answer<A>, ClientError.ClientError> =>
      Effect.matchEffect(get(listed.id, { includeData: true }), {
        onSuccess: (record) =>
          Effect.succeed<Answer<A>>({ _tag: hasData(record, listed) ? "Whole" : "WithoutData", record }),
        onFailure: (error): Effect.Effect<Answer<A>, ClientError.ClientError> => {
          const { _tag } = error.reason
          if (_tag === "NotFound") return Effect.succeed({ _tag: "WithoutData", record: listed })
          if (_tag === "Forbidden" || _tag === "Rejected")
            return Effect.succeed({ _tag: "Refused", record: listed, error })
          const issues = issuesOf(error.reason)
          if (issues === null) return Effect.fail(error)
          // An error holds no personal data, so the record of the list is saved.
          const raw = listed as unknown as Json.Json
          return Effect.succeed({ _tag: "Invalid", record: { id: listed.id, issues, raw } })
        },
      })
    return Effect.flatMap(Effect.forEach(page, ask, { concurrency }), (answers) => {
      const refused = answers.filter((answer) => answer._tag === "Refused")
      isAllowed ||= refused.length < answers.length
      const [first] = refused
      if (first !== undefined && !isAllowed) return Effect.fail(first.error)
      return Effect.succeed({
        records: answers.flatMap((answer) => (answer._tag === "Invalid" ? [] : [answer.record])),
        rejected: answers.flatMap((answer) => (answer._tag === "Invalid" ? [answer.record] : [])),
        withoutData: refused.length + answers.filter(({ _tag }) => _tag === "WithoutData").length,
      })
    })
  }
}

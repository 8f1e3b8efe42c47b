/**
 * What prevents a request, or what came of it, as the pages show it: the state of the connection by what core says an error is about, the facts about
 * the error, and the error in the words of the catalogues. Pure.
 */
import { Trial } from "@deedkit/core/checkup"
import type { Failure } from "../failures/ConnectionFailure.ts"
import * as Data from "effect/Data"
import { ClientError } from "@deedkit/core"
import type { Service as Platform } from "./Platform.ts"
import { describe, detailOf } from "../failures/ConnectionFailure.ts"
import type { UserError } from "../messages/PageMessage.ts"

/** No request can be sent: the address, the key or the permission is missing. The state says which. */
export class NotReady extends Data.TaggedError("NotReady")<{ readonly state: Failure }> {}

/** Most issues of one answer that are listed; more would not help. */
const mostIssues = 3

/** Whether a member of a reason is a sentence of the client, in English. */
const isSentence = (tag: string, name: string): boolean =>
  name === "text" || (tag === "ConfigInvalid" && name === "problem")

const membersOf = (tag: string, reason: object): ReadonlyArray<string> =>
  Object.entries(reason).flatMap(([name, value]: [string, unknown]) => {
    if (name === "_tag" || value === null || isSentence(tag, name)) return []
    if (Array.isArray(value)) return value.slice(0, mostIssues).map(issueFact)
    return typeof value === "object"
      ? membersOf(tag, value)
      : [`${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`]
  })

type Issue = Extract<ClientError.Reason, { readonly _tag: "RecordInvalid" }>["issues"][number]

const issueFact = ({ expected, found, path }: Issue): string =>
  `${path === "" ? "" : `${path}: `}expected ${expected}, found ${found}`

/**
 * The facts about an error of the client, for those who look into it: names and numbers, which are the same in every language, and what the
 * service itself said. For a record, they are its id, and the place and the type of what is wrong; never a value.
 * Such as `NotTheApi · GET /v1/contracts/ · status: 200 · contentType: text/html · requestId: 8c1f`.
 */
export const factsOf = ({ reason, request, requestId }: ClientError.ClientError): string =>
  [
    reason._tag,
    ...(request === null ? [] : [`${request.method} ${request.path}`]),
    ...membersOf(reason._tag, reason),
    ...(requestId === null ? [] : [`requestId: ${requestId}`]),
  ].join(" · ")

/** The state that an error means. `isOnline` is what the browser says of its own network. */
export const stateOf = (error: ClientError.ClientError, isOnline: boolean): Failure => {
  const { reason } = error
  if (reason._tag === "Forbidden") return { _tag: "MissingScope", scope: reason.scope }
  if (reason._tag === "RateLimited") return { _tag: "RateLimited", until: reason.retryAt }
  if (reason._tag === "ServerFault") return { _tag: "ServerFault", status: reason.status }
  switch (Trial.about(error)) {
    case "key":
      return { _tag: "WrongKey" }
    case "connection":
      return { _tag: isOnline ? "Unreachable" : "Offline" }
    case "pages":
      return { _tag: "CursorUntrusted", detail: factsOf(error) }
    default:
      return { _tag: "UnreadableData", detail: factsOf(error) }
  }
}

/** Whether a state can end without the user and without any signal, so that the service has to be asked. */
export const mayPass = (connection: Failure): boolean => {
  switch (connection._tag) {
    case "Unreachable":
    case "ServerFault":
    case "UnreadableData":
      return true
    case "RateLimited":
      return connection.until === null
    default:
      return false
  }
}

/** Whether a state has ended by itself: the browser is back online, or the time of a rate limit is over. */
export const isOver = (connection: Failure, nowMillis: number, isOnline: boolean): boolean => {
  switch (connection._tag) {
    case "Offline":
      return isOnline
    case "RateLimited":
      return connection.until !== null && Date.parse(connection.until) <= nowMillis
    default:
      return false
  }
}

type Text = Platform["text"]

/** What happened and what the user can do, with the facts about the error if there are any. */
export const errorOfState = (failure: Failure, text: Text): UserError => {
  const { advice, headline } = describe(failure, text("theService"))
  const detail = detailOf(failure)
  return {
    _tag: "UserError",
    message: `${text(...headline)}.`,
    advice: detail === null ? text(advice) : `${text(advice)} (${detail})`,
  }
}

/** The error if the service could not be asked, or did not answer as specified. */
export const errorOfFailure = (
  failure: ClientError.ClientError | NotReady,
  { isOnline, text }: Pick<Platform, "isOnline" | "text">,
): UserError =>
  errorOfState(
    failure instanceof ClientError.ClientError ? stateOf(failure, isOnline()) : failure.state,
    text,
  )

/**
 * Turns status, headers and text into a parsed body, or the reason why there is none. Pure. Statuses other than 429 are not in the specification
 * (Spec: Errors 2, 3), so bodies are never needed to classify an error; their messages are only for people.
 */
import type { BodyInvalid, Reason } from "../ClientError.ts"
import type { Json } from "../Json.ts"
import { isObject, mayHoldLongIntegers, parse } from "../Json.ts"
import type { ServiceRequest } from "./serviceRequest.ts"
import type { TransportResponse } from "../Transport.ts"
import type { Redact } from "./redaction.ts"
import { isWithinLimits } from "./limits.ts"

/** A parsed body. */
export type JsonObject = { readonly [member: string]: Json }

/** The result of a check: a value, or the reason why there is none. */
export type Checked<A> =
  | { readonly _tag: "Value"; readonly value: A }
  | { readonly _tag: "Failed"; readonly reason: Reason }
/**
 * Reads a body. `exact` returns the body again with integers beyond 2^53 exact, which costs a second parse; `text` is the text that it was
 * parsed from. `wellEncoded` is false for a list whose text has U+FFFD in place of unreadable bytes. `answered` is status and headers; a
 * recorded answer has none.
 */
export type Check<A> = (
  body: JsonObject,
  exact: () => JsonObject,
  text: string,
  wellEncoded: boolean,
  answered: Pick<TransportResponse, "status" | "header">,
) => Checked<A>

/** A body to check, or the reason why there is none. */
export type Reading =
  | {
      readonly _tag: "Body"
      readonly body: JsonObject
      /** The same body with every integer exact, for a caller that found a number that may be rounded. */
      readonly exact: () => JsonObject
      /** False when it holds U+FFFD in place of unreadable bytes; a list then rejects the records that hold one. */
      readonly wellEncoded: boolean
    }
  | { readonly _tag: "Failed"; readonly reason: Reason }

const failed = (reason: Reason): Reading => ({ _tag: "Failed", reason })

/** Headers that hold the id of an answer, the most likely first (Spec: Events does not show one). */
export const requestIdHeaders = ["x-request-id", "request-id", "x-correlation-id"]

/**
 * The service's id of an answer: the specification advises to log request ids and does not name their header (Spec: Events). Where a server
 * echoes the key there, the key is redacted.
 */
export const requestIdOf = (header: TransportResponse["header"], redact: Redact): string | null => {
  for (const name of requestIdHeaders) {
    const value = header(name)
    if (value !== null && value !== "") return printable(value, 100, redact)
  }
  return null
}

const plain = /^[\w.:-]*$/

/** Text of the server for people: no control characters, no line breaks, the key redacted, cut to `most` characters. */
const printable = (text: string, most: number, redact: Redact): string => {
  const redacted = redact(text)
  if (redacted.length <= most && plain.test(redacted)) return redacted
  const clean = redacted
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim()
    .toWellFormed()
  return clean.length > most ? `${clean.slice(0, most - 1).toWellFormed()}…` : clean
}

const messageIn = (body: Json, depth = 0): string | null => {
  if (typeof body === "string") return body
  if (depth > 3) return null
  if (Array.isArray(body)) return body.length === 0 ? null : messageIn(body[0], depth + 1)
  if (!isObject(body)) return null
  for (const member of ["message", "detail", "error_description", "error", "errors", "title", "reason"]) {
    const found = body[member] === undefined ? null : messageIn(body[member], depth + 1)
    if (found !== null) return found
  }
  return null
}

const errorBodyCharacters = 65_536

/** The message in an error body, for people: at most 200 characters, no control characters, the key redacted. Null for HTML. */
export const serverSays = (text: string, redact: Redact): string | null => {
  const body = text.slice(0, errorBodyCharacters)
  if (body.trim() === "" || body.trimStart().startsWith("<")) return null
  let said: string | null
  try {
    said = messageIn(parse(body))
  } catch {
    said = body
  }
  if (said === null) return null
  const shown = printable(said, 200, redact)
  return shown === "" ? null : shown
}

const redirected = (response: TransportResponse, origin: string, redact: Redact): Reason => {
  const location = response.header("location")
  const target = location !== null && URL.canParse(location, origin) ? new URL(location, origin) : null
  return {
    _tag: "Redirected",
    status: response.status,
    location: target === null ? null : printable(target.origin + target.pathname, 200, redact),
    sameOrigin: target?.origin === origin,
  }
}

const byStatus = (response: TransportResponse, request: ServiceRequest, redact: Redact): Reason => {
  const { status } = response
  const said = { status, serverSays: serverSays(response.text, redact) }
  if (status === 401) return { _tag: "Unauthenticated", ...said }
  if (status === 403) return { _tag: "Forbidden", scope: request.scope, ...said }
  if (status === 404 || status === 410) return { _tag: "NotFound", ...said }
  if (status === 429) return { _tag: "RateLimited", retryAt: null, source: "backoff", ...said }
  return status >= 500 ? { _tag: "ServerFault", ...said } : { _tag: "Rejected", ...said }
}

/** Whether the answer declares JSON. An answer that declares no type counts as JSON. */
const isJson = ({ header }: TransportResponse): boolean => {
  const type = header("content-type")
  return type === null || /[/+]json\b/i.test(type)
}

const notTheApi = ({ header, status }: TransportResponse, redact: Redact): Reason => {
  const type = header("content-type")
  return { _tag: "NotTheApi", status, contentType: type === null ? null : printable(type, 60, redact) }
}

/** The reason for a body that cannot be read. */
export const bodyInvalid = (
  { status, text }: Pick<TransportResponse, "status" | "text">,
  problem: BodyInvalid["problem"],
): BodyInvalid => ({ _tag: "BodyInvalid", status, problem, bodyCharacters: text.length })

/** Reads one answer. `origin` is the client's, for redirects; `redact` removes its key from messages. */
export const read = (
  response: TransportResponse,
  request: ServiceRequest,
  origin: string,
  redact: Redact,
): Reading => {
  const { status, text } = response
  if (status === 101) return failed(notTheApi(response, redact))
  if (status >= 300 && status < 400) return failed(redirected(response, origin, redact))
  if (status < 200 || status >= 400) return failed(byStatus(response, request, redact))
  if (!isWithinLimits(text)) return failed(bodyInvalid(response, "limits"))
  let body: Json
  try {
    body = JSON.parse(text)
  } catch {
    const looksCut = isJson(response) && !text.trimStart().startsWith("<")
    return failed(looksCut ? bodyInvalid(response, "json") : notTheApi(response, redact))
  }
  if (isObject(body) && body["ok"] === true) {
    const { wellEncoded = true } = response
    if (!wellEncoded && request.form !== "list") return failed(bodyInvalid(response, "encoding"))
    const parsed = body
    const exact = () => (mayHoldLongIntegers(text) ? (parse(text) as JsonObject) : parsed)
    return { _tag: "Body", body, exact, wellEncoded }
  }
  return failed(
    isJson(response) || (isObject(body) && "ok" in body)
      ? { _tag: "NotOk", status, serverSays: isObject(body) ? serverSays(text, redact) : null }
      : notTheApi(response, redact),
  )
}

/**
 * Turns what an attempt brought, an answer or an error of the transport, into a checked value, or the reason why there is none. Pure. Statuses other than 429 are not in the specification
 * (Spec: Errors 2, 3), so bodies are never needed to classify an error; their messages are only for people.
 */
import type { ClientConfig } from "../ClientConfig.ts"
import type { Reason, ReasonOf } from "../Reason.ts"
import type { Json } from "../Json.ts"
import { isObject, mayHoldLongIntegers, parse } from "../Json.ts"
import type { ServiceRequest } from "./serviceRequest.ts"
import type { TransportResponse } from "../Transport.ts"
import { codeOf, detailOf, TransportFault } from "../Transport.ts"
import type { Redact } from "./redaction.ts"
import * as redaction from "./redaction.ts"

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
  problem: ReasonOf<"BodyInvalid">["problem"],
): Reason => ({ _tag: "BodyInvalid", status, problem, bodyCharacters: text.length })

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

/** How an attempt ended. */
export interface Settled<A> {
  readonly checked: Checked<A>
  readonly status: number | null
  readonly requestId: string | null
  readonly retryAfter: string | null
  readonly phase: string | null
  /** The `Date` header of the answer. */
  readonly serviceDate: string | null
}

/** A body that is nested deeper than the stack allows counts as unreadable. */
const checkedDeeply = <A>(
  { body, exact, wellEncoded }: Extract<Reading, { readonly _tag: "Body" }>,
  response: TransportResponse,
  check: Check<A>,
): Checked<A> => {
  try {
    return check(body, exact, response.text, wellEncoded, response)
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    return { _tag: "Failed", reason: bodyInvalid(response, "json") }
  }
}

const certificateCode = /CERT|^ERR_TLS|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)/
const protocolCode = /^ERR_SSL|^EPROTO$|^HPE_/

/** Reads how an attempt ended, for one configuration. */
export interface Reader {
  readonly answered: <A>(given: TransportResponse, request: ServiceRequest, check: Check<A>) => Settled<A>
  /** The attempt brought no answer; `cause` is the transport's error. */
  readonly broken: <A>(cause: unknown) => Settled<A>
  readonly timedOut: <A>(limitMillis: number) => Settled<A>
  /** Removes the key and its parts from a text of the server. */
  readonly redact: Redact
}

/** Makes the reader of a client's answers, which hold no key afterwards. */
export const makeReader = (config: ClientConfig, key: string): Reader => {
  const redact = redaction.make(key)
  const withoutKey = redaction.makeForAnswers(key)

  const reasonOf = (cause: unknown, fault: TransportFault | null): Reason => {
    if (fault?.phase === "too-large") return { _tag: "BodyTooLarge", maxBodyBytes: config.maxBodyBytes }
    if (fault?.phase === "idle") return { _tag: "TimedOut", which: "idle", afterMillis: config.idleMillis }
    if (fault?.phase === "connect-timeout") {
      return { _tag: "TimedOut", which: "connect", afterMillis: config.connectMillis }
    }
    const code = fault?.code ?? codeOf(cause)
    const phase: ReasonOf<"TransportFailed">["phase"] =
      code !== null && certificateCode.test(code)
        ? "tls"
        : code !== null && protocolCode.test(code)
          ? "protocol"
          : (fault?.phase ?? "connect")
    const detail = serverSays(fault?.message ?? detailOf(cause), redact) ?? "the connection failed"
    const proxy = fault?.proxy ?? null
    return { _tag: "TransportFailed", phase, code, detail, ...(proxy === null ? {} : { proxy }) }
  }

  const broken = <A>(cause: unknown): Settled<A> => {
    const fault = cause instanceof TransportFault ? cause : null
    const head = fault?.head ?? null
    return {
      checked: { _tag: "Failed", reason: reasonOf(cause, fault) },
      status: head?.status ?? null,
      requestId: head === null ? null : requestIdOf(head.header, redact),
      retryAfter: null,
      phase: fault?.phase ?? "connect",
      serviceDate: null,
    }
  }

  const timedOut = <A>(limitMillis: number): Settled<A> => {
    const which = limitMillis < config.attemptMillis ? "deadline" : "attempt"
    const afterMillis = which === "deadline" ? config.deadlineMillis : config.attemptMillis
    const reason: Reason = { _tag: "TimedOut", which, afterMillis }
    return {
      checked: { _tag: "Failed", reason },
      status: null,
      requestId: null,
      retryAfter: null,
      phase: which,
      serviceDate: null,
    }
  }

  const answered = <A>(given: TransportResponse, request: ServiceRequest, check: Check<A>): Settled<A> => {
    const { status, wellEncoded } = given
    const header = (name: string): string | null => given.header(name)
    const response = { status, wellEncoded, header, text: withoutKey(given.text) }
    const reading = read(response, request, config.origin, redact)
    return {
      checked: reading._tag === "Body" ? checkedDeeply(reading, response, check) : reading,
      status,
      requestId: requestIdOf(header, redact),
      retryAfter: reading._tag === "Body" ? null : header("retry-after"),
      phase: null,
      serviceDate: header("date"),
    }
  }

  return { answered, broken, timedOut, redact }
}

// Limits of what a body may hold besides its bytes: a small text can be parsed to values that take a hundred times its memory, or be a number
// that takes half a minute to read. No honest answer comes near them.

/** Shorter texts cannot become large, so the pages of an honest service are parsed without being looked at first. */
const shortest = 262_144
const mostLevels = 512
const mostDigits = 4_096
const mostMembers = 10_000
/** More are read only where each takes 12 characters on average; those of the shortest contract take 15. */
const mostValues = 250_000

const [quote, comma, zero, nine, openArray, backslash, closeArray, u, openObject, closeObject] = [
  34, 44, 48, 57, 91, 92, 93, 117, 123, 125,
]

/**
 * Whether a JSON text is within the limits: 512 levels, numbers of 4,096 digits, 10,000 members an object, 250,000 values and escaped
 * characters, or more where they are as long as those of records. It says nothing of a text that is not JSON.
 */
export const isWithinLimits = (text: string): boolean => {
  if (text.length < shortest || !/^\s*[[{]/.test(text)) return true
  const valuesAllowed = Math.max(mostValues, text.length / 12)
  /** The commas of each open object or array. */
  const commas = new Int32Array(mostLevels + 1)
  const isObject = new Uint8Array(mostLevels + 1)
  let [level, values, digits, inString] = [0, 0, 0, false]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (inString) {
      if (code === quote) inString = false
      if (code !== backslash) continue
      at += 1
      // What was escaped is escaped again in a file. Services that write ASCII only escape each letter of other scripts.
      if (text.charCodeAt(at) !== u) values += 1
      if (values > valuesAllowed) return false
      continue
    }
    if (code >= zero && code <= nine) {
      digits += 1
      if (digits > mostDigits) return false
      continue
    }
    digits = 0
    if (code === quote) inString = true
    else if (code === openArray || code === openObject) {
      level += 1
      values += 1
      if (level > mostLevels || values > valuesAllowed) return false
      commas[level] = 0
      isObject[level] = code === openObject ? 1 : 0
    } else if (code === closeArray || code === closeObject) level = Math.max(0, level - 1)
    else if (code === comma) {
      values += 1
      commas[level]! += 1
      if (values > valuesAllowed || (isObject[level] === 1 && commas[level]! >= mostMembers)) return false
    }
  }
  return true
}

/**
 * Turns what an attempt brought, an answer or an error of the transport, into a checked value, or the reason why there is none. Pure.
 *
 * Statuses other than 429 are not in the specification (Spec: Errors 2, 3), so bodies are never needed to classify an error; their messages are
 * only for people. The same path serves lists and single records (Spec: Endpoints, Rules 1), so each form checks for the other.
 */
import type { ClientConfig } from "../ClientConfig.ts"
import type { Reason, ReasonOf } from "../ClientError.ts"
import type { Json } from "../Json.ts"
import { isObject, mayHoldLongIntegers, parse, stringify, typeName } from "../Json.ts"
import type { ServiceRequest, Collection } from "./serviceRequest.ts"
import type { TransportResponse } from "../Transport.ts"
import { codeOf, detailOf, TransportFault, replacementCharacter } from "../Transport.ts"
import type { Redact } from "./redaction.ts"
import * as redaction from "./redaction.ts"
import * as Cursor from "./cursor.ts"
import type { RejectedRecord } from "../Page.ts"
import type { Issue } from "./check.ts"
import type { Note } from "./schemaDrift.ts"

export type JsonObject = { readonly [member: string]: Json }

interface Failed {
  readonly _tag: "Failed"
  readonly reason: Reason
}

export type Checked<A> = { readonly _tag: "Value"; readonly value: A } | Failed

/**
 * Reads a body. `exact` returns the body again with integers beyond 2^53 exact, which costs a second parse; `text` is the text that it was
 * parsed from. `wellEncoded` is false for a list whose text has U+FFFD in place of unreadable bytes.
 */
export type Check<A> = (
  body: JsonObject,
  exact: () => JsonObject,
  text: string,
  wellEncoded: boolean,
) => Checked<A>

export type Reading =
  | {
      readonly _tag: "Body"
      readonly body: JsonObject
      /** The same body with every integer exact, for a caller that found a number that may be rounded. */
      readonly exact: () => JsonObject
      /** False when it holds U+FFFD in place of unreadable bytes; a list then rejects the records that hold one. */
      readonly wellEncoded: boolean
    }
  | Failed

const failed = (reason: Reason): Failed => ({ _tag: "Failed", reason })

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
    location:
      target === null ? null : printable(`${target.protocol}//${target.host}${target.pathname}`, 200, redact),
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

const bodyInvalid = (
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
  if (status === 202 || status === 206) return failed(bodyInvalid(response, "partial"))
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

export interface Settled<A> {
  readonly checked: Checked<A>
  readonly status: number | null
  readonly requestId: string | null
  readonly retryAfter: string | null
  readonly phase: string | null
  readonly serviceDate: string | null
}

const unanswered = { status: null, requestId: null, retryAfter: null, serviceDate: null }

/** A body that is nested deeper than the stack allows counts as unreadable. */
const checkedDeeply = <A>(
  { body, exact, wellEncoded }: Extract<Reading, { readonly _tag: "Body" }>,
  response: TransportResponse,
  check: Check<A>,
): Checked<A> => {
  try {
    return check(body, exact, response.text, wellEncoded)
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    return failed(bodyInvalid(response, "json"))
  }
}

const certificateCode = /^(?!.*_ALERT_).*CERT|^ERR_TLS|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)/
const protocolCode = /^ERR_SSL|^EPROTO$|^HPE_/

/** Makes the functions that read how an attempt ended. The answers of a client hold no key afterwards. */
export const makeReader = (config: ClientConfig, key: string) => {
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

  const timedOut = <A>(limitMillis: number): Settled<A> => {
    const which = limitMillis < config.attemptMillis ? "deadline" : "attempt"
    const afterMillis = which === "deadline" ? config.deadlineMillis : config.attemptMillis
    return { ...unanswered, checked: failed({ _tag: "TimedOut", which, afterMillis }), phase: which }
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

  /**
   * The attempt failed; `cause` is the transport's error. Where only the body failed, of an answer that is an error by its status, it is that error:
   * an empty body that is said to be gzip hides no 401, and a 429 that breaks off pauses the key.
   */
  const broken = <A>(cause: unknown, request: ServiceRequest, check: Check<A>): Settled<A> => {
    const fault = cause instanceof TransportFault ? cause : null
    const head = fault?.head ?? null
    if (head !== null && (head.status < 200 || head.status >= 300)) {
      return answered({ ...head, text: "" }, request, check)
    }
    return {
      ...unanswered,
      checked: failed(reasonOf(cause, fault)),
      status: head?.status ?? null,
      requestId: head === null ? null : requestIdOf(head.header, redact),
      phase: fault?.phase ?? "connect",
    }
  }

  return { answered, broken, timedOut, redact }
}

// The answers' envelopes: `{ ok, items, next_before_id }` of the list form and `{ ok, <record> }` of the retrieve form (Spec: Endpoints).

export interface Identified {
  readonly id: number
}

/** How the records of a collection are checked and compared. */
export interface Model<A extends Identified> {
  /** The fast check. */
  readonly is: (value: unknown) => value is A
  /** The explaining check, for a value that failed the fast one. */
  readonly issues: (value: unknown) => ReadonlyArray<Issue>
  /** Whether a valid record holds members of unknown type, which may hold integers beyond 2^53. */
  readonly hasOpenMembers: (record: A) => boolean
  /** Reports members and values that the specification does not name; `open`: some record of the page has such members. */
  readonly observe: (record: A, note: Note, open: boolean) => void
  /** When the record was created and last changed, as `Timestamp.sortKey` gives it; empty where the record does not say. */
  readonly createdAt: (record: A) => string
  readonly updatedAt: (record: A) => string
  /** A text that differs when the record has changed. */
  readonly version: (record: A) => string
}

/** A page whose records are checked, before it is verified. */
export interface RawPage<A extends Identified> {
  /** All records of the page, valid or not. */
  readonly items: ReadonlyArray<Json>
  readonly model: Model<A>
  /** Whether a record has members of unknown type. */
  readonly open: boolean
  readonly valid: ReadonlyArray<A>
  readonly rejected: ReadonlyArray<RejectedRecord>
  readonly next: Exclude<Cursor.Next, { readonly _tag: "Unusable" }>
  /** The body that the page was read from, and whether all of its bytes could be decoded. */
  readonly text: string
  readonly wellEncoded: boolean
}

const isRounded = (value: Json | undefined): boolean =>
  typeof value === "number" && !Number.isSafeInteger(value)

/** Reads the list form. A record that is not as specified does not fail its page. */
export const parsePage =
  <A extends Identified>(collection: Collection, model: Model<A>) =>
  (body: JsonObject, exact: () => JsonObject, text: string, wellEncoded = true): Checked<RawPage<A>> => {
    const next = body["next_before_id"]
    if (!wellEncoded && isMangled({ ...body, items: null })) {
      return failed(bodyInvalid({ status: 200, text }, "encoding"))
    }
    const page = split(body["items"], model, wellEncoded)
    const reread = isRounded(next) || (page !== null && page.open) ? exact() : body
    const exactPage = reread === body ? page : split(reread["items"], model, wellEncoded)
    return readPage(collection, model, reread, exactPage, text, wellEncoded)
  }

/** Whether a value holds U+FFFD, the mark of bytes that could not be decoded. */
const isMangled = (value: unknown): boolean => stringify(value).includes(replacementCharacter)

const notUtf8: Issue = { path: "", expected: "text in UTF-8", found: "text that is not UTF-8" }

interface Split<A> {
  readonly items: ReadonlyArray<Json>
  readonly valid: ReadonlyArray<A>
  readonly rejected: ReadonlyArray<RejectedRecord>
  readonly open: boolean
}

/** Separates valid records from rejected ones; a page of only valid records is not copied. */
const split = <A extends Identified>(
  items: Json | undefined,
  model: Model<A>,
  wellEncoded: boolean,
): Split<A> | null => {
  if (!Array.isArray(items)) return null
  let valid: Array<A> = items
  let rejected: Array<RejectedRecord> | null = null
  let open = false
  for (let at = 0; at < items.length; at++) {
    const item: unknown = items[at]
    const mangled = !wellEncoded && isMangled(item)
    if (!mangled && model.is(item)) {
      open ||= model.hasOpenMembers(item)
      if (rejected !== null) valid.push(item)
      continue
    }
    if (rejected === null) {
      rejected = []
      valid = items.slice(0, at)
    }
    open = true
    const issues = model.issues(item)
    rejected.push({ id: idOf(item), issues: mangled ? [notUtf8, ...issues] : issues, raw: item as Json })
  }
  return { items, valid, rejected: rejected ?? [], open }
}

const envelopeInvalid = (path: string, expected: string, found: string): Checked<never> =>
  failed({ _tag: "EnvelopeInvalid", issues: [{ path, expected, found }] })

const readPage = <A extends Identified>(
  collection: Collection,
  model: Model<A>,
  body: JsonObject,
  page: Split<A> | null,
  text: string,
  wellEncoded: boolean,
): Checked<RawPage<A>> => {
  if (page === null) {
    return isObject(body[collection.member])
      ? failed({ _tag: "ShapeMismatch", expected: "list" })
      : envelopeInvalid("items", "array", typeName(body["items"]))
  }
  const next = Cursor.read(body["next_before_id"])
  if (next._tag === "Unusable") {
    const found = typeName(body["next_before_id"])
    const isText = found === "string" || found === "integer"
    const described = isText ? `${found} that no URL can hold` : found
    return envelopeInvalid("next_before_id", "null, integer or string", described)
  }
  return { _tag: "Value", value: { ...page, model, next, text, wellEncoded } }
}

/** The id of a value that may be a record. */
export const idOf = (value: unknown): number | null =>
  isObject(value) && typeof value["id"] === "number" && Number.isSafeInteger(value["id"]) ? value["id"] : null

export const parseRecord =
  <A extends Identified>(collection: Collection, model: Model<A>, id: number) =>
  (_: JsonObject, exact: () => JsonObject): Checked<A> => {
    const body = exact()
    const record = body[collection.member]
    if (record === undefined && Array.isArray(body["items"])) {
      return failed({ _tag: "ShapeMismatch", expected: "retrieve" })
    }
    if (!model.is(record)) {
      return failed({ _tag: "RecordInvalid", id: idOf(record), issues: model.issues(record) })
    }
    return record.id === id
      ? { _tag: "Value", value: record }
      : failed({ _tag: "IdentityMismatch", asked: id, got: record.id })
  }

// Limits of what a body may hold besides its bytes: a small text can be parsed to values that take a hundred times its memory, or be a number
// that takes half a minute to read. No honest answer comes near them.

/** Shorter texts cannot become large, so the pages of an honest service are parsed without being looked at first. */
const shortest = 262_144
const mostLevels = 512
const mostDigits = 4_096
const mostMembers = 10_000
/** More are read only where each takes 12 characters on average; those of a short contract with a listing take 12.7. */
const mostValues = 250_000
/** What a value takes of the memory that a number takes: an object has members of its own, an array has items. */
const weights = { object: 3, array: 2 } as const
/** Most values beside sixteen digits in a row: integers are then read digit by digit, which takes several times the memory. */
const mostExactValues = 550_000

const [quote, comma, zero, nine, openArray, backslash, closeArray, u, openObject, closeObject] = [
  34, 44, 48, 57, 91, 92, 93, 117, 123, 125,
]

/**
 * Whether a JSON text is within the limits: 512 levels, numbers of 4,096 digits, 10,000 members an object, 250,000 values and escaped
 * characters, or more where they are as long as those of records, but no more than 550,000 beside an integer of 16 digits. An object counts as
 * three values and an array as two. It says nothing of a text that is not JSON.
 */
export const isWithinLimits = (text: string): boolean => {
  if (text.length < shortest || !/^\s*[[{]/.test(text)) return true
  const most = mayHoldLongIntegers(text) ? mostExactValues : Infinity
  const valuesAllowed = Math.max(mostValues, Math.min(most, text.length / 12))
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
      values += code === openObject ? weights.object : weights.array
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

/**
 * The answers' envelopes: `{ ok, items, next_before_id }` of the list form and `{ ok, <record> }` of the retrieve form
 * (Spec: Endpoints). The same path serves both (Spec: Endpoints, Rules 1), so each form checks for the other.
 */
import type { Reason } from "../ClientError.ts"
import * as Cursor from "./cursor.ts"
import type { Json } from "../Json.ts"
import { isObject, stringify, typeName } from "../Json.ts"
import type { RejectedRecord } from "../Page.ts"
import type { Collection } from "./serviceRequest.ts"
import type { JsonObject, Checked } from "./answer.ts"
import { bodyInvalid } from "./answer.ts"
import type { Issue } from "./check.ts"
import { replacementCharacter } from "../Transport.ts"
import type { Note } from "./schemaDrift.ts"

/** How the records of a collection are checked and compared. */
export interface Model<A extends { readonly id: number }> {
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
export interface RawPage<A extends { readonly id: number }> {
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

const failed = (reason: Reason): Checked<never> => ({ _tag: "Failed", reason })

const isRounded = (value: Json | undefined): boolean =>
  typeof value === "number" && !Number.isSafeInteger(value)

/** Reads the list form. A record that is not as specified does not fail its page. */
export const parsePage =
  <A extends { readonly id: number }>(collection: Collection, model: Model<A>) =>
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
const split = <A extends { readonly id: number }>(
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

const readPage = <A extends { readonly id: number }>(
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

/** Reads the retrieve form of the record with this id. */
export const parseRecord =
  <A extends { readonly id: number }>(collection: Collection, model: Model<A>, id: number) =>
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

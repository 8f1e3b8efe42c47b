/**
 * The records as the specification's tables define them, independently of any client, and their text. Serves Resources
 * and their fields. Supports JSON numbers that a double cannot hold, because `unit_id` and cursors can be such numbers.
 */

declare global {
  interface JSON {
    /** Text that `JSON.stringify` writes verbatim. */
    rawJSON(text: string): object
  }
}

/** A JSON number given by its digits, which are written verbatim. */
export class RawNumber {
  readonly digits: string
  constructor(digits: string) {
    this.digits = digits
  }
  toJSON(): object {
    return JSON.rawJSON(this.digits)
  }
}

/** Any JSON value. */
export type Json = null | boolean | number | string | RawNumber | ReadonlyArray<Json> | JsonObject

/** A JSON object. */
export type JsonObject = { readonly [name: string]: Json }

/** Spec: Contract, embedded listing summary. */
export type Listing = {
  readonly id: number
  readonly slug: string
  readonly title: string
  readonly city: string
  readonly area: string
}

/** Spec: Contract. `listing` is null or left out only where `listingWhenNone` says so. */
export type Contract = {
  readonly id: number
  readonly listing_id: number | null
  readonly kind: string
  readonly status: string
  readonly created_at: string
  readonly updated_at: string
  readonly unit_id: Json
  readonly unit_label: string
  readonly template_id: number
  readonly listing?: Listing | null
  /** Present only with the assumption `unknownMember`. */
  readonly internal_reference?: string
}

/** Spec: API key (metadata record). */
export type ApiKey = {
  readonly id: number
  readonly name: string
  readonly scopes: ReadonlyArray<string>
  readonly created_at: string
  readonly last_used_at: string | null
  readonly revoked_at: string | null
}

/** JSON text of a value; undefined members are left out, raw numbers keep their digits. */
export const encode = (value: Json): string => JSON.stringify(value)

const texts = new WeakMap<object, string>()

/** Like `encode`, but the text is cached for as long as the record lives; a changed record is another object. */
export const encodeOnce = (record: JsonObject): string => {
  let text = texts.get(record)
  if (text === undefined) {
    text = encode(record)
    texts.set(record, text)
  }
  return text
}

/** ISO 8601 in UTC with a trailing `Z` and the given number of digits of a second's fraction. */
export const timestamp = (ms: number, digits: 0 | 3 | 6): string => {
  const text = new Date(ms).toISOString()
  return digits === 3 ? text : digits === 0 ? `${text.slice(0, 19)}Z` : `${text.slice(0, 23)}000Z`
}

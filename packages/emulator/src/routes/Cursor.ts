/**
 * The text and the type of `next_before_id`, and how a query parameter is mapped to the record that it names.
 * Serves the gap of Endpoints 5: every kind here is an assumption, chosen by `cursorKind`.
 */
import type { Assumptions } from "../settings/Assumptions.ts"
import { RawNumber } from "../wire/Wire.ts"
import type { Json } from "../wire/Wire.ts"

type Kind = Assumptions["cursorKind"]

/** 2^53 + 1: the first whole number that a double cannot hold. Steps of two make every cursor such a number. */
const beyondDouble = 9_007_199_254_740_993n

/** The cursor that leads to the records after this one. */
export const encode = (id: number, kind: Kind): Json => {
  switch (kind) {
    case "integer":
      return id
    case "digits":
      return String(id)
    case "string":
      return `p+/${btoa(`record ${id}`)}&`
    case "bigint":
      return new RawNumber(String(beyondDouble + 2n * BigInt(id)))
    case "object":
      return { id }
  }
}

/** The id in a query parameter's text, or undefined when it is not a cursor of this kind, such as a rounded one. */
export const decode = (text: string, kind: Kind): number | undefined => {
  switch (kind) {
    case "integer":
    case "digits":
      return wholeNumber(text)
    case "string": {
      const inside = /^p\+\/([A-Za-z0-9+/=]+)&$/.exec(text)?.[1]
      return inside === undefined ? undefined : wholeNumber(decodeBase64(inside)?.replace(/^record /, ""))
    }
    case "bigint": {
      const distance = /^\d{16,20}$/.test(text) ? BigInt(text) - beyondDouble : -1n
      return distance >= 0n && distance % 2n === 0n ? Number(distance / 2n) : undefined
    }
    case "object":
      return wholeNumber(/^\{"id":(\d+)\}$/.exec(text)?.[1])
  }
}

/** A positive whole number that a double can hold, written in plain digits. */
export const wholeNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}$/.test(text) && Number(text) > 0 ? Number(text) : undefined

const decodeBase64 = (text: string): string | undefined => {
  try {
    return atob(text)
  } catch {
    return undefined
  }
}

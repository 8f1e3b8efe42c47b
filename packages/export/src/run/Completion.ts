/**
 * The records of a page after more was requested for each of them, such as their data payload: as a value, and as the text that a journal saves.
 * Knows neither the requests nor the meaning of their answers.
 */
import type { RejectedRecord } from "@deedkit/core"
import { Json } from "@deedkit/core"

export interface Completion<A> {
  /** In the page's order. A record for which no more is available is unchanged from the page. */
  readonly records: ReadonlyArray<A>
  /** Records of the page for which the service's answer is not as specified. */
  readonly rejected: ReadonlyArray<RejectedRecord>
  /** How many of `records` the service no longer knew when more was requested. */
  readonly withoutData: number
}

/** The completion of a page for which nothing more was requested. */
export const asItCame = <A>(records: ReadonlyArray<A>): Completion<A> => ({
  records,
  rejected: [],
  withoutData: 0,
})

export const toText = <A>(completion: Completion<A>): string => Json.stringify(completion)

/** Reads back what `toText` was given; null for any other text. */
export const fromText = <A>(text: string): Completion<A> | null => {
  try {
    const value = Json.parse(text)
    const isWhole =
      Json.isObject(value) &&
      Array.isArray(value["records"]) &&
      Array.isArray(value["rejected"]) &&
      typeof value["withoutData"] === "number"
    return isWhole ? (value as unknown as Completion<A>) : null
  } catch {
    return null
  }
}

/**
 * The records of a page after more was asked for about each of them, such as their data payload, as a value and as the text by which a run
 * remembers it. Who asks, and what an answer means, is for others.
 */
import type { RejectedRecord } from "@deedkit/core"
import { Json } from "@deedkit/core"

export interface Completion<A> {
  /** In the page's order. A record of which no more could be had is as the page had it. */
  readonly records: ReadonlyArray<A>
  /** Records of the page about which the service's answer is not as specified: they are set aside. */
  readonly rejected: ReadonlyArray<RejectedRecord>
  /** How many of `records` the service did not know any more when it was asked about them. */
  readonly withoutData: number
}

/** Of a page about which nothing more was asked. */
export const asItCame = <A>(records: ReadonlyArray<A>): Completion<A> => ({
  records,
  rejected: [],
  withoutData: 0,
})

export const toText = <A>(completion: Completion<A>): string => Json.stringify(completion)

/** What `toText` was given; null for any other text. */
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

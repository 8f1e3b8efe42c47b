/**
 * The findings of a checkup as facts: the request and the answer. Each surface has its own words for them. No finding holds a key, a body or a
 * value of a record.
 */
import type { ClientError } from "../ClientError.ts"
import type { Issue } from "../internal/check.ts"
import type { CollectionName } from "../internal/serviceRequest.ts"
import type { IdOrder, ReadSummary } from "../Page.ts"
import type { Endpoint, Trial } from "./Trial.ts"

/** The facts of each kind of finding, by its tag. */
export interface Facts {
  /** What answers at the address, and the result of each endpoint that was tried. */
  readonly Address: { readonly base: string; readonly trials: ReadonlyArray<Trial> }
  /** The encryption. Not encrypted: the address is on this machine. The error is about the connection. */
  readonly Tls: { readonly isEncrypted: boolean }
  /** How far the server's clock is ahead, in milliseconds: the least that its answers allow. Null: it sends no `Date`. */
  readonly Clock: { readonly aheadMillis: number | null }
  /** Whether the key can read anything. */
  readonly Key: {}
  /** Whether the key can read an endpoint. `scope` is the one that it needs, null where that is not specified. */
  readonly Scope: { readonly endpoint: Endpoint; readonly scope: string | null }
  /** One page, requested with this limit, null for none. `size` is null if the limit was refused. `isLast`: no page follows. */
  readonly PageSize: {
    readonly collection: CollectionName | null
    readonly limit: number | null
    readonly size: number | null
    readonly isLast: boolean
  }
  /**
   * The query parameter that takes the cursor. `assumed` was tried first; `found` is what a read or a search then found, null for nothing.
   * `isCutShort`: not every name was tried, because no request was left.
   */
  readonly CursorParameter: {
    readonly assumed: string
    readonly found: Found | null
    readonly isCutShort: boolean
  }
  /** The type of `next_before_id`; null if no cursor came. */
  readonly CursorType: { readonly type: "integer" | "long-integer" | "digits" | "text" | null }
  /** The order of ids on the pages of the checkup. */
  readonly Order: { readonly order: IdOrder }
  /** The end of the list that was read to its end; null for none. `oddity`: an end other than null, described in a sentence. */
  readonly End: { readonly read: ReadSummary | null; readonly oddity: string | null }
  /** How many records came, and how many of them were rejected. `issue` is the first issue. */
  readonly Conformity: { readonly records: number; readonly rejected: number; readonly issue: Issue | null }
  /** One record by an id that a list has just named. */
  readonly ById: {}
  /** One record by an id that should not exist. No error: a record came. */
  readonly UnknownId: {}
  /** Status and shape of the bodies of errors, each once: `404 {error: string}`. */
  readonly ErrorBodies: { readonly shapes: ReadonlyArray<string> }
  /** The header with the ids of answers, null for none of `tried`, and how many of the answers had it. */
  readonly RequestId: {
    readonly header: string | null
    readonly tried: ReadonlyArray<string>
    readonly having: number
    readonly answers: number
  }
  /** How often 429 came, and whether `Retry-After` came with it. */
  readonly RateLimited: { readonly times: number; readonly hasRetryAfter: boolean }
  /** The headers about the rate limit, with their newest values; empty for none. */
  readonly RateLimitHeaders: { readonly values: { readonly [name: string]: string } }
}

/** The result of the search for the cursor's parameter: one that works, too few records to tell, or none that works. */
export type Found =
  | { readonly _tag: "Verified"; readonly parameter: string; readonly evidence: string | null }
  | { readonly _tag: "CannotTell" | "NoneWorks" }

/** One finding. `error`: why it failed, or why it is unknown; null if nothing failed. */
export type Finding<Tag extends keyof Facts = keyof Facts> = {
  [Each in Tag]: Facts[Each] & { readonly _tag: Each; readonly error: ClientError | null }
}[Tag]

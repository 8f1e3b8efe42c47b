/**
 * The reading operations that contracts and API keys have in common: read, page by page, one by id, many by id.
 */
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { Checkpoint } from "../pagination/Checkpoint.ts"
import type { ClientError } from "../error/ClientError.ts"
import type { Lookup, LookupOptions } from "./Lookup.ts"
import type { Page } from "../pagination/Page.ts"
import type { CursorFinding } from "../pagination/reading/Probe.ts"
import type { Recording } from "../pagination/Recording.ts"

export interface ListOptions {
  /** Records a page. Default: none is sent, and the service decides (Spec: Limits 2). */
  readonly limit?: number | undefined
  /** `fail` (default) ends the read at the first record that is not as specified; `collect` sets it aside on its page. */
  readonly onRejected?: "fail" | "collect" | undefined
  /** Goes on after the page that this checkpoint came with. */
  readonly from?: Checkpoint | undefined
  /** Puts the answer of each page on it as `recorded`. Default false. */
  readonly record?: boolean | undefined
  /** Goes through these pages first, without asking for them, and on from there. Give the options of the read that was recorded. */
  readonly recording?: Recording | undefined
  /** Query parameter that takes the cursor; default: the client's. */
  readonly cursorParam?: "auto" | (string & {}) | undefined
  /** Pages that are read while the consumer works. Default 1. */
  readonly readAhead?: 0 | 1 | undefined
  /** A read with more pages fails; what was read until then can be resumed. Default: no limit. */
  readonly maxPages?: number | undefined
  /**
   * Shows that nothing is missing, though the list may change while it is read: about 5 % more requests where the cursor's meaning can be
   * seen, a second reading where it cannot. `summary.completeness` of the last page says what was shown. Default false.
   */
  readonly prove?: boolean | undefined
  /** Says that the cursor's parameter is known to work, so that the second page is not judged. Default: the client's. */
  readonly cursorVerified?: boolean | undefined
}

export interface CollectOptions extends ListOptions {
  /** Collect at most so many records, or all of them: how much memory that takes is for the caller to say. */
  readonly max: number | "all"
}

export interface GetContractOptions {
  /** Adds the data payload (Spec: Endpoints, row 4). Its members are not named; read them with `Contract.extra`. */
  readonly includeData?: boolean | undefined
}

/** The reading operations of one collection. */
export interface Records<A, GetOptions> {
  /** All records, each id once. Ends only where the server says that there is no further page. */
  readonly list: (options?: ListOptions) => Stream.Stream<A, ClientError>
  /** The same page by page, with what was set aside, a checkpoint and the summary so far. */
  readonly pages: (options?: ListOptions) => Stream.Stream<Page<A>, ClientError>
  /** All records, or the first `max`, as an array. */
  readonly collect: (options: CollectOptions) => Effect.Effect<ReadonlyArray<A>, ClientError>
  /** One record by id. Fails with `NotFound` when there is none. Asked for many times at once, it is one request. */
  readonly get: (id: number, options?: GetOptions) => Effect.Effect<A, ClientError>
  /** Many records by id, in the order asked. An unknown id is an answer. */
  readonly getMany: (
    ids: ReadonlyArray<number>,
    options?: GetOptions & LookupOptions,
  ) => Effect.Effect<ReadonlyArray<Lookup<A>>, ClientError>
  /** Finds out the name of the cursor's parameter with at most eight small requests. */
  readonly probeCursor: Effect.Effect<CursorFinding, ClientError>
}

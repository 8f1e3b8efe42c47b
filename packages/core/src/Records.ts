/**
 * The operations that contracts and API keys have in common: list, pages, one by id, many by id.
 */
import type * as Stream from "effect/Stream"
import type { CallOptions } from "./ClientConfig.ts"
import type { Checkpoint, Page } from "./Page.ts"
import type { ClientError } from "./ClientError.ts"
import type { CursorFinding } from "./internal/probe.ts"
import * as Effect from "effect/Effect"
import type { Json } from "./Json.ts"

/** The options of a read. An unknown option fails with `ConfigInvalid`, here as in every other operation. */
export interface ListOptions extends CallOptions {
  /** Records per page. Default: no limit is sent, and the service decides (Spec: Limits 2). */
  readonly limit?: number | undefined
  /** `fail` (default) ends the read at the first record that is not as specified; `collect` adds it to the `rejected` of its page. */
  readonly onRejected?: "fail" | "collect" | undefined
  /** Resumes after the page that this checkpoint came with. A checkpoint of another origin, key or collection fails with `CheckpointRefused`. */
  readonly from?: Checkpoint | undefined
  /**
   * The ids of all records that were returned before `from`: none of them is returned again, and a second reading can confirm the whole list.
   * Default: only the last ids are known, from the checkpoint. Only together with `from`.
   */
  readonly known?: Iterable<number> | undefined
  /** Adds to each page its answer, as `recorded`. Default false. */
  readonly record?: boolean | undefined
  /** Query parameter that takes the cursor; default: the client's. */
  readonly cursorParam?: "auto" | (string & {}) | undefined
  /** Pages that are requested while the consumer works. Default 1. */
  readonly readAhead?: 0 | 1 | undefined
  /** The most pages. A read with more fails with `PaginationStalled`; it can be resumed from its last checkpoint. Default: no limit. */
  readonly maxPages?: number | undefined
  /**
   * Checks whether anything is missing, although the list may change while it is read. It takes one or two requests more for a list in the order
   * of ids, about 5 % more where cursors are positions, and further readings for any other list, at most four in all. The result is
   * `summary.completeness` of the last page. Default false.
   */
  readonly prove?: boolean | undefined
}

/** The options of a read into an array. */
export interface CollectOptions extends ListOptions {
  /** The most records to collect, or `all`. Required, because all of them are held in memory. */
  readonly max: number | "all"
}

export interface GetContractOptions extends CallOptions {
  /** Adds the data payload (Spec: Endpoints, row 4). The specification does not name its members; read them with `Contract.extra`. */
  readonly includeData?: boolean | undefined
}

export interface Records<A, GetOptions> {
  /** All records, each id once. Ends only when the server says that there is no further page. */
  readonly list: (options?: ListOptions) => Stream.Stream<A, ClientError>
  /** The same page by page, with rejected records, a checkpoint and the summary so far. */
  readonly pages: (options?: ListOptions) => Stream.Stream<Page<A>, ClientError>
  /** All records, or the first `max`, as an array. */
  readonly collect: (options: CollectOptions) => Effect.Effect<ReadonlyArray<A>, ClientError>
  /**
   * One record by id. Fails with `NotFound` when there is none. Identical calls at the same time share one request; a call with its own time
   * limits, retries or priority has its own request.
   */
  readonly get: (id: number, options?: GetOptions) => Effect.Effect<A, ClientError>
  /** Many records by id, in the order of the ids. An unknown id is a result. Fails with the first other error. */
  readonly getMany: (
    ids: ReadonlyArray<number>,
    options?: GetOptions & LookupOptions,
  ) => Effect.Effect<ReadonlyArray<Lookup<A>>, ClientError>
  /** Probes for the cursor's parameter with a few small requests. */
  readonly probeCursor: Effect.Effect<CursorFinding, ClientError>
}

/** The result for one id: its record, or `Unknown` when the service answers 404 or 410. */
export type Lookup<A> =
  | { readonly _tag: "Found"; readonly id: number; readonly record: A }
  | { readonly _tag: "Unknown"; readonly id: number }

type Get<A> = (id: number) => Effect.Effect<A, ClientError>

export interface LookupOptions {
  /** Requests in progress at once; the rate limiter of the key applies too. Default 4. */
  readonly concurrency?: number | undefined
}

/** Looks up each id with `get`. Fails with the first error that is not `NotFound`. @internal */
export const lookUpMany = <A>(
  ids: ReadonlyArray<number>,
  get: Get<A>,
  options: LookupOptions = {},
): Effect.Effect<ReadonlyArray<Lookup<A>>, ClientError> =>
  Effect.map(
    Effect.forEach([...new Set(ids)], (id) => one(id, get), { concurrency: options.concurrency ?? 4 }),
    (lookups) => {
      const byId = new Map(lookups.map((lookup) => [lookup.id, lookup]))
      return ids.map((id) => byId.get(id)!)
    },
  )

const one = <A>(id: number, get: Get<A>): Effect.Effect<Lookup<A>, ClientError> =>
  Effect.matchEffect(get(id), {
    onSuccess: (record): Effect.Effect<Lookup<A>> => Effect.succeed({ _tag: "Found", id, record }),
    onFailure: (error): Effect.Effect<Lookup<A>, ClientError> =>
      error.reason._tag === "NotFound" ? Effect.succeed({ _tag: "Unknown", id }) : Effect.fail(error),
  })

/** The account of the key as the service describes it; only `ok: true` is certain. */
export interface Me {
  readonly ok: true
  readonly [member: string]: Json
}

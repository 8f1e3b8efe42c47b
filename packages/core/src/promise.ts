/**
 * The client for programs without Effect: promises, async iterables, abort signals. It is the same client as that of the Effect entry. With an
 * aborted signal nothing is sent; a signal that aborts later ends waits and requests at once, and the operation rejects with the signal's
 * reason. Every other rejection is a `ClientError`.
 */
import * as Effect from "effect/Effect"
import type { JsonObject } from "./internal/answer.ts"
import type { ApiKey } from "./ApiKey.ts"
import type { CallOptions, ClientOptions } from "./ClientConfig.ts"
import * as ClientConfig from "./ClientConfig.ts"
import { ClientError, configInvalid } from "./ClientError.ts"
import type { Listener } from "./ClientEvent.ts"
import type { Contract } from "./Contract.ts"
import type { Lookup, LookupOptions, GetContractOptions, Me } from "./Records.ts"
import type { Page } from "./Page.ts"
import type * as Records from "./Records.ts"
import type { Operations, PulledRecords } from "./internal/operations.ts"
import { make } from "./internal/operations.ts"
import { onAbort, started } from "./internal/pageIterator.ts"
import * as PageIterator from "./internal/pageIterator.ts"
import type { RequestOptions } from "./internal/request.ts"
import type { Fetch, Send } from "./Transport.ts"
import { Transport, viaFetch } from "./Transport.ts"

export type { JsonObject } from "./internal/answer.ts"
export { isApiKey, isRevoked, knownScopes } from "./ApiKey.ts"
export type { ApiKey, Scope } from "./ApiKey.ts"
export type {
  Anomaly,
  Checkpoint,
  Completeness,
  CompletenessReason,
  CompletenessState,
  CursorMeaning,
  IdOrder,
  OrderedBy,
  Page,
  ReadSummary,
  RejectedRecord,
  Resumption,
} from "./Page.ts"
export type { CallOptions, ClientOptions, Retry, TimeLimits } from "./ClientConfig.ts"
export { actionOf, ClientError, match } from "./ClientError.ts"
export type { Priority, RateLimits } from "./RateLimiter.ts"
export type * from "./ClientError.ts"
export type { ClientEvent, Listener } from "./ClientEvent.ts"
export { line as eventLine } from "./ClientEvent.ts"
export { extra, isContract, knownKinds, knownStatuses } from "./Contract.ts"
export type { Contract, Kind, Listing, Status } from "./Contract.ts"
/** Converts JSON text to values and back, with every integer exact. */
export * as Json from "./Json.ts"
export type { Json as JsonValue } from "./Json.ts"
/** Findings about API keys: unused, old, too many scopes, used after revocation. Pure. */
export * as KeyAudit from "./KeyAudit.ts"
export type { GetContractOptions, Lookup, LookupOptions, Me } from "./Records.ts"
export type { RequestOptions } from "./internal/request.ts"
export { unreadSummary } from "./Page.ts"
/** When a failed attempt is retried: the presets `interactive` and `patient`, and the decision. Pure. */
export * as RetryPolicy from "./RetryPolicy.ts"
/** ISO 8601 timestamps of records: check, conversion to `Date`, and a text that sorts. */
export * as Timestamp from "./Timestamp.ts"
export { TransportFault, viaFetch } from "./Transport.ts"
export type { Cancellation, Fetch, Send, TransportRequest, TransportResponse } from "./Transport.ts"

/** The option that every operation takes. */
export interface Abortable {
  /** Ends waits and requests; the operation rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

export interface ListOptions extends Records.ListOptions, Abortable {}

/** The options of a read into an array. */
export interface CollectOptions extends Records.CollectOptions, Abortable {}

/** The options of `createClient`. Only `baseUrl` and `apiKey` are required. */
export interface CreateClientOptions extends ClientOptions {
  /** Sends the requests. Default: `fetch`. `@deedkit/core/node` has a faster one for Node. */
  readonly transport?: Send | undefined
  /** Used instead of the global `fetch`. Ignored with `transport`. */
  readonly fetch?: Fetch | undefined
}

export interface Collection<A, GetOptions> {
  /**
   * All records, each id once. Each loop over it reads the list from its beginning. Leaving a loop early cancels the request or wait in
   * progress.
   */
  readonly list: (options?: ListOptions) => AsyncIterable<A>
  /** The same page by page, with rejected records, a checkpoint and the summary so far. */
  readonly pages: (options?: ListOptions) => AsyncIterable<Page<A>>
  /** All records, or the first `max`, as an array. */
  readonly collect: (options: CollectOptions) => Promise<ReadonlyArray<A>>
  /** One record by id. Rejects with `NotFound` when there is none. */
  readonly get: (id: number, options?: GetOptions & Abortable) => Promise<A>
  /** Many records by id, in the order of the ids. An unknown id is a result. Rejects with the first other error. */
  readonly getMany: (
    ids: ReadonlyArray<number>,
    options?: GetOptions & LookupOptions & Abortable,
  ) => Promise<ReadonlyArray<Lookup<A>>>
}

/** The client. `await using` closes it. */
export interface Client extends AsyncDisposable {
  readonly contracts: Collection<Contract, GetContractOptions>
  readonly apiKeys: Collection<ApiKey, CallOptions>
  /** The account of the key: JSON of unknown shape (Spec: Endpoints 7). */
  readonly me: (options?: CallOptions & Abortable) => Promise<Me>
  /**
   * Any GET request to the service, by its path below the base URL, like `/v1/listings/`: with the key, rate limiter, retries and errors of
   * the client. Returns the whole answer. Rejects with `ConfigInvalid`, before anything is sent, when path or query cannot work, and with
   * `RecordInvalid` when the Schema does not decode the answer.
   */
  readonly request: <A = JsonObject>(path: string, options?: RequestOptions<A> & Abortable) => Promise<A>
  /** Calls the listener with every event from now on; the returned function removes it. A listener that throws affects no call; see `Listener`. */
  readonly listen: (listener: Listener) => () => void
  /** Cancels everything in progress; later operations reject with an `AbortError`. */
  readonly close: () => Promise<void>
}

type Operation<A> = (client: Operations) => Effect.Effect<A, ClientError>

/** Makes a client. Throws a `ClientError` (`ConfigInvalid`) when an option cannot work; nothing is sent before the first operation. */
export const createClient = (options: CreateClientOptions): Client => {
  const checked = ClientConfig.read(options, ["transport", "fetch"])
  if (checked instanceof ClientError) throw checked
  const send = options.transport ?? viaFetch(options.fetch)
  const closed = new AbortController()
  let made: Promise<Operations> | null = null
  let client: Operations | null = null
  /** Callbacks that run once the client is made, because listeners can be added before. */
  const whenMade = new Set<(client: Operations) => void>()
  const service = (): Promise<Operations> => {
    made ??= new Promise<Operations>((resolve, reject) => {
      const operations = make(checked, () => consoleWarning, null).pipe(
        Effect.provideService(Transport, send),
      )
      started(operations, resolve, reject)
    }).then((service) => {
      client = service
      for (const begin of whenMade) begin(service)
      whenMade.clear()
      return service
    })
    return made
  }
  const listen = (listener: Listener): (() => void) => {
    if (client !== null) return client.listen(listener)
    let end = (): void => void whenMade.delete(begin)
    const begin = (service: Operations): void => {
      end = service.listen(listener)
    }
    whenMade.add(begin)
    return () => end()
  }
  const signals = (signal: AbortSignal | undefined): ReadonlyArray<AbortSignal> => {
    if (signal === undefined) return [closed.signal]
    if (typeof signal?.addEventListener === "function") return [signal, closed.signal]
    throw configInvalid("signal", "must be an AbortSignal")
  }
  const run = <A>(operation: Operation<A>, signal: AbortSignal | undefined): Promise<A> =>
    new Promise((resolve, reject) => {
      let isAborted = false
      let interrupt = (): void => {}
      const forget = onAbort(signals(signal), (reason) => {
        isAborted = true
        reject(reason)
        interrupt()
      })
      if (isAborted) return
      const fiber = started(Effect.flatMap(Effect.promise(service), operation), resolve, reject)
      interrupt = () => fiber.interruptUnsafe()
      fiber.addObserver(forget)
    })
  const collection = <A, GetOptions>(
    of: (client: Operations) => PulledRecords<A, GetOptions>,
  ): Collection<A, GetOptions> => {
    const iterable = <B>(
      list: ListOptions | undefined,
      give: (page: Page<A>) => ReadonlyArray<B>,
    ): AsyncIterable<B> => {
      const open = Effect.flatMap(Effect.promise(service), (client) =>
        of(client).open(list && withoutSignal(list)),
      )
      return { [Symbol.asyncIterator]: () => PageIterator.make(open, give, signals(list?.signal)) }
    }
    return {
      list: (list) => iterable(list, (page) => page.records),
      pages: (list) => iterable(list, (page) => [page]),
      collect: (collect) => run((client) => of(client).collect(withoutSignal(collect)), collect?.signal),
      get: (id, get) => run((client) => of(client).get(id, withoutSignal(get)), get?.signal),
      getMany: (ids, many) => run((client) => of(client).getMany(ids, withoutSignal(many)), many?.signal),
    }
  }
  const close = async (): Promise<void> =>
    closed.abort(new DOMException("The client is closed.", "AbortError"))
  return {
    contracts: collection((client) => client.contracts),
    apiKeys: collection((client) => client.apiKeys),
    me: (me) => run((client) => client.me(withoutSignal(me)), me?.signal),
    request: (path, request) =>
      run((client) => client.request(path, withoutSignal(request)), request?.signal),
    listen,
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Reports a listener's error on standard error, or on the browser's console. Effect's loggers would make up most of a small bundle. */
const consoleWarning = (error: unknown, what: string): void =>
  console.error(`A listener failed on ${what}. The call is not affected.`, error)

/** The options without the signal, which the Effect client does not take. */
const withoutSignal = <Options extends Abortable | undefined>(options: Options): Options =>
  options && (Object.fromEntries(Object.entries(options).filter(([name]) => name !== "signal")) as Options)

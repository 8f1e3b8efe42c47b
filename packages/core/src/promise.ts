/**
 * The client for programs without Effect: promises, async iterables, abort signals.
 *
 * The same client as that of the Effect entry. With an aborted signal nothing is sent; a signal that aborts later ends waits and requests at
 * once, and the operation rejects with the signal's reason. Every other rejection is a `ClientError`.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Stream from "effect/Stream"
import type { ApiKey } from "./model/ApiKey.ts"
import type { CallOptions } from "./call/ClientOptions.ts"
import type { ClientOptions } from "./call/ClientConfig.ts"
import * as ClientConfig from "./call/ClientConfig.ts"
import type { ClientError } from "./error/ClientError.ts"
import type { Listener } from "./events/ClientEvent.ts"
import type { Contract } from "./model/Contract.ts"
import type { Lookup, LookupOptions } from "./client/Lookup.ts"
import type { Me } from "./model/Me.ts"
import type { Page } from "./pagination/Page.ts"
import type {
  CollectOptions,
  GetContractOptions,
  ListOptions,
  Records,
  Service,
} from "./client/PropertyClient.ts"
import { onAbort } from "./transport/abort.ts"
import * as StreamIterator from "./client/StreamIterator.ts"
import { make } from "./client/PropertyClient.ts"
import type { Fetch, Send } from "./transport/Transport.ts"
import { Transport, viaFetch } from "./transport/Transport.ts"

export type { ApiKey, Scope } from "./model/ApiKey.ts"
export type { Checkpoint } from "./pagination/Checkpoint.ts"
export type { CallOptions, Retry, TimeLimits } from "./call/ClientOptions.ts"
export type { ClientOptions } from "./call/ClientConfig.ts"
export { actionOf, ClientError, match } from "./error/ClientError.ts"
export type { Action, Reason } from "./error/ClientError.ts"
export { withHooks } from "./client/Hooks.ts"
export type { Hooks, SeenRequest, SeenResponse } from "./client/Hooks.ts"
export type { ClientEvent } from "./events/ClientEvent.ts"
export { line as eventLine } from "./events/EventLog.ts"
export { extra } from "./model/Contract.ts"
export type { Contract, Kind, Listing, Status } from "./model/Contract.ts"
export type { Lookup } from "./client/Lookup.ts"
export type { Me } from "./model/Me.ts"
export type { RejectedRecord, Page } from "./pagination/Page.ts"
export type { ReadSummary } from "./pagination/ReadSummary.ts"
export { viaFetch } from "./transport/Transport.ts"
export type { Fetch, Send } from "./transport/Transport.ts"

/** The option of every operation. */
export interface Abortable {
  /** Ends waits and requests; the operation rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** The options of `createClient`. Only `baseUrl` and `apiKey` are required. */
export interface CreateClientOptions extends ClientOptions {
  /** Sends the requests. Default: `fetch`. `@deedkit/core/node` has a faster one for Node. */
  readonly transport?: Send | undefined
  /** Used instead of the global `fetch`. Ignored with `transport`. */
  readonly fetch?: Fetch | undefined
}

/** The reading operations of one collection. */
export interface Collection<A, GetOptions> {
  /**
   * All records, each id once. Each loop over it reads the list from its beginning. Leaving a loop early cancels the request or wait in
   * progress.
   */
  readonly list: (options?: ListOptions & Abortable) => AsyncIterable<A>
  /** The same page by page, with rejected records, a checkpoint and the summary so far. */
  readonly pages: (options?: ListOptions & Abortable) => AsyncIterable<Page<A>>
  /** All records, or the first `max`, as an array. */
  readonly collect: (options: CollectOptions & Abortable) => Promise<ReadonlyArray<A>>
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
  /** Calls the listener with every event from now on; the returned function removes it. A listener that throws affects no call; see `Listener`. */
  readonly listen: (listener: Listener) => () => void
  /** Cancels everything in progress; later operations reject with an `AbortError`. */
  readonly close: () => Promise<void>
}

/** Makes a client. Throws a `ClientError` (`ConfigInvalid`) when an option cannot work; nothing is sent before the first operation. */
export const createClient = (options: CreateClientOptions): Client => {
  Effect.runSync(ClientConfig.make(options, ["transport", "fetch"]))
  const { fetch, transport, ...settings } = options
  const send = transport ?? viaFetch(fetch)
  const closed = new AbortController()
  let made: Promise<Service> | null = null
  let client: Service | null = null
  /** Runs once the client is made: listeners may be added before. */
  const whenMade = new Set<(client: Service) => void>()
  const service = (): Promise<Service> => {
    made ??= Effect.runPromise(Effect.provideService(make(settings), Transport, send)).then((service) => {
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
    const begin = (service: Service): void => {
      end = service.listen(listener)
    }
    whenMade.add(begin)
    return () => end()
  }
  const signals = (signal: AbortSignal | undefined): ReadonlyArray<AbortSignal> =>
    signal === undefined ? [closed.signal] : [signal, closed.signal]
  const run = <A>(
    operation: (client: Service) => Effect.Effect<A, ClientError>,
    signal: AbortSignal | undefined,
  ): Promise<A> =>
    new Promise((resolve, reject) => {
      let isAborted = false
      let interrupt = (): void => {}
      const forget = onAbort(signals(signal), (reason) => {
        isAborted = true
        reject(reason)
        interrupt()
      })
      if (isAborted) return
      const fiber = Effect.runFork(Effect.flatMap(Effect.promise(service), operation))
      interrupt = () => fiber.interruptUnsafe()
      fiber.addObserver((exit) => {
        forget()
        if (Exit.isSuccess(exit)) resolve(exit.value)
        else reject(Cause.squash(exit.cause))
      })
    })
  const iterable = <A>(
    operation: (client: Service) => Stream.Stream<A, ClientError>,
    signal: AbortSignal | undefined,
  ): AsyncIterable<A> => {
    const stream = Stream.unwrap(Effect.map(Effect.promise(service), operation))
    return { [Symbol.asyncIterator]: () => StreamIterator.make(stream, signals(signal)) }
  }
  const collection = <A, GetOptions>(
    of: (client: Service) => Records<A, GetOptions>,
  ): Collection<A, GetOptions> => ({
    list: (list) => iterable((client) => of(client).list(withoutSignal(list)), list?.signal),
    pages: (list) => iterable((client) => of(client).pages(withoutSignal(list)), list?.signal),
    collect: (collect) => run((client) => of(client).collect(withoutSignal(collect)), collect.signal),
    get: (id, get) => run((client) => of(client).get(id, withoutSignal(get)), get?.signal),
    getMany: (ids, many) => run((client) => of(client).getMany(ids, withoutSignal(many)), many?.signal),
  })
  const close = async (): Promise<void> =>
    closed.abort(new DOMException("The client is closed.", "AbortError"))
  return {
    contracts: collection((client) => client.contracts),
    apiKeys: collection((client) => client.apiKeys),
    me: (me) => run((client) => client.me(withoutSignal(me)), me?.signal),
    listen,
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** The options of the Effect client, which knows no signal. */
const withoutSignal = <Options extends Abortable | undefined>(options: Options): Options =>
  options && (Object.fromEntries(Object.entries(options).filter(([name]) => name !== "signal")) as Options)

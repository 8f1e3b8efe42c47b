/**
 * The service: contracts, API-key metadata and the caller, over a verified connection.
 *
 * `make` checks the options, `layer` provides the client, `layerConfig` reads base URL and key from Effect's configuration. All
 * operations fail with one `ClientError`.
 */
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as ApiKey from "./ApiKey.ts"
import type { Checkpoint } from "./Checkpoint.ts"
import * as ClientConfig from "./ClientConfig.ts"
import { ClientError, configInvalid } from "./ClientError.ts"
import type { ClientEvent, Listener } from "./ClientEvent.ts"
import * as Contract from "./Contract.ts"
import * as Caller from "./internal/Caller.ts"
import * as drift from "./internal/drift.ts"
import type { Model } from "./internal/envelope.ts"
import { readRecord } from "./internal/envelope.ts"
import { fingerprint } from "./internal/fingerprint.ts"
import { gateOf } from "./internal/gates.ts"
import * as SingleFlight from "./internal/SingleFlight.ts"
import * as LookUp from "./LookUp.ts"
import type { LookUpOptions } from "./LookUp.ts"
import type { Me } from "./Me.ts"
import type { Page } from "./Page.ts"
import * as Pagination from "./Pagination.ts"
import * as Probe from "./Probe.ts"
import type { CursorFinding } from "./Probe.ts"
import * as ServiceRequest from "./ServiceRequest.ts"
import { Transport } from "./Transport.ts"

export interface ListOptions {
  /** Records a page. Default: none is sent, and the service decides (Spec: Limits 2). */
  readonly limit?: number | undefined
  /** `fail` (default) ends the walk at the first record that is not as specified; `collect` sets it aside on its page. */
  readonly onInvalid?: "fail" | "collect" | undefined
  /** Goes on after the page that this checkpoint came with. */
  readonly from?: Checkpoint | undefined
  /** Query parameter that takes the cursor; default: the client's. */
  readonly cursorParam?: string | undefined
  /** Pages that are read while the consumer works. Default 1. */
  readonly readAhead?: 0 | 1 | undefined
  /** A walk with more pages fails. Default 10,000. */
  readonly maxPages?: number | undefined
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
    options?: GetOptions & LookUpOptions,
  ) => Effect.Effect<ReadonlyArray<LookUp.LookUp<A>>, ClientError>
  /** Finds out the name of the cursor's parameter with at most eight small requests. */
  readonly probeCursor: Effect.Effect<CursorFinding, ClientError>
}

export interface Service {
  readonly contracts: Records<Contract.Contract, GetContractOptions>
  readonly apiKeys: Records<ApiKey.ApiKey, {}>
  /** Who the key belongs to: JSON of unknown shape (Spec: Endpoints 7). */
  readonly me: Effect.Effect<Me, ClientError>
  /** What happens from now on, for as long as the stream runs. */
  readonly events: Stream.Stream<ClientEvent>
  /** Calls the listener with every event; the returned function ends that. */
  readonly listen: (listener: Listener) => () => void
  readonly config: ClientConfig.ClientConfig
}

export class PropertyClient extends Context.Service<PropertyClient, Service>()(
  "@deedkit/core/PropertyClient",
) {}

/** Makes a client. Fails with `ConfigInvalid` before anything is sent. */
export const make = (options: ClientConfig.ClientOptions): Effect.Effect<Service, ClientError> =>
  Effect.gen(function* () {
    const config = yield* ClientConfig.make(options)
    const send = yield* Transport
    const keyFingerprint = yield* Effect.promise(() =>
      fingerprint(config.origin, Redacted.value(config.apiKey)),
    )
    const listeners = new Set<Listener>()
    const clock = yield* Effect.clockWith(Effect.succeed)
    const caller = Caller.make(config, send, gateOf(clock, keyFingerprint, config.rate), clock, listeners)
    let knownCursorParam = config.cursorParam
    const listen = (listener: Listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    }
    const records = <A extends { readonly id: number }, GetOptions extends GetContractOptions>(
      collection: ServiceRequest.Collection,
      model: Model<A>,
    ): Records<A, GetOptions> => {
      const flights = SingleFlight.make<A, ClientError>()
      const look = (exclude: ReadonlyArray<string>) =>
        Effect.tap(Probe.cursorParameter(caller, collection, model, exclude), (finding) =>
          Effect.sync(() => {
            if (finding._tag === "Verified" && config.probesCursor) knownCursorParam = finding.parameter
          }),
        )
      const probe = (tried: string) => look([tried])
      const walked = <B>(
        list: ListOptions,
        give: (page: Page<A>) => ReadonlyArray<B>,
      ): Stream.Stream<B, ClientError> => {
        const problem = checkListOptions(list, config.origin, keyFingerprint, collection)
        if (problem !== null) return Stream.fail(problem)
        if (list.from !== undefined && list.from.next === null) return Stream.empty
        const walk = {
          collection,
          cursorParam: list.cursorParam ?? knownCursorParam,
          probe: config.probesCursor && list.cursorParam === undefined ? probe : null,
          limit: list.limit ?? null,
          onInvalid: list.onInvalid ?? "fail",
          maxPages: list.maxPages ?? 10_000,
          origin: config.origin,
          keyFingerprint,
          from: list.from ?? null,
        }
        return Pagination.stream(caller, model, walk, list.readAhead ?? 1, give)
      }
      const get = (id: number, options?: GetOptions): Effect.Effect<A, ClientError> => {
        if (!isId(id))
          return Effect.fail(configInvalid(`${collection.noun} id`, "must be a whole number from 1"))
        const request = ServiceRequest.retrieve(collection, id, options)
        const called = caller.call(request, readRecord(collection, model, id), "interactive")
        return flights(
          ServiceRequest.target(request),
          Effect.map(called, ({ value }) => value),
        )
      }
      return {
        pages: (list = {}) => walked(list, (page) => [page]),
        list: (list = {}) => walked(list, (page) => page.records),
        collect: (options) => {
          const { max } = options
          if (max === "all") return Stream.runCollect(walked(options, (page) => page.records))
          if (!isId(max)) return Effect.fail(configInvalid("max", 'must be a whole number from 1, or "all"'))
          return Stream.runCollect(
            Stream.take(
              walked(options, (page) => page.records),
              max,
            ),
          )
        },
        get,
        getMany: (ids, options) => LookUp.many(ids, (id) => get(id, options), options),
        probeCursor: Effect.suspend(() => look([])),
      }
    }
    const contractModel: Model<Contract.Contract> = {
      is: Contract.isContract,
      issues: Contract.issues,
      hasOpenMembers: drift.hasOpenContractMembers,
      observe: drift.contracts(caller.emit),
      updatedAt: (contract) => contract.updated_at,
    }
    const apiKeyModel: Model<ApiKey.ApiKey> = {
      is: ApiKey.isApiKey,
      issues: ApiKey.issues,
      hasOpenMembers: drift.hasOpenKeyMembers,
      observe: drift.apiKeys(caller.emit),
      updatedAt: () => "",
    }
    return PropertyClient.of({
      contracts: records(ServiceRequest.contracts, contractModel),
      apiKeys: records(ServiceRequest.apiKeys, apiKeyModel),
      me: Effect.map(
        caller.call(ServiceRequest.me, (body) => ({ _tag: "Value", value: body as Me }), "interactive"),
        (answer) => answer.value,
      ),
      events: Stream.callback<ClientEvent>((queue) =>
        Effect.acquireRelease(
          Effect.sync(() => listen((event) => void Queue.offerUnsafe(queue, event))),
          (unlisten) => Effect.sync(unlisten),
        ),
      ),
      listen,
      config,
    })
  })

/** Provides the client. */
export const layer = (options: ClientConfig.ClientOptions): Layer.Layer<PropertyClient, ClientError> =>
  Layer.effect(PropertyClient, make(options))

/** Provides the client from `DEEDKIT_BASE_URL`, `DEEDKIT_API_KEY` and, if set, `DEEDKIT_CURSOR_PARAM`, or any other configuration provider. */
export const layerConfig = (
  options: Omit<ClientConfig.ClientOptions, "baseUrl" | "apiKey"> = {},
): Layer.Layer<PropertyClient, ClientError | Config.ConfigError> =>
  Layer.effect(
    PropertyClient,
    Effect.flatMap(
      Config.all({
        baseUrl: Config.String("BASE_URL"),
        apiKey: Config.Redacted("API_KEY"),
        cursorParam: Config.String("CURSOR_PARAM").pipe(Config.withDefault(undefined)),
      }).pipe(Config.nested("DEEDKIT")),
      (settings) => make({ ...options, ...settings }),
    ),
  )

/** Ids are positive whole numbers; an empty one would turn the retrieve form into the list form. */
const isId = (id: number): boolean => Number.isSafeInteger(id) && id > 0

const checkListOptions = (
  options: ListOptions,
  origin: string,
  keyFingerprint: string,
  collection: ServiceRequest.Collection,
): ClientError | null => {
  const { from, limit, maxPages } = options
  if (limit !== undefined && !isId(limit)) return configInvalid("limit", "must be a whole number from 1")
  if (maxPages !== undefined && !isId(maxPages))
    return configInvalid("maxPages", "must be a whole number from 1")
  if (from === undefined) return null
  const field =
    from.version !== 1
      ? "version"
      : from.origin !== origin
        ? "origin"
        : from.keyFingerprint !== keyFingerprint
          ? "key"
          : from.collection !== collection.name
            ? "collection"
            : null
  if (field === null) return null
  return new ClientError({
    reason: { _tag: "CheckpointRefused", mismatch: { field } },
    request: null,
    requestId: null,
    attempts: [],
    walk: from.summary,
  })
}

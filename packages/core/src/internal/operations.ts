/**
 * The operations of a client, from which both entries make their streams or promises: its collections, `/v1/me/` and its listeners. Reads are pulled page by page (`pages.ts`), concurrent requests for the same record are shared. It imports no stream, logger or
 * tracer, which would be in the bundle of every program that uses the promise entry.
 */
import { sha256 } from "#digest"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as ApiKey from "../ApiKey.ts"
import * as ClientConfig from "../ClientConfig.ts"
import type { CallOptions } from "../ClientConfig.ts"
import type { ClientError } from "../ClientError.ts"
import type { Listener } from "../ClientEvent.ts"
import { configInvalid, unsent } from "../ClientError.ts"
import * as Contract from "../Contract.ts"
import * as Json from "../Json.ts"
import { lookUpMany } from "../Records.ts"
import type { Me, GetContractOptions, ListOptions, Records } from "../Records.ts"
import type { Checkpoint, ReadSummary } from "../Page.ts"
import { isCheckpoint } from "../Page.ts"
import * as RateLimiter from "../RateLimiter.ts"
import { sortKey } from "../Timestamp.ts"
import { Transport } from "../Transport.ts"
import type { Identified, JsonObject, Check, Model } from "./answer.ts"
import type { Answer, Caller, MakeSpans } from "./call.ts"
import * as Call from "./call.ts"
import { withCaller } from "./call.ts"
import type { CheckpointMismatch } from "./cursor.ts"
import { parseRecord } from "./answer.ts"
import * as Listeners from "./listeners.ts"
import type { Operation } from "../ClientOptions.ts"
import * as Pages from "./pages.ts"
import type { PagePuller } from "./pages.ts"
import * as Probe from "./probe.ts"
import type { RequestOptions } from "./request.ts"
import * as request from "./request.ts"
import * as schemaDrift from "./schemaDrift.ts"
import * as ServiceRequest from "./serviceRequest.ts"
import * as SingleFlight from "./singleFlight.ts"

export interface Operations {
  readonly contracts: PulledRecords<Contract.Contract, GetContractOptions>
  readonly apiKeys: PulledRecords<ApiKey.ApiKey, CallOptions>
  /** The account of the key: JSON of unknown shape (Spec: Endpoints 7). */
  readonly me: (options?: CallOptions) => Effect.Effect<Me, ClientError>
  readonly request: <A = JsonObject>(
    path: string,
    options?: RequestOptions<A>,
  ) => Effect.Effect<A, ClientError>
  /** Calls the listener with every event from now on; the returned function removes it. A listener that throws affects no call; see `Listener`. */
  readonly listen: (listener: Listener) => () => void
  /**
   * Removes the key, and every run of 8 or more characters of it, from a text that the service sent. Errors and events are redacted already; use
   * it before showing or storing other text of an answer.
   */
  readonly redact: (text: string) => string
  readonly config: ClientConfig.ClientConfig
}

const isAnything: Check<Me> = (_, exact) => ({ _tag: "Value", value: exact() as Me })

/**
 * Makes the operations. Sends nothing. `reporter` makes the function that takes a
 * listener's error, from the context of the program. `makeSpans` makes spans; null for none.
 */
export const make = Effect.fnUntraced(function* (
  config: ClientConfig.ClientConfig,
  reporter: (context: Context.Context<never>) => (error: unknown, what: string) => void,
  makeSpans: MakeSpans | null,
): Effect.fn.Return<Operations> {
  const send = yield* Transport
  const keyFingerprint = yield* Effect.promise(() =>
    fingerprint(config.origin, Redacted.value(config.apiKey)),
  )
  const report = reporter(yield* Effect.context())
  const listeners = Listeners.make((error, { _tag }) => report(error, _tag))
  const clock = yield* Effect.clockWith(Effect.succeed)
  const rateLimiter = RateLimiter.ofKey(keyFingerprint, config.rate, clock)
  const caller = Call.make(config, send, rateLimiter, clock, listeners, makeSpans)
  const contractModel: Model<Contract.Contract> = {
    is: Contract.isContract,
    issues: Contract.issues,
    hasOpenMembers: schemaDrift.hasOpenContractMembers,
    observe: schemaDrift.contracts(caller.emit, caller.redact),
    createdAt: (contract) => sortKey(contract.created_at),
    updatedAt: (contract) => sortKey(contract.updated_at),
    version: (contract) => contract.updated_at,
  }
  const apiKeyModel: Model<ApiKey.ApiKey> = {
    is: ApiKey.isApiKey,
    issues: ApiKey.issues,
    hasOpenMembers: ApiKey.hasExtra,
    observe: schemaDrift.apiKeys(caller.emit, caller.redact),
    createdAt: (key) => sortKey(key.created_at),
    updatedAt: () => "",
    version: Json.stringify,
  }
  return {
    contracts: recordsOf(caller, config, keyFingerprint, ServiceRequest.contracts, contractModel),
    apiKeys: recordsOf(caller, config, keyFingerprint, ServiceRequest.apiKeys, apiKeyModel),
    me: (options) => {
      const ask = (using: Caller) =>
        Effect.map(using.call(ServiceRequest.me, isAnything, "interactive"), ({ value }) => value)
      return withCaller(caller, "call", options, ask)
    },
    request: request.make(caller, config),
    listen: listeners.add,
    redact: caller.redact,
    config,
  }
})

/**
 * Distinguishes two keys of one origin without storing either: the first 64 bits of a SHA-256 over origin and key. A random key cannot be
 * recovered from it, and it differs for each origin.
 */
const fingerprint = async (origin: string, key: string): Promise<string> => {
  const digest = await sha256(`deedkit ${origin} ${key}`)
  return Array.from(digest.subarray(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("")
}

/** The operations of one collection without streams. */
export interface PulledRecords<A, GetOptions> extends Omit<Records<A, GetOptions>, "list" | "pages"> {
  /** Begins a read. Fails when an option cannot work. */
  readonly open: (options?: ListOptions) => Effect.Effect<PagePuller<A>, ClientError>
}

const recordsOf = <A extends Identified, GetOptions extends GetContractOptions>(
  caller: Caller,
  config: ClientConfig.ClientConfig,
  keyFingerprint: string,
  collection: ServiceRequest.Collection,
  model: Model<A>,
): PulledRecords<A, GetOptions> => {
  let knownCursorParam = config.cursorParam
  const shared = SingleFlight.make<A, ClientError>(config.deadlineMillis)
  const probeBy =
    (using: Caller) =>
    (exclude: ReadonlyArray<string>, count?: Parameters<typeof Probe.cursorParameter>[4]) =>
      Effect.map(Probe.cursorParameter(using, collection, model, exclude, count), (finding) => {
        if (finding._tag === "Verified" && config.probesCursor) knownCursorParam = finding.parameter
        return finding
      })
  /** The parameter that an earlier part of the read has verified, if the client probes for it. */
  const carriedOver = (from: Checkpoint | undefined): string | null =>
    config.probesCursor && from?.summary.cursor.state === "verified" ? from.summary.cursor.parameter : null
  const openBy =
    (list: ListOptions) =>
    (using: Caller): Effect.Effect<PagePuller<A>, ClientError> => {
      const problem = checkListOptions(list, config.origin, keyFingerprint, collection)
      if (problem !== null) return Effect.fail(problem)
      if (list.from !== undefined && list.from.next === null) {
        return Effect.succeed({ next: Effect.succeed(null), close: Effect.void })
      }
      const named = list.cursorParam === "auto" ? undefined : list.cursorParam
      const searches = named === undefined && (config.probesCursor || list.cursorParam === "auto")
      return Pages.open(using, model, {
        collection,
        cursorParam: named ?? carriedOver(list.from) ?? knownCursorParam,
        probe: searches ? probeBy(using) : null,
        limit: list.limit ?? null,
        onRejected: list.onRejected ?? "fail",
        maxPages: list.maxPages ?? Infinity,
        prove: list.prove ?? false,
        origin: config.origin,
        keyFingerprint,
        from: list.from ?? null,
        known: list.known ?? null,
        record: list.record ?? false,
        readsAhead: list.readAhead !== 0,
      })
    }
  /** Whenever it is run, it begins with what is known of the cursor by then. */
  const open = (list: ListOptions = {}, of: Operation = "list") =>
    Effect.suspend(() => withCaller(caller, of, list, openBy(list)))
  const getBy = (using: Caller, id: number, options?: GetOptions): Effect.Effect<A, ClientError> => {
    const request = ServiceRequest.retrieve(collection, id, options)
    const check = parseRecord(collection, model, id)
    if (using !== caller) return Effect.map(using.call(request, check, "interactive"), valueOf)
    return shared(ServiceRequest.target(request), (clock, remainingMillis) => {
      const asked = caller.share(request, check, clock, remainingMillis)
      return { ...asked, answer: Effect.map(asked.answer, valueOf) }
    })
  }
  return {
    open: (list) => open(list),
    collect: (options) => {
      const max: unknown = options?.max
      if (max !== "all" && !ServiceRequest.isId(max)) {
        return Effect.fail(configInvalid("max", 'must be a whole number from 1, or "all"'))
      }
      const most = max === "all" ? Infinity : (max as number)
      return Effect.flatMap(open(options, "collect"), ({ close, next }) => {
        const all: Array<A> = []
        const more: Effect.Effect<ReadonlyArray<A>, ClientError> = Effect.flatMap(next, (page) => {
          page?.records.every((record) => all.push(record) < most)
          return page !== null && all.length < most ? more : Effect.succeed(all)
        })
        return Effect.ensuring(more, close)
      })
    },
    get: (id, options) => {
      if (!ServiceRequest.isId(id)) return Effect.fail(badId(collection))
      return withCaller(caller, "get", options, (using) => getBy(using, id, options))
    },
    getMany: (ids, options) => {
      if (!Array.isArray(ids) || !ids.every(ServiceRequest.isId)) return Effect.fail(badId(collection))
      const lookUp = (using: Caller) => lookUpMany(ids, (id) => getBy(using, id, options), options)
      return withCaller(caller, "getMany", options, lookUp)
    },
    probeCursor: Effect.suspend(() => probeBy(caller)([])),
  }
}

const valueOf = <A>({ value }: Answer<A>): A => value

const badId = ({ noun }: ServiceRequest.Collection): ClientError =>
  configInvalid(`${noun} id`, "must be a whole number from 1")

const checkListOptions = (
  options: ListOptions,
  origin: string,
  keyFingerprint: string,
  collection: ServiceRequest.Collection,
): ClientError | null => {
  const { cursorParam, from, known } = options
  const problem = cursorParam === undefined ? null : ClientConfig.cursorParamProblem(cursorParam)
  if (problem !== null) return problem
  if (from === undefined) {
    return known === undefined ? null : configInvalid("known", "is for a read that resumes from a checkpoint")
  }
  if (Json.isObject(from) && from["version"] !== 1) return checkpointRefused("version", null)
  if (!isCheckpoint(from)) return configInvalid("checkpoint", "is not a checkpoint of this client")
  if (from.origin !== origin) return checkpointRefused("origin", from.summary)
  if (from.keyFingerprint !== keyFingerprint) return checkpointRefused("key", from.summary)
  return from.collection === collection.name ? null : checkpointRefused("collection", from.summary)
}

const checkpointRefused = (field: CheckpointMismatch["field"], reading: ReadSummary | null): ClientError =>
  unsent({ _tag: "CheckpointRefused", mismatch: { field } }, reading)

/**
 * The operations of one collection for both entries, with reads that are pulled page by page. Arguments are checked before anything is sent,
 * concurrent requests for the same record are shared, reads go through `internal/pages.ts`.
 */
import * as Effect from "effect/Effect"
import { isCheckpoint } from "../Page.ts"
import type { Checkpoint } from "../Page.ts"
import { cursorParamProblem } from "../ClientConfig.ts"
import type { ClientConfig } from "../ClientConfig.ts"
import type { ClientError } from "../ClientError.ts"
import { configInvalid, unsent } from "../ClientError.ts"
import type { CheckpointMismatch } from "./cursor.ts"
import { isObject } from "../Json.ts"
import * as Lookup from "../Lookup.ts"
import * as Pages from "./pages.ts"
import type { PagePuller } from "./pages.ts"
import * as Probe from "./probe.ts"
import type { GetContractOptions, ListOptions, Records } from "../Records.ts"
import * as ServiceRequest from "./serviceRequest.ts"
import type { ReadSummary } from "../Page.ts"
import type { Answer, Caller } from "./call.ts"
import { withCaller } from "./call.ts"
import type { Operation } from "./optionCheck.ts"
import type { Model } from "./envelope.ts"
import { parseRecord } from "./envelope.ts"
import * as SingleFlight from "./singleFlight.ts"

/** The operations of one collection without streams. */
export interface PulledRecords<A, GetOptions> extends Omit<Records<A, GetOptions>, "list" | "pages"> {
  /** Begins a read. Fails when an option cannot work. */
  readonly open: (options?: ListOptions) => Effect.Effect<PagePuller<A>, ClientError>
}

/** Makes the operations of one collection. */
export const make = <A extends { readonly id: number }, GetOptions extends GetContractOptions>(
  caller: Caller,
  config: ClientConfig,
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
  const open = (list: ListOptions = {}, of: Operation = "list"): Effect.Effect<PagePuller<A>, ClientError> =>
    withCaller<Effect.Effect<PagePuller<A>, ClientError>>(
      caller,
      of,
      list,
      (using) => {
        const problem = checkListOptions(list, config.origin, keyFingerprint, collection)
        if (problem !== null) return Effect.fail(problem)
        if (list.from !== undefined && list.from.next === null) {
          return Effect.succeed({ next: Effect.succeed(null), close: Effect.void })
        }
        const named = list.cursorParam === "auto" ? undefined : list.cursorParam
        const searches = named === undefined && (config.probesCursor || list.cursorParam === "auto")
        const reading = {
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
        }
        return Pages.open(using, model, reading)
      },
      Effect.fail,
    )
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
      return withCaller(caller, "get", options, (using) => getBy(using, id, options), Effect.fail)
    },
    getMany: (ids, options) => {
      if (!Array.isArray(ids) || !ids.every(ServiceRequest.isId)) return Effect.fail(badId(collection))
      const lookUp = (using: Caller) => Lookup.many(ids, (id) => getBy(using, id, options), options)
      return withCaller(caller, "getMany", options, lookUp, Effect.fail)
    },
    probeCursor: Effect.suspend(() => probeBy(caller)([])),
  }
}

const valueOf = <A>({ value }: Answer<A>): A => value

/** The error for an id that no record can have. */
const badId = ({ noun }: ServiceRequest.Collection): ClientError =>
  configInvalid(`${noun} id`, "must be a whole number from 1")

const checkListOptions = (
  options: ListOptions,
  origin: string,
  keyFingerprint: string,
  collection: ServiceRequest.Collection,
): ClientError | null => {
  const { cursorParam, from, known } = options
  const problem = cursorParam === undefined ? null : cursorParamProblem(cursorParam)
  if (problem !== null) return problem
  if (from === undefined) {
    return known === undefined ? null : configInvalid("known", "is for a read that resumes from a checkpoint")
  }
  if (isObject(from) && from["version"] !== 1) return checkpointRefused("version", null)
  if (!isCheckpoint(from)) return configInvalid("checkpoint", "is not a checkpoint of this client")
  if (from.origin !== origin) return checkpointRefused("origin", from.summary)
  if (from.keyFingerprint !== keyFingerprint) return checkpointRefused("key", from.summary)
  return from.collection === collection.name ? null : checkpointRefused("collection", from.summary)
}

const checkpointRefused = (field: CheckpointMismatch["field"], reading: ReadSummary | null): ClientError =>
  unsent({ _tag: "CheckpointRefused", mismatch: { field } }, reading)

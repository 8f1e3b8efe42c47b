/**
 * What the suites of the client share: an emulator, a client that reaches it in process, and a clock on which waits take no time.
 * Serves every test beside it. Refuses to know what any of them expects.
 */
import * as emulation from "@deedkit/emulator"
import type { Emulator, EmulatorOptions, JournalEntry } from "@deedkit/emulator"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Stream from "effect/Stream"
import type { ClientOptions } from "../src/ClientConfig.ts"
import { ClientError, reasonTags } from "../src/ClientError.ts"
import type { ClientEvent } from "../src/ClientEvent.ts"
import type { Page } from "../src/Page.ts"
import * as PropertyClient from "../src/PropertyClient.ts"
import { virtualClock } from "../src/testing.ts"
import type { VirtualClock } from "../src/testing.ts"
import type { Fetch, Send } from "../src/Transport.ts"
import { Transport, viaFetch } from "../src/Transport.ts"

/** The first moment of every virtual clock: later than all dates of the fixtures. */
export const startMillis = Date.parse("2026-03-01T14:00:00Z")

export const baseUrl = "https://api.example.test"

export interface World {
  readonly clock: VirtualClock
  readonly emulator: Emulator
  readonly client: PropertyClient.Service
  readonly events: ReadonlyArray<ClientEvent>
  /** Runs on the virtual clock. Rejects with what the effect fails with. */
  readonly run: <A, E>(effect: Effect.Effect<A, E>, signal?: AbortSignal) => Promise<A>
  /** Runs what must fail, and gives its error. */
  readonly fails: (effect: Effect.Effect<unknown, ClientError>) => Promise<ClientError>
  /** Another client of the same emulator and clock. */
  readonly another: (options: Partial<ClientOptions>) => Promise<PropertyClient.Service>
  /** Virtual milliseconds since the world began. */
  readonly elapsed: () => number
}

export interface WorldOptions {
  readonly emulator?: Omit<EmulatorOptions, "clock">
  readonly client?: Partial<ClientOptions>
  /** What stands between the client and the emulator. */
  readonly around?: (fetch: Fetch) => Fetch
  /** Another transport altogether. */
  readonly transport?: Send
}

const provided =
  (clock: VirtualClock, send: Send) =>
  <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    effect.pipe(Effect.provideService(Transport, send), Effect.provideService(Clock.Clock, clock))

export const world = async (options: WorldOptions = {}): Promise<World> => {
  const clock = virtualClock(startMillis)
  const emulator = emulation.make({ contracts: 130, ...options.emulator, clock: clock.plain })
  const send = options.transport ?? viaFetch((options.around ?? ((fetch) => fetch))(emulator.fetch))
  const provide = provided(clock, send)
  const another = (more: Partial<ClientOptions>) =>
    Effect.runPromise(
      provide(PropertyClient.make({ baseUrl, apiKey: emulator.apiKey, rate: 0, ...options.client, ...more })),
    )
  const client = await another({})
  const events: Array<ClientEvent> = []
  client.listen((event) => void events.push(event))
  const run: World["run"] = (effect, signal) =>
    Effect.runPromise(provide(effect), signal === undefined ? {} : { signal })
  return {
    clock,
    emulator,
    client,
    events,
    run,
    fails: (effect) => run(failure(effect)),
    another,
    elapsed: () => clock.plain.now() - startMillis,
  }
}

/** The error of an effect that must fail with one. */
export const failure = <A>(effect: Effect.Effect<A, ClientError>): Effect.Effect<ClientError> =>
  Effect.flip(Effect.mapError(effect, checked)).pipe(
    Effect.mapError((value) => new Error(`did not fail, but gave ${typeof value}`)),
    Effect.orDie,
  )

const checked = (error: unknown): ClientError => {
  if (error instanceof ClientError) return error
  throw new TypeError(`failed with something else: ${String(error)}`)
}

export interface Walked<A> {
  readonly pages: ReadonlyArray<Page<A>>
  readonly records: ReadonlyArray<A>
  /** Null when the walk came to its end. */
  readonly error: ClientError | null
}

/** Runs a walk page by page, and keeps what was given out before it failed. */
export const walked = <A>(pages: Stream.Stream<Page<A>, ClientError>): Effect.Effect<Walked<A>> =>
  Effect.suspend(() => {
    const seen: Array<Page<A>> = []
    return Effect.map(
      Effect.exit(Stream.runForEach(pages, (page) => Effect.sync(() => void seen.push(page)))),
      (exit) => ({
        pages: seen,
        records: seen.flatMap((page) => page.records),
        error: Exit.isSuccess(exit) ? null : checked(Cause.squash(exit.cause)),
      }),
    )
  })

/**
 * What is wrong with the outcome of a walk; nothing for a whole list that says so, and nothing for a typed error with a summary that says
 * that it is not whole. `stored` holds the ids that there are.
 */
export const flawsOf = <A extends { readonly id: number }>(
  { error, pages, records }: Walked<A>,
  stored: ReadonlyArray<number>,
): ReadonlyArray<string> => {
  const known = new Set(stored)
  const given = new Set(idsOf(records))
  const setAside = pages.flatMap((page) => page.invalid)
  const summary = error === null ? pages.at(-1)?.summary : error.walk
  const accounted = new Set([...given, ...setAside.flatMap(({ id }) => (id === null ? [] : [id]))])
  const nameless = setAside.filter(({ id }) => id === null).length
  const claims: ReadonlyArray<readonly [flaw: string, holds: boolean]> = [
    ["a record was given out twice", given.size === records.length],
    ["a record was given out that is not in the store", [...given].every((id) => known.has(id))],
    ["the summary counts other records than were given out", summary?.records === given.size],
    ["complete is not what the outcome says", summary?.complete === (error === null)],
    ["a page says complete before the end, or not after it", pages.every(saysWhatItIs)],
    ["a short list looks whole", error !== null || accounted.size + nameless >= known.size],
    ["the error has no known tag", error === null || reasonTags.includes(error.reason._tag)],
    ["the error does not say what to do", error === null || error.message.endsWith(".")],
  ]
  return claims.filter(([, holds]) => !holds).map(([flaw]) => flaw)
}

const saysWhatItIs = <A>({ next, summary }: Page<A>): boolean => summary.complete === (next === null)

/** The ids of records, in their order. */
export const idsOf = (records: ReadonlyArray<{ readonly id: number }>): ReadonlyArray<number> =>
  records.map((record) => record.id)

/** Milliseconds of the virtual clock at which requests arrived, since its start. */
export const arrivals = (entries: ReadonlyArray<JournalEntry>): ReadonlyArray<number> =>
  entries.map((entry) => Date.parse(entry.at) - startMillis)

/** The events of one kind. */
export const eventsOf = <Tag extends ClientEvent["_tag"]>(
  events: ReadonlyArray<ClientEvent>,
  tag: Tag,
): ReadonlyArray<Extract<ClientEvent, { readonly _tag: Tag }>> =>
  events.filter((event): event is Extract<ClientEvent, { readonly _tag: Tag }> => event._tag === tag)

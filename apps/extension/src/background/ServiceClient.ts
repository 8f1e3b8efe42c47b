/**
 * The client of the service with the user's settings: address, key, cursor parameter. There is no client until the address is known, the browser
 * grants its origin, and there is a key; the failure names what is missing. The client's own transport follows no redirects and sends no cookies
 * or referrers. The failure of the last request is stored, so that a background that wakes up shows the state it left; it ends with the next
 * request that succeeds, with a change of address or key, or when the state is over by itself.
 */
import { ClientConfig, PropertyClient, Transport } from "@deedkit/core"
import type { ClientError } from "@deedkit/core"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import type { Failure } from "../failures/ConnectionFailure.ts"
import { originOf, patternOf } from "../messages/OriginPattern.ts"
import { Account } from "./Account.ts"
import * as Failures from "./Failures.ts"
import { Platform, Changes } from "./Platform.ts"

/** Checks an address and a key as the client would, before either is kept. */
export const check = (baseUrl: string, apiKey: string | Redacted.Redacted) =>
  ClientConfig.make({ baseUrl, apiKey })

/** An address as it is stored; null if it is not an address, not of one host, or not reached by https. */
export const checkedAddress = (typed: string, allowsLoopback: boolean): Effect.Effect<string | null> =>
  Effect.match(check(typed, "any"), {
    onFailure: () => null,
    onSuccess: ({ base, origin }) => (originOf(origin, allowsLoopback) === null ? null : base),
  })

/** The origin of a checked address. */
export const originOfAddress = (baseUrl: string): string => new URL(baseUrl).origin

/** Minutes after which a service that failed is asked again, if no sync does so. */
const recoverMinutes = 2

const failureKey = "lastFailure"

const make = Effect.gen(function* () {
  const account = yield* Account
  const platform = yield* Platform
  const { alarms, isGranted, isOnline, session } = platform
  const changes = yield* Changes
  const heldKey = `${failureKey} ${account.id}`
  let made: PropertyClient.Service | null = null
  let version = 0
  let serviceAt: number | null = null
  let known: Failure | null | undefined

  const dated: Transport.Fetch = async (request) => {
    const response = await platform.fetch(request)
    serviceAt = Date.parse(response.headers.get("date") ?? "") || null
    return response
  }

  const notReady = (state: Failure) => Effect.fail(new Failures.NotReady({ state }))

  const client = Effect.gen(function* () {
    const { baseUrl, cursorParam } = yield* account.profile
    if (baseUrl === null) return yield* notReady({ _tag: "NoAddress" })
    const origin = originOfAddress(baseUrl)
    const granted = yield* Effect.promise(() => isGranted(patternOf(origin)))
    if (!granted) return yield* notReady({ _tag: "NoPermission", origin })
    if (made !== null) return made
    const stored = yield* account.key(origin)
    if (stored === null) return yield* notReady({ _tag: "NoKey" })
    made = yield* PropertyClient.make({
      baseUrl,
      apiKey: stored.key,
      cursorParam: cursorParam ?? "auto",
    }).pipe(
      Effect.provideService(Transport.Transport, Transport.viaFetch(dated)),
      Effect.catch((error: ClientError.ClientError) =>
        notReady({ _tag: "UnreadableData", detail: Failures.factsOf(error) }),
      ),
    )
    return made
  })

  const readFailure = Effect.promise(async () => {
    known ??= ((await session.get(heldKey)) ??
      (await account.store.get("settings", failureKey)) ??
      null) as Failure | null
    return known
  })
  const writeFailure = (state: Failure | null): Effect.Effect<void> =>
    Effect.promise(async () => {
      known = state
      await session.remove(heldKey)
      await (state === null
        ? account.store.remove("settings", failureKey)
        : account.store.put("settings", failureKey, state))
      if (state === null || !Failures.mayPass(state)) await alarms.clear("recover")
      changes.tell()
    })

  return {
    client,
    /** What is missing; null when nothing is. */
    missing: Effect.match(client, { onFailure: ({ state }) => state, onSuccess: () => null }),
    /** The service's clock at its last answer, in epoch milliseconds; null if that did not give it. */
    serviceAt: () => serviceAt,
    /** Returns a check whether address and key are still the same. Answers to requests with others must not be kept. */
    sameAccount: () => {
      const asked = version
      return () => asked === version
    },
    /** Forgets the client, because address or key has changed. */
    forget: Effect.sync(() => {
      version += 1
      made = null
    }),
    /** Makes the client anew, because the cursor parameter has changed. */
    renew: Effect.sync(() => {
      made = null
    }),
    /** The state that the last failure means; null when there is none, or when it is over. */
    lastFailure: Effect.gen(function* () {
      const state = yield* readFailure
      const now = yield* Clock.currentTimeMillis
      return state === null || Failures.isOver(state, now, isOnline()) ? null : state
    }),
    failed: (error: ClientError.ClientError) =>
      Effect.gen(function* () {
        const state = Failures.stateOf(error, isOnline())
        yield* writeFailure(state)
        if (!Failures.mayPass(state)) return state
        const at = (yield* Clock.currentTimeMillis) + recoverMinutes * 60_000
        yield* Effect.promise(() => alarms.set("recover", { at, everyMinutes: recoverMinutes }))
        return state
      }),
    /** Records that the browser could not store what was read: in memory that outlives the background, because the disk may have no room for it. */
    storageFailed: Effect.promise(async () => {
      known = { _tag: "StorageFailed" }
      await session.set(heldKey, known)
      changes.tell()
    }),
    /** Records that a request has succeeded, or that address or key has changed. */
    succeeded: Effect.flatMap(readFailure, (state) => (state === null ? Effect.void : writeFailure(null))),
  }
})

export class ServiceClient extends Context.Service<ServiceClient, Effect.Success<typeof make>>()(
  "@deedkit/extension/ServiceClient",
) {
  static readonly layer = Layer.effect(ServiceClient, make)
}

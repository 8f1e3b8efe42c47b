/**
 * The client of the service with the user's settings: address, key, cursor parameter. There is no client until the address is known, the
 * browser grants its origin, and there is a key; the failure names what is missing. The client's own transport follows no redirects and sends
 * no cookies or referrers.
 */
import { ClientConfig, PropertyClient, Transport } from "@deedkit/core"
import type { ClientError } from "@deedkit/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { Failure } from "../../failures/ConnectionFailure.ts"
import { originOf, patternOf } from "../../messages/OriginPattern.ts"
import { factsOf, NotReady } from "./Failures.ts"
import { Keys } from "../accounts/KeyStore.ts"
import { Platform } from "../browser/Platform.ts"
import { Profiles } from "../accounts/Profile.ts"

export interface Service {
  readonly get: Effect.Effect<PropertyClient.Service, NotReady>
  /** What is missing; null when nothing is. */
  readonly missing: Effect.Effect<Failure | null>
  /** The service's clock at its last answer, in epoch milliseconds; null if that did not give it. */
  readonly serviceAt: () => number | null
  /** Returns a check whether address and key are still the same. Answers to requests with others must not be kept. */
  readonly account: () => () => boolean
  /** Forgets the client, because address or key has changed. */
  readonly forget: Effect.Effect<void>
  /** Makes the client anew, because the cursor parameter has changed. */
  readonly renew: Effect.Effect<void>
}

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

const make = Effect.gen(function* () {
  const profiles = yield* Profiles
  const keys = yield* Keys
  const platform = yield* Platform
  let made: PropertyClient.Service | null = null
  let account = 0
  let serviceAt: number | null = null

  const dated: Transport.Fetch = async (request) => {
    const response = await platform.fetch(request)
    serviceAt = Date.parse(response.headers.get("date") ?? "") || null
    return response
  }

  const notReady = (state: Failure) => Effect.fail(new NotReady({ state }))

  const connect = Effect.gen(function* () {
    const { baseUrl, cursorParam } = yield* profiles.get
    if (baseUrl === null) return yield* notReady({ _tag: "NoAddress" })
    const origin = originOfAddress(baseUrl)
    const granted = yield* Effect.promise(() => platform.isGranted(patternOf(origin)))
    if (!granted) return yield* notReady({ _tag: "NoPermission", origin })
    if (made !== null) return made
    const stored = yield* keys.get(origin)
    if (stored === null) return yield* notReady({ _tag: "NoKey" })
    made = yield* PropertyClient.make({
      baseUrl,
      apiKey: stored.key,
      cursorParam: cursorParam ?? "auto",
    }).pipe(
      Effect.provideService(Transport.Transport, Transport.viaFetch(dated)),
      Effect.catch((error: ClientError.ClientError) =>
        notReady({ _tag: "UnreadableData", detail: factsOf(error) }),
      ),
    )
    return made
  })
  return Connection.of({
    get: connect,
    missing: Effect.match(connect, { onFailure: ({ state }) => state, onSuccess: () => null }),
    serviceAt: () => serviceAt,
    account: () => {
      const asked = account
      return () => asked === account
    },
    forget: Effect.sync(() => {
      account += 1
      made = null
    }),
    renew: Effect.sync(() => {
      made = null
    }),
  })
})

export class Connection extends Context.Service<Connection, Service>()("@deedkit/extension/Connection") {
  static readonly make = make
}

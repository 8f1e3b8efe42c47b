/**
 * The client of the service with what the user has set: address, key, the cursor's parameter. There is none until the address is known,
 * the browser grants its origin, and there is a key; which of them is missing is the failure. Redirects are not followed and no cookies or
 * referrers are sent, by the client's own transport.
 */
import { ClientConfig, PropertyClient, Transport } from "@deedkit/core"
import type { ClientError } from "@deedkit/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { Failure } from "../../failures/ConnectionFailure.ts"
import { originOf, patternOf } from "../../messages/OriginPattern.ts"
import * as Facts from "../errors/Facts.ts"
import { NotReady } from "../errors/NotReady.ts"
import { Keys } from "../accounts/KeyStore.ts"
import { Platform } from "../browser/Platform.ts"
import { Profiles } from "../accounts/Profile.ts"

export interface Service {
  readonly get: Effect.Effect<PropertyClient.Service, NotReady>
  /** What is missing; null when nothing is. */
  readonly missing: Effect.Effect<Failure | null>
  /** The service's clock at its last answer, in epoch milliseconds; null where that did not tell. */
  readonly serviceAt: () => number | null
  /** Says later whether address and key are those of now. What was asked with others is not to be kept. */
  readonly account: () => () => boolean
  /** Forgets the client, because address or key are others now. */
  readonly forget: Effect.Effect<void>
  /** Makes the client anew, because the cursor's parameter is another one. */
  readonly renew: Effect.Effect<void>
}

/** Checks an address and a key as the client would, before either is kept. */
export const check = (baseUrl: string, apiKey: string | Redacted.Redacted) =>
  ClientConfig.make({ baseUrl, apiKey })

/** An address as it is kept; null when it is none, not of one host, or not reached by https. */
export const checkedAddress = (typed: string, allowsLoopback: boolean): Effect.Effect<string | null> =>
  Effect.match(check(typed, "any"), {
    onFailure: () => null,
    onSuccess: ({ base, origin }) => (originOf(origin, allowsLoopback) === null ? null : base),
  })

/** The origin of an address that was checked before. */
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
        notReady({ _tag: "UnreadableData", detail: Facts.of(error) }),
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

/**
 * Carries out, in one place, all that follows when the user sets or clears something. Another address drops key and index, because both belong to
 * the old one. Clearing leaves nothing behind: no key, no row, no setting, no script, no alarm and no grant.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { Settings } from "../../messages/AppState.ts"
import type { UserError } from "../../messages/UserError.ts"
import { settleKeys } from "../accounts/Accounts.ts"
import { Changes } from "../browser/Changes.ts"
import { check, checkedAddress, Connection, originOfAddress } from "../connection/Connection.ts"
import { IndexSync } from "../sync/IndexSync.ts"
import { Schedule } from "../sync/Schedule.ts"
import { Keys } from "../accounts/KeyStore.ts"
import { TemporaryGrants } from "../sites/TemporaryGrants.ts"
import { Platform } from "../browser/Platform.ts"
import { defaults, Profiles } from "../accounts/Profile.ts"
import { Registry, releaseGrant } from "../accounts/Registry.ts"
import { actionError } from "../../failures/ActionFailure.ts"
import { Sites } from "../sites/Sites.ts"
import { Databases, Index } from "../browser/Storage.ts"
import { LastFailure } from "../connection/LastFailure.ts"

export interface Service {
  readonly setAddress: (typed: string) => Effect.Effect<void, UserError>
  readonly setKey: (key: Redacted.Redacted) => Effect.Effect<void, UserError>
  readonly forgetKey: Effect.Effect<void>
  readonly setSettings: (settings: Partial<Settings>) => Effect.Effect<void>
  readonly clear: Effect.Effect<void>
  /** Starts a sync that could not run until now, because a grant was missing or the browser was closed. Halts one that can no longer run. */
  readonly resumeIfDue: Effect.Effect<void>
}

const make = Effect.gen(function* () {
  const platform = yield* Platform
  const registry = yield* Registry
  const profiles = yield* Profiles
  const keys = yield* Keys
  const shared = yield* Effect.context<Registry | Databases | Platform>()
  const connection = yield* Connection
  const lastFailure = yield* LastFailure
  const index = yield* Index
  const sync = yield* IndexSync
  const schedule = yield* Schedule
  const sites = yield* Sites
  const temporaryGrants = yield* TemporaryGrants
  const changes = yield* Changes
  const { alarms, allowsLoopback, text } = platform

  /** Starts the sync that waited for this, or the first one. */
  const resume = Effect.gen(function* () {
    yield* connection.forget
    yield* lastFailure.ended
    if ((yield* connection.missing) === null) yield* sync.start
  })

  const dropData = Effect.gen(function* () {
    yield* sync.stop
    // Before the index is emptied: answers on their way from the old address must not be written to it.
    yield* connection.forget
    yield* Effect.promise(() => index.clear())
    yield* keys.forget
    yield* connection.forget
    yield* lastFailure.ended
    yield* sites.tell({ type: "listing.changed" })
    changes.tell()
  })

  return SetUp.of({
    setAddress: (typed) =>
      Effect.gen(function* () {
        const error = actionError(text, "AddressInvalid")
        const baseUrl = yield* checkedAddress(typed, allowsLoopback)
        if (baseUrl === null) return yield* Effect.fail(error)
        const before = (yield* profiles.get).baseUrl
        if (before === baseUrl) return yield* resume
        if (before !== null) yield* dropData
        yield* profiles.update((profile) => ({ ...profile, baseUrl, cursorParam: null, links: {} }))
        if (before !== null) yield* releaseGrant(registry, platform, originOfAddress(before))
        yield* schedule.settle
        yield* resume
      }),
    setKey: (key) =>
      Effect.gen(function* () {
        const { baseUrl, settings } = yield* profiles.get
        if (baseUrl === null) {
          return yield* Effect.fail(actionError(text, "AddressMissing"))
        }
        yield* Effect.mapError(check(baseUrl, key), () => actionError(text, "KeyInvalid"))
        yield* sync.pause
        yield* keys.set(originOfAddress(baseUrl), key, settings.keyStorage)
        yield* resume
      }),
    forgetKey: Effect.gen(function* () {
      yield* sync.pause
      yield* keys.forget
      yield* connection.forget
      yield* lastFailure.ended
    }),
    setSettings: (settings) =>
      Effect.gen(function* () {
        const before = yield* profiles.get
        const after = yield* profiles.update((profile) => ({
          ...profile,
          settings: { ...profile.settings, ...settings },
        }))
        yield* schedule.settle
        if (after.settings.keyStorage !== before.settings.keyStorage) {
          yield* Effect.provideContext(settleKeys, shared)
          changes.tell()
        }
        yield* sites.tell({ type: "listing.changed" })
      }),
    clear: Effect.gen(function* () {
      yield* sites.tell({ type: "listing.off" })
      yield* temporaryGrants.end
      yield* dropData
      yield* profiles.update(() => defaults)
      yield* sites.settle
      yield* Effect.promise(async () => {
        // Also grants that nothing names: the user may have accepted a prompt and then abandoned the rest.
        for (const pattern of await platform.grants()) await platform.release({ origins: [pattern] })
        await platform.release({ permissions: ["notifications"] })
        await alarms.clear("resume")
        await platform.session.clear()
      })
      yield* schedule.settle
      changes.tell()
    }),
    resumeIfDue: Effect.gen(function* () {
      if ((yield* connection.missing) !== null) return yield* sync.pause
      // A pause that the service has asked for is kept.
      if ((yield* lastFailure.get)?._tag === "RateLimited") return yield* sync.resume
      yield* schedule.catchUp
    }),
  })
})

export class SetUp extends Context.Service<SetUp, Service>()("@deedkit/extension/SetUp") {
  static readonly make = make
}

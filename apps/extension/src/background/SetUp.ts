/**
 * Carries out, in one place, all that follows when the user sets or clears something. Another address drops key and index, because both belong to
 * the old one. Clearing leaves nothing behind: no key, no row, no setting, no script, no alarm and no grant.
 */
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import { actionError } from "../failures/ActionFailure.ts"
import type { Settings } from "../messages/AppState.ts"
import { patternOf } from "../messages/OriginPattern.ts"
import { Account, defaults, Index } from "./Account.ts"
import { Accounts } from "./Accounts.ts"
import { tryAddress, tryKey } from "./ConnectionTest.ts"
import { errorOfState } from "./Failures.ts"
import { Platform, quietTabs, Changes, refuse } from "./Platform.ts"
import { Schedule } from "./Schedule.ts"
import { check, checkedAddress, originOfAddress, ServiceClient } from "./ServiceClient.ts"
import { Sites } from "./Sites.ts"
import { Sync } from "./Sync.ts"

/** Starts the sync that waited for this, or the first one. */
const resume = Effect.gen(function* () {
  const service = yield* ServiceClient
  yield* service.forget
  yield* service.succeeded
  if ((yield* service.missing) === null) yield* (yield* Sync).start
})

const dropData = Effect.gen(function* () {
  const service = yield* ServiceClient
  const index = yield* Index
  yield* (yield* Sync).stop
  // Before the index is emptied: answers on their way from the old address must not be written to it.
  yield* service.forget
  yield* Effect.promise(() => index.clear())
  yield* (yield* Account).forgetKey
  yield* service.forget
  yield* service.succeeded
  // Also pages that show badges once, without their site.
  const { tabs } = yield* Platform
  yield* Effect.promise(async () => quietTabs(tabs, await tabs.all(), { type: "listing.changed" }))
  ;(yield* Changes).tell()
})

const isAllowed = (origin: string) =>
  Platform.use(({ isGranted }) => Effect.promise(() => isGranted(patternOf(origin))))

export const setAddress = Effect.fnUntraced(function* (typed: string) {
  const { allowsLoopback } = yield* Platform
  const account = yield* Account
  const baseUrl = yield* checkedAddress(typed, allowsLoopback)
  if (baseUrl === null) return yield* refuse("AddressInvalid")
  const before = (yield* account.profile).baseUrl
  if (before === baseUrl) return yield* resume
  const origin = originOfAddress(baseUrl)
  if (yield* isAllowed(origin))
    yield* Effect.tapError(tryAddress(baseUrl), () =>
      Accounts.use(({ releaseGrant }) => releaseGrant(origin)),
    )
  if (before !== null) yield* dropData
  yield* account.update((profile) => ({ ...profile, baseUrl, cursorParam: null, links: {} }))
  if (before !== null) yield* (yield* Accounts).releaseGrant(originOfAddress(before))
  yield* (yield* Schedule).settle
  yield* resume
})

/** The first key is kept for an address that is known to be the service's, and any later one once the service has accepted it. */
export const setKey = Effect.fnUntraced(function* (key: Redacted.Redacted) {
  const { text } = yield* Platform
  const account = yield* Account
  const { baseUrl, settings } = yield* account.profile
  if (baseUrl === null) return yield* refuse("AddressMissing")
  yield* Effect.mapError(check(baseUrl, key), () => actionError(text, "KeyInvalid"))
  const origin = originOfAddress(baseUrl)
  if (!(yield* isAllowed(origin)))
    return yield* Effect.fail(errorOfState({ _tag: "NoPermission", origin }, text))
  const isFirst = (yield* account.key(origin)) === null
  yield* isFirst
    ? tryAddress(baseUrl)
    : Effect.mapError(tryKey(baseUrl, key), ({ advice, ...error }) => ({
        ...error,
        advice: `${text("keyUnchanged")} ${advice}`,
      }))
  yield* (yield* Sync).pause
  yield* account.setKey(origin, key, settings.keyStorage)
  yield* resume
})

export const forgetKey = Effect.gen(function* () {
  const service = yield* ServiceClient
  yield* (yield* Sync).pause
  yield* (yield* Account).forgetKey
  yield* service.forget
  yield* service.succeeded
})

export const setSettings = Effect.fnUntraced(function* (settings: Partial<Settings>) {
  const account = yield* Account
  const before = yield* account.profile
  const after = yield* account.update((profile) => ({
    ...profile,
    settings: { ...profile.settings, ...settings },
  }))
  yield* (yield* Schedule).settle
  if (after.settings.keyStorage !== before.settings.keyStorage) {
    yield* (yield* Accounts).settleKeys
    ;(yield* Changes).tell()
  }
  yield* (yield* Sites).tell({ type: "listing.changed" })
})

export const clear = Effect.gen(function* () {
  const { alarms, grants, release, session } = yield* Platform
  const sites = yield* Sites
  yield* sites.tell({ type: "listing.off" })
  yield* sites.endAllOnce
  yield* dropData
  yield* (yield* Account).update(() => defaults)
  yield* sites.settle
  yield* Effect.promise(async () => {
    // Also grants that nothing names: the user may have accepted a prompt and then abandoned the rest.
    for (const pattern of await grants()) await release({ origins: [pattern] })
    await release({ permissions: ["notifications"] })
    await alarms.clear("resume")
    await session.clear()
  })
  yield* (yield* Schedule).settle
  ;(yield* Changes).tell()
})

/** Starts a sync that could not run until now, because a grant was missing or the browser was closed. Halts one that can no longer run. */
export const resumeIfDue = Effect.gen(function* () {
  const service = yield* ServiceClient
  const sync = yield* Sync
  if ((yield* service.missing) !== null) return yield* sync.pause
  // A pause that the service has asked for is kept.
  if ((yield* service.lastFailure)?._tag === "RateLimited") return yield* sync.resume
  yield* (yield* Schedule).catchUp
})

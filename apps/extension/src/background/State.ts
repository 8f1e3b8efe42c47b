/**
 * The state that the pages show, put together from the services that know its parts, and sent to watchers whenever a part of it may have changed.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { AppState, IndexState } from "../messages/AppState.ts"
import { Account, Index } from "./Account.ts"
import { Accounts } from "./Accounts.ts"
import type { AccountServices } from "./Layers.ts"
import { completeMinutes, Schedule } from "./Schedule.ts"
import { originOfAddress, ServiceClient } from "./ServiceClient.ts"
import { Sites } from "./Sites.ts"
import { Sync } from "./Sync.ts"

/** Age at which the index is called stale when syncs are only started by hand. */
const manualMinutes = 24 * 60

export const state: Effect.Effect<AppState, never, AccountServices> = Effect.gen(function* () {
  const account = yield* Account
  const service = yield* ServiceClient
  const index = yield* Index
  const { baseUrl, cursorParam, settings } = yield* account.profile
  const stored = baseUrl === null ? null : yield* account.key(originOfAddress(baseUrl))
  // Read before the index, so that a sync that has ended before this is in it.
  const sync = yield* (yield* Sync).state
  const meta = yield* Effect.promise(() => index.meta())
  const { completedAt, contracts, head, listings, rejected, smaller } = meta
  const minutes = completeMinutes(meta, settings.refreshMinutes ?? manualMinutes)
  const now = yield* Clock.currentTimeMillis
  const indexState: IndexState = {
    contracts,
    listings,
    completedAt,
    isStale: completedAt !== null && now - Date.parse(completedAt) > 2 * minutes * 60_000,
    rejected,
    head: head === undefined ? null : { order: head.order, readAt: head.readAt },
    smaller:
      smaller === undefined || smaller.isUsed ? null : { id: smaller.id, contracts: smaller.contracts },
  }
  const { accounts } = yield* (yield* Accounts).list
  return {
    accounts: accounts.map((known) => {
      const { cursorParam: _, ...shown } = known
      return shown
    }),
    account: account.id,
    baseUrl,
    keyHint: stored === null ? null : (stored.hint ?? "····"),
    connection: (yield* service.missing) ?? (yield* service.lastFailure) ?? { _tag: "Ready" },
    sync,
    index: indexState,
    watched: yield* Effect.promise(index.watched),
    next: yield* (yield* Schedule).next,
    sites: yield* (yield* Sites).all,
    settings,
    cursorParam,
  }
})

export interface StatePort {
  /** Records that a part of the state may have changed. */
  readonly changed: () => void
  readonly end: () => void
}

const gatheredMillis = 100

/** The longest wait that `setTimeout` takes. */
const longestWaitMillis = 2 ** 31 - 1

/** Milliseconds until the next part of a state is over by itself; null when none is. */
const endsInMillis = ({ connection, sync }: AppState, now: number): number | null => {
  const ends = [
    connection._tag === "RateLimited" ? connection.until : null,
    sync._tag === "Syncing" ? (sync.waiting?.until ?? null) : null,
  ]
    .filter((until) => until !== null)
    .map((until) => Date.parse(until) - now)
    .filter((millis) => millis > 0)
  return ends.length === 0 ? null : Math.min(...ends, longestWaitMillis)
}

/**
 * Sends a state to one watcher: at once, and after changes, which are gathered for a moment so that a fast sync does not flood it. A state that
 * ends at a known time is sent again when it has ended.
 */
export const follow = (read: () => Promise<AppState>, send: (state: AppState) => void): StatePort => {
  let gathering: ReturnType<typeof setTimeout> | undefined
  let ending: ReturnType<typeof setTimeout> | undefined
  let isReading = false
  let isDue = false
  let isEnded = false

  const readAndSend = async (): Promise<void> => {
    gathering = undefined
    if (isReading) {
      isDue = true
      return
    }
    isReading = true
    try {
      const state = await read()
      if (isEnded) return
      send(state)
      clearTimeout(ending)
      const millis = endsInMillis(state, Date.now())
      if (millis !== null) ending = setTimeout(changed, millis)
    } finally {
      isReading = false
      if (isDue) {
        isDue = false
        changed()
      }
    }
  }
  let isFirst = true
  const changed = (): void => {
    if (isEnded || gathering !== undefined) return
    gathering = setTimeout(() => void readAndSend().catch(() => {}), isFirst ? 0 : gatheredMillis)
    isFirst = false
  }
  return {
    changed,
    end: () => {
      isEnded = true
      clearTimeout(gathering)
      clearTimeout(ending)
    },
  }
}

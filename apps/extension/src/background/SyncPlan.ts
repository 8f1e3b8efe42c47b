/**
 * When and from where a failed sync resumes, and what is shown of a sync. Pure. The pause grows with each failure. A failure that only the user
 * can end is not retried automatically, so that a wrong key is not sent every few minutes.
 */
import type { ClientEvent, Contract, Page } from "@deedkit/core"
import type { SyncRecord } from "../index/IndexMeta.ts"
import type { Failure } from "../failures/ConnectionFailure.ts"
import type { SyncState } from "../messages/AppState.ts"

/** Contracts per page. A service may give fewer; one that rejects the number is asked without it. */
export const pageSize = 200

const leastPauseMillis = 30_000
const mostPauseMillis = 30 * 60_000

/** Pause after this many failures in a row. */
export const pauseMillis = (failures: number): number =>
  Math.min(mostPauseMillis, leastPauseMillis * 2 ** Math.min(failures - 1, 20))

/** A sync that begins at the first page. */
export const begin = (startedAt: string, after: number, expected: number | null): SyncRecord => ({
  startedAt,
  after,
  pages: 0,
  records: 0,
  rejected: 0,
  checkpoint: null,
  expected,
  failures: 0,
  notBefore: 0,
  pause: null,
})

/** The sync after a further page. */
export const afterPage = (
  sync: SyncRecord,
  { checkpoint, summary: { rejected, pages, records } }: Page<Contract.Contract>,
): SyncRecord => ({ ...sync, pages, records, rejected, checkpoint, failures: 0, notBefore: 0, pause: null })

/** The sync after a failure that may pass. */
export const paused = (sync: SyncRecord, now: number) => {
  const failures = sync.failures + 1
  return {
    ...sync,
    failures,
    notBefore: now + pauseMillis(failures),
    pause: "retry",
  } as const satisfies SyncRecord
}

/** The sync after a failure: where and when it resumes; null when the next one has to start again. */
export const afterFailure = (sync: SyncRecord, failure: Failure, now: number): SyncRecord | null => {
  switch (failure._tag) {
    case "CursorUntrusted":
      return null
    case "RateLimited": {
      const failures = sync.failures + 1
      const named = failure.until === null ? Number.NaN : Date.parse(failure.until)
      const notBefore = Number.isNaN(named) ? now + pauseMillis(failures) : Math.max(named, now + 1_000)
      return { ...sync, failures, notBefore, pause: "rate-limited" }
    }
    case "Offline":
    case "Unreachable":
    case "ServerFault":
    case "UnreadableData":
    case "StorageFailed":
      return paused(sync, now)
    case "NoAddress":
    case "NoKey":
    case "NoPermission":
    case "WrongKey":
    case "MissingScope":
      return { ...sync, failures: sync.failures + 1, notBefore: null, pause: null }
  }
}

/** The state of a sync that the pages show. `waits` are the waits of the client's requests while it runs; past ones do not count, nor those that
 * only keep its pace. */
export const stateOf = (
  sync: SyncRecord,
  isRunning: boolean,
  waits: ReadonlyArray<ClientEvent.Waiting>,
  now: number,
): SyncState => {
  const { expected, notBefore, pages, records, startedAt } = sync
  const progress = { _tag: "Syncing", startedAt, pages, records, expected } as const
  if (isRunning) {
    const [waiting = null] = waits.flatMap(({ until, why }) =>
      why !== "throttled" && Date.parse(until) > now ? { reason: why, until } : [],
    )
    return { ...progress, waiting }
  }
  if (notBefore === null) return { _tag: "Idle" }
  const until = notBefore > now ? new Date(notBefore).toISOString() : null
  return { ...progress, waiting: until === null ? null : { reason: sync.pause ?? "retry", until } }
}

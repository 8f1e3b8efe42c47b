import type { ClientEvent } from "@deedkit/core"
import { describe, expect, it } from "vitest"
import { stateOf } from "../../../src/background/SyncPlan.ts"
import type { SyncRecord } from "../../../src/index/IndexMeta.ts"

const now = Date.parse("2026-03-01T09:30:00.000Z")
const until = new Date(now + 40_000).toISOString()

const wait = (why: ClientEvent.Waiting["why"]): ClientEvent.Waiting => ({
  _tag: "Waiting",
  at: new Date(now).toISOString(),
  until,
  waitMillis: 40_000,
  why,
  reason: null,
  source: why === "throttled" ? "rate-limiter" : "retry-after",
  target: "/v1/contracts/",
})

const sync: SyncRecord = {
  startedAt: new Date(now).toISOString(),
  after: 0,
  pages: 3,
  records: 300,
  rejected: 0,
  checkpoint: null,
  expected: null,
  failures: 0,
  notBefore: null,
  pause: null,
}

const waitingWith = (...waits: ReadonlyArray<ClientEvent.Waiting>) => {
  const state = stateOf(sync, true, waits, now)
  return state._tag === "Syncing" ? state.waiting : undefined
}

describe("a sync that runs", () => {
  it("waits for nothing while it only keeps its pace", () => {
    expect(waitingWith()).toBeNull()
    expect(waitingWith(wait("throttled"))).toBeNull()
  })

  it("shows a wait that is longer than its pace, also behind one of its pace", () => {
    expect(waitingWith(wait("throttled"), wait("rate-limited"))).toEqual({ reason: "rate-limited", until })
    expect(waitingWith(wait("retry"))).toEqual({ reason: "retry", until })
  })
})

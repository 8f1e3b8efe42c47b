import { describe, expect, it } from "vitest"
import { isOver, mayPass } from "../../../src/background/Failures.ts"
import { afterFailure, begin, pauseMillis } from "../../../src/background/SyncPlan.ts"
import type { Failure } from "../../../src/failures/ConnectionFailure.ts"

const now = Date.parse("2026-03-01T14:00:00Z")
const detail = "what the client says"
const every: { readonly [Tag in Failure["_tag"]]: Extract<Failure, { readonly _tag: Tag }> } = {
  NoAddress: { _tag: "NoAddress" },
  NoKey: { _tag: "NoKey" },
  NoPermission: { _tag: "NoPermission", origin: "https://api.example.test" },
  WrongKey: { _tag: "WrongKey" },
  MissingScope: { _tag: "MissingScope", scope: null },
  RateLimited: { _tag: "RateLimited", until: null },
  Offline: { _tag: "Offline" },
  Unreachable: { _tag: "Unreachable" },
  ServerFault: { _tag: "ServerFault", status: 503 },
  UnreadableData: { _tag: "UnreadableData", detail },
  StorageFailed: { _tag: "StorageFailed" },
  CursorUntrusted: { _tag: "CursorUntrusted", detail },
}
const tagsWhere = (holds: (connection: Failure) => boolean) =>
  Object.values(every)
    .filter(holds)
    .map(({ _tag }) => _tag)

describe("a state of the connection", () => {
  it("ends by itself when its time is over or the network is back, and no sooner", () => {
    const limited: Failure = { _tag: "RateLimited", until: new Date(now).toISOString() }
    expect(isOver(limited, now - 1, true)).toBe(false)
    expect(isOver(limited, now, true)).toBe(true)
    expect(isOver(every.Offline, now, false)).toBe(false)
    expect(tagsWhere((connection) => isOver(connection, now, true))).toEqual(["Offline"])
  })

  it("is asked after where it may pass unseen", () => {
    expect(tagsWhere(mayPass)).toEqual(["RateLimited", "Unreachable", "ServerFault", "UnreadableData"])
    expect(mayPass({ _tag: "RateLimited", until: new Date(now).toISOString() })).toBe(false)
  })
})

describe("a sync that has failed", () => {
  const sync = begin("2026-03-01T13:00:00Z", 3, null)

  it("waits half a minute, twice as long each time, and half an hour at most", () => {
    expect([1, 2, 3, 4, 7, 8, 5_000].map((failures) => pauseMillis(failures) / 1_000)).toEqual([
      30, 60, 120, 240, 1_800, 1_800, 1_800,
    ])
  })

  it("resumes by itself where waiting can help, and by the user's hand where only that can", () => {
    const after = (connection: Failure) => afterFailure(sync, connection, now)
    expect(tagsWhere((connection) => (after(connection)?.notBefore ?? 0) > now)).toEqual([
      "RateLimited",
      "Offline",
      "Unreachable",
      "ServerFault",
      "UnreadableData",
      "StorageFailed",
    ])
    expect(after(every.WrongKey)).toMatchObject({ notBefore: null, pause: null, after: 3 })
    expect(after(every.CursorUntrusted)).toBeNull()
  })

  it("keeps to the time that the service named, however many failures there were", () => {
    const until = "2026-03-01T15:30:00.000Z"
    const limited = afterFailure({ ...sync, failures: 9 }, { _tag: "RateLimited", until }, now)
    expect(limited).toMatchObject({ notBefore: Date.parse(until), pause: "rate-limited", failures: 10 })
    const past = afterFailure(sync, { _tag: "RateLimited", until: "2026-03-01T13:00:00Z" }, now)
    expect(past?.notBefore).toBe(now + 1_000)
  })
})

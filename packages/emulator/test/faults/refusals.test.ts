import { make } from "@deedkit/emulator"
import { describe, expect, it } from "vitest"
import { ask, instantClock, statusOf } from "../asking.ts"

const path = "/v1/contracts/"
const statuses = async (emulator: ReturnType<typeof make>, count: number) => {
  const seen: Array<number> = []
  for (let i = 0; i < count; i++) seen.push(await statusOf(emulator, path))
  return seen
}

describe("rate-limit", () => {
  const retryAfter = async (fault: Parameters<typeof make>[0]) => {
    const answer = await ask(make({ clock: instantClock(Date.UTC(2026, 0, 1)), ...fault }), path)
    expect(answer.status).toBe(429)
    return answer.headers.get("retry-after")
  }

  it("carries each form of Retry-After", async () => {
    expect(await retryAfter({ faults: [{ name: "rate-limit" }] })).toBe("1")
    expect(await retryAfter({ faults: [{ name: "rate-limit", retryAfter: 7 }] })).toBe("7")
    expect(await retryAfter({ faults: ["rate-limit:retryAfter=7"] })).toBe("7")
    expect(await retryAfter({ faults: ["rate-limit:retryAfter=date"] })).toBe("Thu, 01 Jan 2026 00:00:05 GMT")
    expect(await retryAfter({ faults: ["rate-limit:retryAfter=past-date"] })).toBe(
      "Wed, 31 Dec 2025 23:59:00 GMT",
    )
    expect(await retryAfter({ faults: ["rate-limit:retryAfter=soon, please"] })).toBe("soon, please")
    expect(await retryAfter({ faults: ["rate-limit:retryAfter=null"] })).toBeNull()
    expect(await retryAfter({ faults: [{ name: "rate-limit", retryAfter: null }] })).toBeNull()
  })
})

describe("storm", () => {
  it("answers 429 for its period, counted from its first hit, and is over then", async () => {
    let now = 0
    const emulator = make({
      clock: { now: () => now, sleep: async () => {} },
      faults: ["storm:ms=1000,requests=2"],
    })
    const at = async (ms: number) => {
      now = ms
      return statusOf(emulator, path)
    }
    expect(await at(0)).toBe(200)
    expect(await at(500)).toBe(429)
    expect(await at(1499)).toBe(429)
    expect(await at(1500)).toBe(200)
    expect(await at(9000)).toBe(200)
    expect(emulator.journal.entries.at(-1)?.fault).toBeNull()
  })
})

describe("quota", () => {
  it("lets so many requests through in each window and says when the next begins", async () => {
    let now = 300
    const emulator = make({
      clock: { now: () => now, sleep: async () => {} },
      faults: [{ name: "quota", limit: 2, windowMs: 2000 }],
    })
    expect(await statuses(emulator, 3)).toEqual([200, 200, 429])
    expect((await ask(emulator, path)).headers.get("retry-after")).toBe("2")
    now = 2000
    expect(await statuses(emulator, 3)).toEqual([200, 200, 429])
  })
})

describe("server-error", () => {
  it("answers its status, with Retry-After where it is given one", async () => {
    expect(await statuses(make({ faults: ["server-error"] }), 1)).toEqual([500])
    const answer = await ask(make({ faults: [{ name: "server-error", status: 503, retryAfter: 3 }] }), path)
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "3"])
    expect(await answer.json()).toMatchObject({ ok: false, error: "server_error" })
  })
})

describe("burst", () => {
  it("answers 503 to so many in a row and never again", async () => {
    expect(await statuses(make({ faults: ["burst:count=2"] }), 5)).toEqual([503, 503, 200, 200, 200])
    expect(await statuses(make({ faults: ["burst:count=2,requests=2"] }), 5)).toEqual([
      200, 503, 503, 200, 200,
    ])
  })
})

describe("status", () => {
  it.each([400, 403, 404, 408, 410, 418, 425, 451, 599])("answers %d", async (code) => {
    expect(await statusOf(make({ faults: [{ name: "status", code }] }), path)).toBe(code)
  })

  it("sends no body where the status allows none", async () => {
    const answer = await ask(make({ faults: ["status:code=204"] }), path)
    expect([answer.status, answer.body]).toEqual([204, null])
  })
})

describe("redirect", () => {
  it.each([
    ["same-origin", "http://emulator.test/moved/v1/contracts/?limit=1"],
    ["other-host", "https://elsewhere.example/v1/contracts/?limit=1"],
    ["http://localhost:1/", "http://localhost:1/"],
  ])("sends the client to %s", async (to, location) => {
    const answer = await ask(make({ faults: [{ name: "redirect", to, status: 307 }] }), `${path}?limit=1`)
    expect([answer.status, answer.headers.get("location")]).toEqual([307, location])
  })
})

describe("scope-missing", () => {
  it("takes every scope, or the one that it is given", async () => {
    expect(await statuses(make({ faults: ["scope-missing"] }), 1)).toEqual([403])
    const emulator = make({ faults: ["scope-missing:scope=read:contracts"] })
    expect(await statusOf(emulator, path)).toBe(403)
    expect(await statusOf(emulator, "/v1/api-keys/")).toBe(200)
  })
})

describe("key-revoked", () => {
  it("revokes the key from a request on and leaves the store as it is", async () => {
    const emulator = make({ faults: ["key-revoked:from=3"] })
    expect(await statuses(emulator, 4)).toEqual([200, 200, 401, 401])
    expect(emulator.store.keyOf(emulator.apiKey)?.revoked_at).toBeNull()
  })
})

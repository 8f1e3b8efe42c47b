import { make } from "@deedkit/emulator"
import { describe, expect, it } from "vitest"
import { ask, instantClock, statusOf } from "./asking.ts"

describe("the journal", () => {
  it("tells what was asked and what was answered, in order", async () => {
    const emulator = make({ clock: instantClock(Date.UTC(2026, 4, 1)), faults: ["rate-limit:requests=2"] })
    const answer = await ask(emulator, "/base/v1/contracts/?limit=2&x=1&x=2")
    await ask(emulator, "/v1/me/")
    await ask(emulator, "/v1/me/", "wrong-key")
    const [list, limited, refused] = emulator.journal.entries
    expect(list).toEqual({
      n: 1,
      at: "2026-05-01T00:00:00.000Z",
      method: "GET",
      path: "/base/v1/contracts/",
      query: { limit: "2", x: "1,2" },
      status: 200,
      fault: null,
      authorized: true,
      headers: { accept: "application/json", authorization: "present" },
      bodyBytes: Number(answer.headers.get("content-length")),
      requestId: answer.headers.get("x-request-id"),
    })
    expect(limited).toMatchObject({ n: 2, status: 429, fault: "rate-limit", authorized: false })
    expect(refused).toMatchObject({ n: 3, status: 401, fault: null, authorized: false })
  })

  it("notes status 0 for a connection that was dropped", async () => {
    const emulator = make({ faults: ["latency:ms=1", "drop"], clock: instantClock() })
    await expect(ask(emulator, "/v1/me/")).rejects.toThrow("fetch failed")
    expect(emulator.journal.entries[0]).toMatchObject({ status: 0, fault: "latency+drop", bodyBytes: 0 })
  })

  it("never holds a key, wherever a client put it", async () => {
    const emulator = make()
    const { full, revoked } = emulator.secrets
    const wrong = "dk_live_something+wrong/=="
    for (const key of [full, revoked, wrong]) {
      await emulator.fetch(
        `http://emulator.test/${encodeURIComponent(key)}/v1/me/?key=${encodeURIComponent(key)}`,
        {
          headers: {
            authorization: `Bearer ${key}`,
            "x-note": `my key is ${key}`,
            "x-api-key": key,
            cookie: `k=${key}`,
          },
        },
      )
      await ask(emulator, "/v1/me/", key)
    }
    const text = JSON.stringify(emulator.journal.entries)
    for (const key of [full, revoked, wrong]) {
      expect(text).not.toContain(key)
      expect(text).not.toContain(encodeURIComponent(key))
    }
    expect(emulator.journal.entries[0]?.headers["authorization"]).toBe("present")
    await ask(emulator, "/v1/me/", null)
    expect(emulator.journal.entries.at(-1)?.headers["authorization"]).toBe("absent")
  })

  it("never holds one of the emulator's own keys that a client sent without the header", async () => {
    const emulator = make()
    await ask(emulator, `/v1/me/?key=${emulator.apiKey}`, null)
    expect(JSON.stringify(emulator.journal.entries)).not.toContain(emulator.apiKey)
  })

  it("forgets on clear and counts on", async () => {
    const emulator = make()
    await statusOf(emulator, "/v1/me/")
    const before = emulator.journal.entries
    emulator.journal.clear()
    expect(emulator.journal.entries).toEqual([])
    expect(before).toHaveLength(1)
    await statusOf(emulator, "/v1/me/")
    expect(emulator.journal.entries[0]?.n).toBe(2)
  })

  it("calls a watcher once for each answer until it is told to stop", async () => {
    const emulator = make()
    const seen: Array<number> = []
    const stop = emulator.journal.watch(({ status }) => seen.push(status))
    await statusOf(emulator, "/v1/me/")
    await statusOf(emulator, "/v1/me/", null)
    stop()
    await statusOf(emulator, "/v1/me/")
    expect(seen).toEqual([200, 401])
  })
})

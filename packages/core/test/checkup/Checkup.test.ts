import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as Checkup from "../../src/checkup/index.ts"
import type { Fetch } from "../../src/Transport.ts"
import { checked } from "../fixtures/Checked.ts"
import { startMillis, world } from "../fixtures/Setup.ts"

/** Answers with other headers than the server's. */
const withDate =
  (date: string | null) =>
  (fetch: Fetch): Fetch =>
  async (request) => {
    const { body, headers, status } = await fetch(request)
    const changed = new Headers(headers)
    if (date === null) changed.delete("date")
    else changed.set("date", date)
    return new Response(body, { status, headers: changed })
  }

describe("a checkup", () => {
  it("gives the findings of each stage when they are known, with at most 25 small requests", async () => {
    const { requests, steps } = await checked()
    expect(steps).toEqual([
      { tags: ["Address", "Tls"], requests: 3 },
      { tags: ["Clock"], requests: 3 },
      { tags: ["Key", "Scope", "Scope", "Scope"], requests: 3 },
      {
        tags: ["PageSize", "PageSize", "PageSize", "CursorParameter", "CursorType", "Order", "End"],
        requests: 9,
      },
      { tags: ["Conformity", "ById", "UnknownId"], requests: 11 },
      { tags: ["ErrorBodies", "RequestId", "RateLimited", "RateLimitHeaders"], requests: 11 },
    ])
    expect(requests).toBeLessThanOrEqual(25)
  })

  it("runs only the stages that are chosen", async () => {
    const { steps } = await checked({
      stages: ({ answers }) => [
        Checkup.endpoint("contracts"),
        Checkup.endpoint("api-keys"),
        Checkup.cursor,
        Checkup.clock(answers),
      ],
    })
    expect(steps).toEqual([
      { tags: ["Scope"], requests: 1 },
      { tags: ["Scope"], requests: 2 },
      { tags: ["CursorParameter"], requests: 4 },
      { tags: ["Clock"], requests: 4 },
    ])
  })

  it("ends where the one who listens fails", async () => {
    const { client, emulator, run } = await world()
    const failing = Checkup.run(Checkup.begin(client), [Checkup.connection, Checkup.cursor], () =>
      Effect.fail("enough"),
    )
    expect(await run(Effect.flip(failing))).toBe("enough")
    expect(emulator.journal.entries).toHaveLength(3)
  })

  it("retries as the client does, and finds that it was limited", async () => {
    const { one } = await checked({
      emulator: { faults: ["rate-limit:retryAfter=1,requests=4"] },
      client: { retry: "interactive" },
    })
    expect(one("RateLimited")).toMatchObject({ times: 1, hasRetryAfter: true })
    expect(one("PageSize")).toMatchObject({ size: 50 })
  })

  it.each([
    ["that agrees", new Date(startMillis).toUTCString(), 0],
    ["that is three days ahead", new Date(startMillis + 3 * 86_400_000).toUTCString(), 3 * 86_400_000],
    [
      "that is a year behind",
      new Date(startMillis - 365 * 86_400_000).toUTCString(),
      1_000 - 365 * 86_400_000,
    ],
    ["without a Date header", null, null],
    ["whose Date is no date", "soon", null],
  ])("finds the clock of a server %s", async (_, date, aheadMillis) => {
    expect((await checked({ around: withDate(date) })).one("Clock")).toMatchObject({ aheadMillis })
  })

  it("holds neither the key nor a value of a record in what it finds", async () => {
    const echoing =
      (fetch: Fetch): Fetch =>
      async (request) => {
        const { headers, status } = await fetch(request)
        const key = request.headers.get("authorization") ?? ""
        const body = JSON.stringify({ ok: false, [key]: key, message: `no ${key}` })
        const echoed = new Headers(headers)
        echoed.set("x-request-id", key)
        return new Response(body, { status: status === 200 ? 418 : status, headers: echoed })
      }
    for (const around of [echoing, undefined]) {
      const { emulator, findings } = await checked(around === undefined ? {} : { around })
      const text = JSON.stringify(findings)
      expect(text).not.toContain(emulator.apiKey)
      expect(text).not.toContain(emulator.store.contracts[0]!.unit_label)
      expect(findings.length).toBeGreaterThan(5)
    }
  })
})

import type { ClientEvent } from "@deedkit/core"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { moment } from "../../src/terminal/Figures.ts"
import { endlessText, make, readingText, waitText } from "../../src/session/Progress.ts"
import type * as Terminal from "../../src/terminal/Terminal.ts"
import { summary } from "../harness/Summary.ts"

const until = "2026-03-01T14:03:10.400Z"
const waiting = (details: Partial<ClientEvent.Waiting>): ClientEvent.Waiting => ({
  _tag: "Waiting",
  at: "2026-03-01T14:03:09.000Z",
  until,
  waitMillis: 1_400,
  why: "rate-limited",
  reason: "RateLimited",
  source: "retry-after",
  target: "/v1/contracts/",
  ...details,
})

describe("progress", () => {
  it("names the reason of a wait and its end", () => {
    const time = moment(until, false)
    expect(waitText(waiting({}), false)).toBe(`rate limited; the server asked for 1 s; resuming at ${time}`)
    expect(waitText(waiting({ source: "backoff" }), false)).toBe(`rate limited; resuming at ${time}`)
    // The rest of a pause that another call was asked for.
    expect(waitText(waiting({ reason: null }), false)).toBe(`rate limited; resuming at ${time}`)
    expect(waitText(waiting({ why: "retry", reason: "ServerFault", waitMillis: 420 }), false)).toBe(
      "the service failed; retrying in 0.4 s",
    )
    expect(waitText(waiting({ why: "retry", reason: "TimedOut", waitMillis: 8_000 }), false)).toBe(
      `no answer in time; retrying at ${time}`,
    )
    expect(waitText(waiting({}), true)).toBe(
      `rate limited; the server asked for 1 s; resuming at ${moment(until, true)}`,
    )
    expect(waitText(waiting({ why: "throttled", source: "rate-limiter", reason: null }), false)).toBeNull()
  })

  it("says from the second refusal on how far the rate limiter has slowed", async () => {
    const said: Array<string> = []
    const terminal = { canAnimate: false, say: (line: string) => said.push(line), live: () => {} }
    const listener = await Effect.runPromise(Effect.scoped(make(terminal as unknown as Terminal.Service)))
    for (const [requestsPerSecond, refusals] of [
      [10, 1],
      [0.5, 3],
    ] as const)
      listener({ _tag: "Slowed", at: until, requestsPerSecond, refusals })
    expect(said).toEqual(["slowed to a request in 2 seconds after 3 refusals"])
  })

  it("says after 10,000 pages that the list has not ended, and what to do", () => {
    const after = (pages: number, complete = false) =>
      endlessText(summary({ pages, records: 999_950, complete }))
    expect(after(10_000)).toBe(
      "The list of contracts has had 10,000 pages with 999,950 different records, and the service names a next one. " +
        "If the account cannot have so many, stop with Ctrl-C and run `deedkit doctor`; an export goes on with --resume.",
    )
    expect(after(20_000)).toContain("20,000 pages")
    for (const pages of [0, 1, 9_999, 10_001]) expect(after(pages)).toBeNull()
    expect(after(10_000, true)).toBeNull()
  })

  it("says so while the list is read", async () => {
    const said: Array<string> = []
    const terminal = { canAnimate: false, say: (line: string) => said.push(line), live: () => {} }
    const listener = await Effect.runPromise(Effect.scoped(make(terminal as unknown as Terminal.Service)))
    for (const pages of [9_999, 10_000, 10_001])
      listener({
        _tag: "PageRead",
        at: until,
        collection: "contracts",
        summary: summary({ pages, records: 7, complete: false }),
      } as ClientEvent.PageRead)
    expect(said).toEqual([expect.stringContaining("has had 10,000 pages with 7 different records")])
  })

  it("counts pages and records, and their rate once there is one", () => {
    expect(readingText(summary({ pages: 1, records: 1 }), 10)).toBe("contracts: 1 page, 1 record")
    expect(readingText(summary({ pages: 13, records: 1_204, collection: "api-keys" }), 2_000)).toBe(
      "API keys: 13 pages, 1,204 records, 602 a second",
    )
  })
})

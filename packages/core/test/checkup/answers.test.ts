import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { clockDifference } from "../../src/checkup/stages.ts"
import * as Checkup from "../../src/checkup/index.ts"
import type { ObservedAnswer } from "../../src/checkup/ObservedAnswers.ts"
import { world } from "../fixtures/Setup.ts"

const noon = Date.parse("2026-01-02T12:00:00.000Z")

/** An answer whose server said it was so many seconds past noon, between two moments of this machine. */
const answer = (
  seconds: number | null,
  sent: number,
  received: number,
  more: Partial<ObservedAnswer> = {},
): ObservedAnswer => ({
  status: 200,
  sentAt: noon + sent,
  receivedAt: noon + received,
  headers: seconds === null ? {} : { date: new Date(noon + 1_000 * seconds).toUTCString() },
  errorShape: null,
  ...more,
})

const found = async (stage: Checkup.Stage) => Effect.runPromise(stage(Checkup.begin((await world()).client)))

describe("the clock difference", () => {
  it.each([
    ["agrees within the second that a date leaves open", [answer(0, 300, 900)], 0],
    ["counts the way there and back in favour of agreement", [answer(5, 0, 6_000)], 0],
    ["is the least that the answers allow, ahead", [answer(60, 0, 500)], 59_500],
    ["is the least that the answers allow, behind", [answer(-60, 0, 500)], -59_000],
    ["is narrowed by every answer", [answer(60, 0, 20_000), answer(61, 0, 500)], 60_500],
    ["is unknown without a date", [answer(null, 0, 500)], null],
    ["is unknown with a date that is none", [answer(0, 0, 1, { headers: { date: "yesterday" } })], null],
    ["may be days", [answer(3 * 86_400, 0, 500)], 3 * 86_400_000 - 500],
  ] as const)("%s", async (_, answers, aheadMillis) => {
    expect(clockDifference(answers)).toBe(aheadMillis)
    expect(await found(Checkup.clock(answers))).toEqual([{ _tag: "Clock", aheadMillis, error: null }])
  })
})

describe("findings about answers", () => {
  it("hold each shape of an error once, by its status", async () => {
    const [shapes] = await found(
      Checkup.answers([
        answer(0, 0, 1, { status: 404, errorShape: "{error: string}" }),
        answer(0, 0, 1, { status: 404, errorShape: "{error: string}" }),
        answer(0, 0, 1, { status: 500, errorShape: "HTML" }),
      ]),
    )
    expect(shapes).toMatchObject({ _tag: "ErrorBodies", shapes: ["404 {error: string}", "500 HTML"] })
  })

  it("hold rate limit headers by their newest values, and count refusals", async () => {
    const headers = (left: string) => ({ "ratelimit-limit": "10", "ratelimit-remaining": left })
    expect(
      await found(
        Checkup.answers([
          answer(0, 0, 1, { headers: headers("9") }),
          answer(0, 0, 1, { headers: headers("8") }),
          answer(0, 0, 1, { status: 429, headers: { "retry-after": "1" } }),
          answer(0, 0, 1, { status: 429 }),
        ]),
      ),
    ).toMatchObject([
      { _tag: "ErrorBodies", shapes: [] },
      { _tag: "RequestId", header: null, having: 0, answers: 4 },
      { _tag: "RateLimited", times: 2, hasRetryAfter: true },
      { _tag: "RateLimitHeaders", values: { "ratelimit-limit": "10", "ratelimit-remaining": "8" } },
    ])
  })

  it("name the header of request ids that came, and how many answers had it", async () => {
    const headers = { "request-id": "r1" }
    const [, requestId] = await found(
      Checkup.answers([answer(0, 0, 1, { headers }), answer(0, 0, 1), answer(0, 0, 1, { headers })]),
    )
    expect(requestId).toMatchObject({ header: "request-id", having: 2, answers: 3 })
  })
})

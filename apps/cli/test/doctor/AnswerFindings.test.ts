import { describe, expect, it } from "vitest"
import * as AnswerFindings from "../../src/doctor/AnswerFindings.ts"
import type { ObservedAnswer } from "../../src/doctor/ObservedAnswers.ts"

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

describe("the clock difference", () => {
  it.each([
    ["agrees within the second that a date leaves open", [answer(0, 300, 900)], 0],
    ["counts the way there and back in favour of agreement", [answer(5, 0, 6_000)], 0],
    ["is the least that the answers allow, ahead", [answer(60, 0, 500)], 59_500],
    ["is the least that the answers allow, behind", [answer(-60, 0, 500)], -59_000],
    ["is narrowed by every answer", [answer(60, 0, 20_000), answer(61, 0, 500)], 60_500],
    ["is unknown without a date", [answer(null, 0, 500)], null],
  ] as const)("%s", (_, answers, millis) => {
    expect(AnswerFindings.clockDifference(answers)).toBe(millis)
  })

  it("is worth a word from five seconds on", () => {
    expect(AnswerFindings.clock([answer(4, 0, 100)]).answer).toBe("the server and this machine agree")
    expect(AnswerFindings.clock([answer(60, 0, 500)])).toMatchObject({
      answer: "the server is 60 s ahead of this machine",
      evidence: "the Date header of its answers",
    })
    expect(AnswerFindings.clock([answer(-3_600, 0, 500)]).answer).toBe(
      "the server is 60 min behind this machine",
    )
  })
})

describe("findings about answers", () => {
  it("name each shape of an error once, by its status", () => {
    const [shape] = AnswerFindings.all([
      answer(0, 0, 1, { status: 404, errorShape: "{error: string}" }),
      answer(0, 0, 1, { status: 404, errorShape: "{error: string}" }),
      answer(0, 0, 1, { status: 500, errorShape: "HTML" }),
    ])
    expect(shape).toMatchObject({ answer: "404 {error: string}; 500 HTML", certainty: "verified" })
  })

  it("show rate limit headers by their newest values, and count refusals", () => {
    const headers = (left: string) => ({ "ratelimit-limit": "10", "ratelimit-remaining": left })
    const found = AnswerFindings.all([
      answer(0, 0, 1, { headers: headers("9") }),
      answer(0, 0, 1, { headers: headers("8") }),
      answer(0, 0, 1, { status: 429 }),
      answer(0, 0, 1, { status: 429 }),
    ])
    expect(found.map(({ answer }) => answer)).toEqual([
      "no error occurred",
      "none of x-request-id, request-id, x-correlation-id",
      "429 came 2 times, without Retry-After",
      "ratelimit-limit: 10, ratelimit-remaining: 8",
    ])
  })
})

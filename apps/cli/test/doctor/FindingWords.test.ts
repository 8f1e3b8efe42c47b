import { ClientError } from "@deedkit/core"
import type * as Checkup from "@deedkit/core/checkup"
import { describe, expect, it } from "vitest"
import * as FindingWords from "../../src/doctor/FindingWords.ts"

const words = (finding: Checkup.Finding) => FindingWords.of(finding, "…a1b2")

const clock = (aheadMillis: number | null) => words({ _tag: "Clock", aheadMillis, error: null })

describe("the words of a finding", () => {
  it("say from five seconds on that the clocks differ", () => {
    expect(clock(4_900).answer).toBe("the server and this machine agree")
    expect(clock(59_500)).toMatchObject({
      answer: "the server is 60 s ahead of this machine",
      evidence: "the Date header of its answers",
    })
    expect(clock(-3_599_000).answer).toBe("the server is 60 min behind this machine")
    expect(clock(null)).toMatchObject({ answer: "the server sends no Date header", certainty: "unknown" })
  })

  it("name each shape of an error", () => {
    const shapes = ["404 {error: string}", "500 HTML"]
    expect(words({ _tag: "ErrorBodies", shapes, error: null })).toMatchObject({
      answer: "404 {error: string}; 500 HTML",
      certainty: "verified",
    })
    expect(words({ _tag: "ErrorBodies", shapes: [], error: null }).answer).toBe("no error occurred")
  })

  it("show rate limit headers by their values, and count refusals", () => {
    const tried = ["x-request-id", "request-id", "x-correlation-id"]
    const values = { "ratelimit-limit": "10", "ratelimit-remaining": "8" }
    const found: ReadonlyArray<Checkup.Finding> = [
      { _tag: "RequestId", header: null, tried, having: 0, answers: 4, error: null },
      { _tag: "RateLimited", times: 2, hasRetryAfter: false, error: null },
      { _tag: "RateLimitHeaders", values, error: null },
    ]
    expect(found.map((finding) => words(finding).answer)).toEqual([
      "none of x-request-id, request-id, x-correlation-id",
      "429 came 2 times, without Retry-After",
      "ratelimit-limit: 10, ratelimit-remaining: 8",
    ])
  })

  it.each([
    [null, "page size", true],
    [1, "limit", true],
    [500, "largest page", false],
  ])("say why a page did not come, a large one without calling it a problem: %s", (limit, about, problem) => {
    const reason: ClientError.Reason = { _tag: "ServerFault", status: 503, serverSays: null }
    const error = new ClientError.ClientError({
      reason,
      request: null,
      requestId: null,
      attempts: [],
      reading: null,
    })
    const page = { _tag: "PageSize", collection: null, limit, size: null, isLast: false, error } as const
    expect(words(page)).toMatchObject({
      about,
      answer: "the service failed (503)",
      certainty: "unknown",
      setting: null,
      problem,
    })
  })
})

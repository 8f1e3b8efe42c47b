import { describe, expect, it } from "vitest"
import { line } from "../../src/events/eventLine.ts"

const at = "2026-03-01T14:00:00.000Z"

describe("line", () => {
  it("tells of an attempt with time, target, status, duration and request id", () => {
    const attempted = {
      _tag: "Attempted",
      at,
      localId: 3,
      method: "GET",
      target: "/v1/contracts/?limit=5",
      attempt: 1,
      status: 200,
      requestId: "req_1",
      durationMillis: 12,
      outcome: "ok",
    } as const
    expect(line(attempted)).toBe(`${at} #3 GET /v1/contracts/?limit=5: 200 ok in 12 ms, request id req_1`)
    expect(
      line({ ...attempted, attempt: 2, status: null, requestId: null, outcome: "TransportFailed" }),
    ).toBe(
      `${at} #3 GET /v1/contracts/?limit=5: no status TransportFailed in 12 ms, no request id, attempt 2`,
    )
  })

  it("tells of a wait with its end, its reason and who named it", () => {
    const waiting = {
      _tag: "Waiting",
      at,
      until: "2026-03-01T14:00:02.000Z",
      waitMillis: 2_000,
      why: "rate-limited",
      reason: "RateLimited",
      source: "retry-after",
      target: "/v1/me/",
    } as const
    expect(line(waiting)).toBe(
      `${at} waiting 2000 ms until 2026-03-01T14:00:02.000Z: rate-limited (RateLimited), named by retry-after`,
    )
  })

  it("reports a page, an anomaly and schema drift, without a value of a record", () => {
    expect(
      line({ _tag: "AnomalySeen", at, collection: "contracts", anomaly: "end-sentinel", detail: "was 0" }),
    ).toBe(`${at} noted in contracts: end-sentinel: was 0`)
    expect(line({ _tag: "SchemaDrift", at, collection: "api-keys", path: "owner", found: "string" })).toBe(
      `${at} not in the specification: owner of api-keys (string)`,
    )
  })
})

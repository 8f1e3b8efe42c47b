import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Reason } from "../../src/ClientError.ts"
import { isTransient, reasonTags } from "../../src/ClientError.ts"
import type { Failure, RetryPolicy } from "../../src/RetryPolicy.ts"
import { decide, interactive, patient, retryAfterMillis } from "../../src/RetryPolicy.ts"

const now = Date.parse("2026-03-01T14:00:00Z")
const says = { serverSays: null }
const limited: Reason = { _tag: "RateLimited", status: 429, retryAt: null, source: "backoff", ...says }
const fault: Reason = { _tag: "ServerFault", status: 503, ...says }
const offline: Reason = { _tag: "TransportFailed", phase: "connect", code: null, detail: "no" }

const decideOn = (given: Partial<Failure>, policy: RetryPolicy = interactive) =>
  decide(policy, {
    reason: offline,
    attempt: 1,
    retryAfter: null,
    serviceDate: null,
    now,
    random: 0,
    ...given,
  })

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const policies = fc.constantFrom(interactive, patient)

describe("presets", () => {
  it("attempts: 4 for interactive use, 6 for exports", () => {
    expect([interactive.attempts, patient.attempts]).toEqual([4, 6])
  })

  it("longest single wait: a minute for interactive use, 15 minutes for exports", () => {
    expect([interactive.longestWaitMillis, patient.longestWaitMillis]).toEqual([60_000, 900_000])
  })
})

const transient: ReadonlyArray<Reason> = [
  ...(["connect", "request", "body"] as const).map((phase): Reason => ({
    _tag: "TransportFailed",
    phase,
    code: null,
    detail: "no",
  })),
  ...(["connect", "attempt", "idle"] as const).map((which) => ({
    _tag: "TimedOut" as const,
    which,
    afterMillis: 1,
  })),
  { _tag: "BodyInvalid", status: 200, problem: "json", bodyCharacters: 3 },
  limited,
  ...[408, 425].map((status): Reason => ({ _tag: "Rejected", status, serverSays: null })),
  ...[500, 502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 527, 529, 530, 598, 599].map(
    (status): Reason => ({ _tag: "ServerFault", status, serverSays: null }),
  ),
]
const lasting: ReadonlyArray<Reason> = [
  { _tag: "Unauthenticated", status: 401, ...says },
  { _tag: "Forbidden", status: 403, scope: null, ...says },
  { _tag: "NotFound", status: 404, ...says },
  { _tag: "NotFound", status: 410, ...says },
  ...[400, 402, 405, 406, 409, 418, 422, 451].map((status): Reason => ({
    _tag: "Rejected",
    status,
    serverSays: null,
  })),
  ...[501, 505, 507, 508, 511].map((status): Reason => ({ _tag: "ServerFault", status, serverSays: null })),
  { _tag: "Redirected", status: 302, location: null, sameOrigin: true },
  { _tag: "NotTheApi", status: 200, contentType: "text/html" },
  { _tag: "BodyInvalid", status: 200, problem: "encoding", bodyCharacters: 3 },
  { _tag: "NotOk", status: 200, ...says },
  { _tag: "EnvelopeInvalid", issues: [] },
  { _tag: "RecordInvalid", id: 1, issues: [] },
  { _tag: "ShapeMismatch", expected: "list" },
  { _tag: "IdentityMismatch", asked: 1, got: 2 },
  { _tag: "CursorIgnored", cursorParam: "before_id", evidence: { kind: "same-cursor", text: "" } },
  { _tag: "CursorRejected", cursorParam: "before_id", status: 400, ...says },
  { _tag: "PaginationStalled", evidence: { kind: "empty-pages", text: "" } },
  { _tag: "CheckpointRefused", mismatch: { field: "key" } },
  { ...offline, phase: "tls" },
  { ...offline, phase: "protocol" },
  { _tag: "TimedOut", which: "deadline", afterMillis: 1 },
  { _tag: "BodyTooLarge", maxBodyBytes: 1 },
  { _tag: "ConfigInvalid", setting: "limit", problem: "" },
]
const nameOf = (reason: Reason): string =>
  [
    reason._tag,
    "status" in reason ? reason.status : "",
    "phase" in reason ? reason.phase : "",
    "which" in reason ? reason.which : "",
  ]
    .filter((part) => part !== "")
    .join(" ")

describe("which failures are retried", () => {
  it.each(transient.map((reason) => [nameOf(reason), reason] as const))("retried: %s", (_, reason) => {
    expect(isTransient(reason)).toBe(true)
    expect(decideOn({ reason })._tag).toBe("Retry")
  })

  it.each(lasting.map((reason) => [nameOf(reason), reason] as const))("never retried: %s", (_, reason) => {
    expect(isTransient(reason)).toBe(false)
    expect(decideOn({ reason, retryAfter: "1" })).toMatchObject({ _tag: "GiveUp", why: "not-retryable" })
  })

  it("has an answer for every reason", () => {
    const asked = new Set([...transient, ...lasting].map((reason) => reason._tag))
    expect(reasonTags.filter((tag) => !asked.has(tag))).toEqual([])
  })
})

describe("delay", () => {
  it.each([
    [1, 500],
    [2, 1_000],
    [3, 2_000],
  ])("0.5 s x 2^n with full jitter: attempt %i waits at most %i ms", (attempt, most) => {
    expect(decideOn({ attempt, random: 0.999999 })).toMatchObject({ delayMillis: most })
    expect(decideOn({ attempt, random: 0.5 })).toMatchObject({ delayMillis: most / 2 })
  })

  it("is never below 0.1 s", () => {
    expect(decideOn({ random: 0 })).toMatchObject({ delayMillis: 100 })
  })

  it.each([
    ["interactive", interactive, 8_000],
    ["export", patient, 30_000],
  ] as const)("is capped: %s", (_, policy, cap) => {
    const many = { ...policy, attempts: 100 }
    expect(decideOn({ attempt: 50, random: 0.999999 }, many)).toMatchObject({ delayMillis: cap })
  })

  it("stays between 0.1 s and the cap, and knows no more than the attempt and chance", () => {
    fc.assert(
      fc.property(policies, fc.integer({ min: 1, max: 1_000 }), random, (policy, attempt, chance) => {
        const many = { ...policy, attempts: Infinity }
        const decision = decideOn({ attempt, random: chance }, many)
        expect(decision).toMatchObject({ _tag: "Retry", why: "retry", source: "backoff" })
        expect(decision.delayMillis).toBeGreaterThanOrEqual(100)
        expect(decision.delayMillis).toBeLessThanOrEqual(policy.capMillis)
      }),
    )
  })
})

describe("429 without Retry-After", () => {
  it.each([
    [1, 1_000, 2_000],
    [2, 2_000, 4_000],
    [3, 4_000, 8_000],
  ])("2 s x 2^n, half of it jitter: attempt %i waits %i to %i ms", (attempt, least, most) => {
    expect(decideOn({ reason: limited, attempt, random: 0 })).toMatchObject({ delayMillis: least })
    expect(decideOn({ reason: limited, attempt, random: 0.999999 })).toMatchObject({ delayMillis: most })
  })

  it("is capped at a minute", () => {
    fc.assert(
      fc.property(policies, fc.integer({ min: 1, max: 1_000 }), random, (policy, attempt, chance) => {
        const many = { ...policy, attempts: Infinity }
        const decision = decideOn({ reason: limited, attempt, random: chance }, many)
        const full = Math.min(60_000, 2_000 * 2 ** (attempt - 1))
        expect(decision).toMatchObject({ _tag: "Retry", why: "rate-limited", source: "backoff" })
        expect(decision.delayMillis).toBeGreaterThanOrEqual(full / 2)
        expect(decision.delayMillis).toBeLessThanOrEqual(full)
      }),
    )
  })
})

describe("Retry-After", () => {
  it.each([
    ["5", 5_000],
    [" 5 ", 5_000],
    ["3600", 3_600_000],
    ["0", 0],
    ["Sun, 01 Mar 2026 14:00:05 GMT", 5_000],
    ["Sunday, 01-Mar-26 14:00:05 GMT", 5_000],
    ["Sun Mar  1 14:00:05 2026", 5_000],
    ["Sun Mar nonsense", null],
    ["Sun, 01 Mar 2026 13:00:00 GMT", 0],
    ["", null],
    ["soon", null],
    ["-5", null],
    ["1.5", 1_500],
    ["4.0001", 4_001],
    [".5", 500],
    ["2.", 2_000],
    [".", null],
    ["1.5.5", null],
    ["1,5", null],
    ["1e3", null],
    ["5, 6", null],
    ["2026-03-01T14:00:05Z", null],
    ["Sun, nonsense", null],
    [null, null],
  ])("%j asks for %j ms", (header, millis) => {
    expect(retryAfterMillis({ retryAfter: header, serviceDate: null, now })).toBe(millis)
  })

  it.each([
    ["an hour ahead", 3_600_000],
    ["an hour behind", -3_600_000],
    ["three days ahead", 3 * 86_400_000],
  ])("a date is relative to the service's clock, even when that is %s", (_, skew) => {
    const serviceDate = new Date(now + skew).toUTCString()
    const retryAfter = new Date(now + skew + 3_000).toUTCString()
    expect(retryAfterMillis({ retryAfter, serviceDate, now })).toBe(3_000)
    expect(retryAfterMillis({ retryAfter: "3", serviceDate, now })).toBe(3_000)
  })

  it("a date is relative to this machine's clock if the answer has no date that can be read", () => {
    const retryAfter = new Date(now + 3_000).toUTCString()
    for (const serviceDate of [null, "", "yesterday", "2026-03-01T14:00:00Z"])
      expect(retryAfterMillis({ retryAfter, serviceDate, now })).toBe(3_000)
  })

  it("is a minimum, never shortened, for 429 and for 503; jitter is only added", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(limited, fault),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 3 }),
        random,
        (reason, seconds, attempt, chance) => {
          const decision = decideOn({ reason, attempt, random: chance, retryAfter: String(seconds) })
          expect(decision).toMatchObject({ _tag: "Retry", source: "retry-after" })
          expect(decision.delayMillis).toBeGreaterThanOrEqual(seconds * 1_000)
          expect(decision.delayMillis).toBeLessThanOrEqual(seconds * 1_000 + interactive.baseMillis)
        },
      ),
    )
  })

  it.each(["soon", "0", "Sun, 01 Mar 2026 13:00:00 GMT", ""])(
    "that says nothing of use (%j) leaves our own schedule",
    (retryAfter) => {
      expect(decideOn({ reason: limited, retryAfter })).toMatchObject({
        _tag: "Retry",
        delayMillis: 1_000,
        source: "backoff",
      })
    },
  )

  it.each([
    ["interactive", interactive, 60],
    ["export", patient, 900],
  ] as const)("longest single wait: is waited for up to it and not beyond, %s", (_, policy, seconds) => {
    const ask = (retryAfter: number) =>
      decideOn({ reason: limited, retryAfter: String(retryAfter), random: 0.999 }, policy)
    expect(ask(seconds)._tag).toBe("Retry")
    expect(ask(seconds + 1)).toMatchObject({ _tag: "GiveUp", why: "too-long", source: "retry-after" })
    expect(ask(3_600).delayMillis).toBeGreaterThanOrEqual(3_600_000)
  })
})

describe("attempts", () => {
  it.each([interactive, patient])(
    "are used up after $attempts, and the wait that it takes is told",
    (policy) => {
      const { attempts: attempt } = policy
      expect(decideOn({ attempt: attempt - 1 }, policy)._tag).toBe("Retry")
      expect(decideOn({ attempt, reason: limited, retryAfter: "7" }, policy)).toEqual({
        _tag: "GiveUp",
        why: "attempts",
        delayMillis: 7_000,
        source: "retry-after",
      })
    },
  )

  it("one attempt means that nothing is retried", () => {
    expect(decideOn({}, { ...interactive, attempts: 1 })).toMatchObject({ _tag: "GiveUp", why: "attempts" })
  })
})

import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import type { Action, Reason } from "../../src/ClientError.ts"
import { actionOf, actions, ClientError, reasonTags } from "../../src/ClientError.ts"

const says = { serverSays: null }
const issues = [{ path: "items", expected: "array", found: "nothing" }]

/** Every reason, in each of its forms that asks for something else; and the words by which the message asks for it. */
const table: ReadonlyArray<readonly [action: Action, words: RegExp, reason: Reason]> = [
  ["check-key", /Check the key/, { _tag: "Unauthenticated", status: 401, ...says }],
  [
    "ask-for-scope",
    /read:contracts in/,
    { _tag: "Forbidden", status: 403, scope: "read:contracts", ...says },
  ],
  ["ask-for-scope", /has the scope/, { _tag: "Forbidden", status: 403, scope: null, ...says }],
  ["check-id-or-address", /Check the id.*base URL/, { _tag: "NotFound", status: 404, ...says }],
  ["check-request", /Check the arguments/, { _tag: "Rejected", status: 422, ...says }],
  ["retry-later", /Try again later/, { _tag: "Rejected", status: 408, ...says }],
  ["check-request", /Check the arguments/, { _tag: "NotOk", status: 200, ...says }],
  [
    "wait",
    /after that time/,
    { _tag: "RateLimited", status: 429, retryAt: "2026-03-01T15:00:00.000Z", source: "retry-after", ...says },
  ],
  ["wait", /Wait a while/, { _tag: "RateLimited", status: 429, retryAt: null, source: "backoff", ...says }],
  ["retry-later", /Try again later/, { _tag: "ServerFault", status: 503, ...says }],
  [
    "check-address",
    /base URL/,
    { _tag: "Redirected", status: 301, location: "https://api.example.test/", sameOrigin: true },
  ],
  [
    "check-address",
    /base URL/,
    { _tag: "Redirected", status: 302, location: "https://example.test/", sameOrigin: false },
  ],
  ["check-address", /base URL/, { _tag: "Redirected", status: 302, location: null, sameOrigin: false }],
  ["check-address", /base URL/, { _tag: "Redirected", status: 304, location: null, sameOrigin: false }],
  ["check-address", /base URL/, { _tag: "NotTheApi", status: 200, contentType: "text/html" }],
  [
    "retry-later",
    /Try again later/,
    { _tag: "BodyInvalid", status: 200, problem: "json", bodyCharacters: 12 },
  ],
  [
    "report-to-support",
    /support to send UTF-8/,
    { _tag: "BodyInvalid", status: 200, problem: "encoding", bodyCharacters: 12 },
  ],
  ["check-address", /base URL/, { _tag: "EnvelopeInvalid", issues }],
  ["report-to-support", /to the service's support/, { _tag: "RecordInvalid", id: 12, issues }],
  ["check-address", /base URL/, { _tag: "ShapeMismatch", expected: "list" }],
  ["check-address", /base URL/, { _tag: "IdentityMismatch", asked: 1, got: 2 }],
  [
    "set-cursor-parameter",
    /set it as the cursor parameter/,
    { _tag: "CursorIgnored", cursorParam: "before_id", evidence: { kind: "same-cursor", text: "it came" } },
  ],
  [
    "set-cursor-parameter",
    /set it as the cursor parameter/,
    { _tag: "CursorRejected", cursorParam: "before_id", status: 400, ...says },
  ],
  [
    "retry-later",
    /Try again later/,
    { _tag: "PaginationStalled", evidence: { kind: "cursor-repeated", text: "page 4 named a cursor again" } },
  ],
  [
    "resume",
    /Resume from the last checkpoint/,
    { _tag: "PaginationStalled", evidence: { kind: "too-many-pages", text: "there are more than 3 pages" } },
  ],
  [
    "start-again",
    /Start again without the checkpoint/,
    { _tag: "CheckpointRefused", mismatch: { field: "key" } },
  ],
  [
    "check-certificate",
    /certificate/,
    { _tag: "TransportFailed", phase: "tls", code: "CERT_HAS_EXPIRED", detail: "expired" },
  ],
  ...(["connect", "request", "body"] as const).map(
    (phase) =>
      [
        "check-network",
        /network/,
        { _tag: "TransportFailed", phase, code: null, detail: "it failed" },
      ] as const,
  ),
  ["check-network", /network/, { _tag: "TimedOut", which: "connect", afterMillis: 10_000 }],
  ...(["attempt", "idle", "deadline"] as const).map(
    (which) => ["allow-more-time", /allow more time/, { _tag: "TimedOut", which, afterMillis: 1 }] as const,
  ),
  ["reduce-page-size", /fewer records per page/, { _tag: "BodyTooLarge", maxBodyBytes: 33_554_432 }],
  ["fix-setting", /Nothing was sent/, { _tag: "ConfigInvalid", setting: "limit", problem: "is 0" }],
]

describe("the action of an error", () => {
  it.each(table)("is %s, and the message says so: %s", (action, words, reason) => {
    expect(actionOf(reason)).toBe(action)
    const error = new ClientError({ reason, request: null, requestId: null, attempts: [], reading: null })
    expect(error.message).toMatch(words)
  })

  it("is tried for every reason", () => {
    expect(new Set(table.map(([, , reason]) => reason._tag))).toEqual(new Set(reasonTags))
  })

  it("is one of the listed ones, and each of these is some reason's", () => {
    expect(new Set(table.map(([action]) => action))).toEqual(new Set(actions))
  })

  it("stands beside each reason in the document of errors", () => {
    const readme = readFileSync(new URL("../../docs/errors.md", import.meta.url), "utf8")
    const rows = readme.split("\n").filter((line) => line.startsWith("| `"))
    const missing = table.filter(
      ([action, , { _tag }]) =>
        !rows.some((row) => row.includes(`\`${_tag}\``) && row.includes(`\`${action}\``)),
    )
    expect(missing).toEqual([])
  })

  it("asks to wait where the same call can succeed, and to change something only where it cannot", () => {
    const errors = table.map(
      ([action, , reason]) =>
        [
          action,
          new ClientError({ reason, request: null, requestId: null, attempts: [], reading: null }),
        ] as const,
    )
    const again = errors.filter(([action]) => action === "wait").map(([, error]) => error.retryable)
    expect(again).toEqual([true, true])
    const fixed = errors.filter(([action]) => /^(?:check-key|ask|check-request|fix|report)/.test(action))
    expect(fixed.filter(([, error]) => error.retryable)).toEqual([])
  })
})

/** One reason of each kind, for tests that hold for every way to fail. Refuses to know what any of them leads to. */
import type { Reason, ReasonTag } from "../src/Reason.ts"

const says = { serverSays: "no" }

type OneOfEach = { readonly [Tag in ReasonTag]: Extract<Reason, { readonly _tag: Tag }> }

const oneOfEach: OneOfEach = {
  Unauthenticated: { _tag: "Unauthenticated", status: 401, ...says },
  Forbidden: { _tag: "Forbidden", status: 403, scope: "read:contracts", ...says },
  NotFound: { _tag: "NotFound", status: 404, serverSays: null },
  Rejected: { _tag: "Rejected", status: 418, ...says },
  RateLimited: {
    _tag: "RateLimited",
    status: 429,
    retryAt: "2026-03-01T15:00:00.000Z",
    source: "retry-after",
    ...says,
  },
  ServerFault: { _tag: "ServerFault", status: 503, ...says },
  Redirected: { _tag: "Redirected", status: 302, location: "https://example.test/", sameOrigin: false },
  NotTheApi: { _tag: "NotTheApi", status: 200, contentType: "text/html" },
  BodyInvalid: { _tag: "BodyInvalid", status: 200, problem: "json", bodyCharacters: 12 },
  NotOk: { _tag: "NotOk", status: 200, ...says },
  EnvelopeInvalid: {
    _tag: "EnvelopeInvalid",
    issues: [{ path: "items", expected: "array", found: "nothing" }],
  },
  RecordInvalid: {
    _tag: "RecordInvalid",
    id: 12,
    issues: [{ path: "status", expected: "string", found: "number" }],
  },
  ShapeMismatch: { _tag: "ShapeMismatch", expected: "list" },
  IdentityMismatch: { _tag: "IdentityMismatch", asked: 1, got: 2 },
  CursorIgnored: {
    _tag: "CursorIgnored",
    cursorParam: "before_id",
    evidence: { kind: "same-records", text: "3 of its 3 records had been on the first page" },
  },
  CursorRejected: { _tag: "CursorRejected", cursorParam: "before_id", status: 400, ...says },
  PaginationStalled: {
    _tag: "PaginationStalled",
    evidence: { kind: "cursor-repeated", text: "page 4 named a cursor again" },
  },
  CheckpointRefused: { _tag: "CheckpointRefused", mismatch: { field: "key" } },
  TransportFailed: { _tag: "TransportFailed", phase: "tls", code: "CERT_HAS_EXPIRED", detail: "expired" },
  TimedOut: { _tag: "TimedOut", which: "attempt", afterMillis: 30_000 },
  BodyTooLarge: { _tag: "BodyTooLarge", maxBodyBytes: 33_554_432 },
  ConfigInvalid: { _tag: "ConfigInvalid", setting: "limit", problem: "must be a whole number from 1" },
}

export const reasons: ReadonlyArray<Reason> = Object.values(oneOfEach)

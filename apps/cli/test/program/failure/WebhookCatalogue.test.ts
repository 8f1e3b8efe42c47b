import { describe, expect, it } from "vitest"
import * as WebhookCatalogue from "../../../src/failure/WebhookCatalogue.ts"
import type { Reason } from "../../../src/failure/WebhookCatalogue.ts"
import * as ExitCode from "../../../src/failure/ExitCode.ts"

const said = "Dear Ada, your secret is wrong"

const reasons: ReadonlyArray<readonly [Reason, number]> = [
  [{ _tag: "RateLimited", status: 429, serverSays: said, retryAt: null, source: "backoff" }, 6],
  [{ _tag: "ServerFault", status: 502, serverSays: said }, 7],
  [{ _tag: "Rejected", status: 401, serverSays: said }, 8],
  [{ _tag: "Redirected", status: 302, location: "https://elsewhere.example/", sameOrigin: false }, 8],
  [{ _tag: "TimedOut", which: "attempt", afterMillis: 30_000 }, 7],
  [{ _tag: "TransportFailed", phase: "connect", code: "ECONNREFUSED", detail: said }, 7],
  [{ _tag: "TransportFailed", phase: "connect", code: null, detail: "bad port" }, 7],
  [{ _tag: "TransportFailed", phase: "tls", code: "CERT_HAS_EXPIRED", detail: said }, 7],
]

describe("the catalogue of a webhook's failures", () => {
  it.each(reasons)(
    "says of %j what happened and what to do, and nothing that the webhook said",
    (reason, code) => {
      const failure = WebhookCatalogue.failureOf(reason, "https://hooks.example.com", 6)
      expect(failure.message).toMatch(
        /^The webhook at https:\/\/hooks\.example\.com did not accept the digest after 6 attempts: \S.*\. \S.*\.$/,
      )
      expect(JSON.stringify(failure)).not.toMatch(/Ada|elsewhere/)
      expect(ExitCode.ofError(failure)).toBe(code)
    },
  )
})

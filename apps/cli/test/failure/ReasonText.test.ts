import { ClientError } from "@deedkit/core"
import { describe, expect, it } from "vitest"
import * as ReasonText from "../../src/failure/ReasonText.ts"

const issues = [
  { path: "items[0].id", expected: "integer", found: "string" },
  { path: "items[1].id", expected: "integer", found: "nothing" },
]

const table: ReadonlyArray<readonly [ClientError.Reason, string]> = [
  [{ _tag: "Unauthenticated", status: 401, serverSays: "no" }, "the key is not accepted (401)"],
  [
    { _tag: "Forbidden", status: 403, scope: "read:contracts", serverSays: null },
    "the scope read:contracts is missing (403)",
  ],
  [{ _tag: "Forbidden", status: 403, scope: null, serverSays: null }, "not allowed (403)"],
  [{ _tag: "Rejected", status: 418, serverSays: null }, "refused (418)"],
  [{ _tag: "ServerFault", status: 503, serverSays: null }, "the service failed (503)"],
  [
    { _tag: "Redirected", status: 302, location: "https://example.test/", sameOrigin: false },
    "sent elsewhere, to https://example.test/ (302)",
  ],
  [
    { _tag: "NotTheApi", status: 200, contentType: null },
    "answered with something of no stated type, not with JSON",
  ],
  [
    { _tag: "EnvelopeInvalid", issues },
    "the page is not as specified: items[0].id should be integer and is string",
  ],
  [{ _tag: "RecordInvalid", id: null, issues: [] }, "the record is not as specified"],
  [{ _tag: "ShapeMismatch", expected: "retrieve" }, "a list came where one record was asked for"],
  [
    { _tag: "TransportFailed", phase: "connect", code: "ECONNREFUSED", detail: "connect ECONNREFUSED ::1" },
    "no connection (ECONNREFUSED)",
  ],
  [
    { _tag: "TransportFailed", phase: "tls", code: "CERT", detail: "self-signed certificate" },
    "the certificate is not trusted (self-signed certificate)",
  ],
  [{ _tag: "TransportFailed", phase: "body", code: null, detail: "cut" }, "the answer broke off"],
  [{ _tag: "TimedOut", which: "attempt", afterMillis: 30_000 }, "no answer within 30 s"],
]

describe("a reason in few words", () => {
  it.each(table)("of %o is %s", (reason, words) => {
    expect(ReasonText.words(reason)).toBe(words)
  })

  it("repeats nothing that a server said", () => {
    const said = "Dear Ada, your key dk_1 is wrong"
    for (const _tag of ["Unauthenticated", "NotFound", "Rejected", "ServerFault", "NotOk"] as const) {
      expect(ReasonText.words({ _tag, status: 400, serverSays: said })).not.toContain("Ada")
    }
  })
})

import { ClientError } from "@deedkit/core"
import { ExportError } from "@deedkit/export"
import { describe, expect, it } from "vitest"
import * as Catalogue from "../../../src/failure/Catalogue.ts"
import { call } from "../../harness/InProcess.ts"

type ClientReasons = {
  readonly [Tag in ClientError.ReasonTag]: Extract<ClientError.Reason, { readonly _tag: Tag }>
}
type ExportReasons = {
  readonly [Tag in ExportError.ReasonTag]: Extract<ExportError.Reason, { readonly _tag: Tag }>
}
type Expected = readonly [headline: string, advice: RegExp]

const said = "Dear Ada, your key dk_1 is wrong"
const issues = [
  { path: "items[0].id", expected: "integer", found: "string" },
  { path: "", expected: "object", found: "nothing" },
]

/** Every reason of the client: the compiler asks for a missing one. */
const clientReasons: ClientReasons = {
  Unauthenticated: { _tag: "Unauthenticated", status: 401, serverSays: said },
  Forbidden: { _tag: "Forbidden", status: 403, scope: "read:contracts", serverSays: said },
  NotFound: { _tag: "NotFound", status: 404, serverSays: said },
  Rejected: { _tag: "Rejected", status: 418, serverSays: said },
  RateLimited: {
    _tag: "RateLimited",
    status: 429,
    retryAt: "2026-03-01T14:03:10.000Z",
    source: "retry-after",
    serverSays: said,
  },
  ServerFault: { _tag: "ServerFault", status: 503, serverSays: said },
  Redirected: { _tag: "Redirected", status: 302, location: "https://example.test/", sameOrigin: false },
  NotTheApi: { _tag: "NotTheApi", status: 200, contentType: "text/html" },
  BodyInvalid: { _tag: "BodyInvalid", status: 200, problem: "json", bodyCharacters: 7 },
  NotOk: { _tag: "NotOk", status: 200, serverSays: said },
  EnvelopeInvalid: { _tag: "EnvelopeInvalid", issues },
  RecordInvalid: { _tag: "RecordInvalid", id: 7, issues: [] },
  ShapeMismatch: { _tag: "ShapeMismatch", expected: "retrieve" },
  IdentityMismatch: { _tag: "IdentityMismatch", asked: 7, got: 8 },
  CursorIgnored: {
    _tag: "CursorIgnored",
    cursorParam: "before_id",
    evidence: { kind: "same-records", text: "page 2 has the records of page 1" },
  },
  CursorRejected: { _tag: "CursorRejected", cursorParam: "after", status: 422, serverSays: said },
  PaginationStalled: {
    _tag: "PaginationStalled",
    evidence: { kind: "cursor-repeated", text: "a cursor came again" },
  },
  CheckpointRefused: { _tag: "CheckpointRefused", mismatch: { field: "origin" } },
  TransportFailed: {
    _tag: "TransportFailed",
    phase: "connect",
    code: "ECONNREFUSED",
    detail: "connect ECONNREFUSED ::1",
  },
  TimedOut: { _tag: "TimedOut", which: "attempt", afterMillis: 30_000 },
  BodyTooLarge: { _tag: "BodyTooLarge", maxBodyBytes: 33_554_432 },
  ConfigInvalid: { _tag: "ConfigInvalid", setting: "rate", problem: "must be a number" },
}

const clientTexts: { readonly [Tag in ClientError.ReasonTag]: Expected } = {
  Unauthenticated: ["the service did not accept the API key (401)", /`deedkit auth login`/],
  Forbidden: ["the API key lacks the scope read:contracts (403)", /key with read:contracts/],
  NotFound: ["not found (404)", /Check the id/],
  Rejected: ["the service rejected the request (418)", /Check the arguments/],
  RateLimited: ["rate limited (429), not before 2026-03-01T14:03:10.000Z", /after that time.*--rate N/],
  ServerFault: ["the service failed (503)", /Try again later/],
  Redirected: ["the service redirects to https://example.test/ (302)", /not followed.*--base-url/],
  NotTheApi: ["the answer is text/html, not JSON (200)", /--base-url/],
  BodyInvalid: ["the answer is not valid JSON (7 characters); it may be truncated", /Try again later/],
  NotOk: ["the service answered that the request failed (200)", /Check the arguments/],
  EnvelopeInvalid: [
    "the page is not as specified: items[0].id should be integer and is string; it should be object and is nothing",
    /--base-url/,
  ],
  RecordInvalid: ["record 7 is not as specified", /reject such records and continue/],
  ShapeMismatch: ["the service returned a list instead of one record", /not used/],
  IdentityMismatch: ["the service returned record 8 instead of record 7", /not used/],
  CursorIgnored: [
    "the service ignored the cursor ?before_id=: page 2 has the records of page 1",
    /--cursor-param NAME/,
  ],
  CursorRejected: ["the service rejected the cursor ?after= (422)", /--cursor-param NAME/],
  PaginationStalled: ["pagination does not end: a cursor came again", /not complete/],
  CheckpointRefused: ["the checkpoint belongs to another read: its origin differs", /without --resume/],
  TransportFailed: ["no connection (ECONNREFUSED)", /the network/],
  TimedOut: ["no complete answer within 30 s", /--timeout N.*--page-size N/],
  BodyTooLarge: ["the answer is larger than 32 MiB", /--page-size N/],
  ConfigInvalid: ["rate: must be a number", /Nothing was sent/],
}

const members = [{ path: "id", expected: "integer", found: "string", records: 2 }]

/** Every reason of an export: the compiler asks for a missing one. */
const exportReasons: ExportReasons = {
  TargetExists: { _tag: "TargetExists", path: "/a.csv" },
  TargetFolderMissing: { _tag: "TargetFolderMissing", folder: "/out" },
  TargetIsFolder: { _tag: "TargetIsFolder", path: "/out" },
  TargetNotWritable: { _tag: "TargetNotWritable", path: "/a.csv", code: "EACCES" },
  NameTooLong: { _tag: "NameTooLong", path: "/a.csv" },
  TargetBusy: { _tag: "TargetBusy", path: "/a.csv" },
  TargetMounted: { _tag: "TargetMounted", path: "/a.csv" },
  NotOwn: { _tag: "NotOwn", path: "/a.csv", problem: "is not a regular file" },
  DiskFull: { _tag: "DiskFull", path: "-" },
  SinkClosed: { _tag: "SinkClosed", target: "-" },
  FileMissing: { _tag: "FileMissing", path: "/a.csv" },
  FileFailed: { _tag: "FileFailed", path: "/a.csv", step: "inspect", code: null },
  ColumnUnknown: { _tag: "ColumnUnknown", name: "staus", nearest: "status", valid: ["id", "status"] },
  ColumnsMissing: { _tag: "ColumnsMissing", valid: ["id", "status"] },
  FilterInvalid: { _tag: "FilterInvalid", text: "id", expected: "COLUMN=VALUE" },
  TooManyRejected: { _tag: "TooManyRejected", rejected: 3, seen: 20, members },
  RejectedHaveNoFile: { _tag: "RejectedHaveNoFile", target: "-", id: 7, members },
  ReadIncomplete: { _tag: "ReadIncomplete", target: "/a.csv", pages: 2, records: 90 },
  RecordsUnreadable: { _tag: "RecordsUnreadable", path: "/a.csv.part.records", isNewer: false },
  RunUnderWay: { _tag: "RunUnderWay", path: "/a.csv.part.records" },
  ResumeRefused: { _tag: "ResumeRefused", path: "/a.csv.part.records", field: "formats" },
  TooManyRows: { _tag: "TooManyRows", format: "xlsx", maxRows: 1_048_575 },
  OneTableOnly: { _tag: "OneTableOnly", target: "-", format: "csv" },
  TargetTwice: { _tag: "TargetTwice", path: "/a.csv" },
  TimeZoneUnknown: { _tag: "TimeZoneUnknown", name: "Atlantis" },
  Unreadable: { _tag: "Unreadable", path: "/a.csv", expected: "a manifest" },
  NotAsExported: { _tag: "NotAsExported", path: "/a.csv", state: "changed" },
}

const exportTexts: { readonly [Tag in ExportError.ReasonTag]: Expected } = {
  TargetExists: ["/a.csv already exists", /--overwrite/],
  TargetFolderMissing: ["The folder /out does not exist", /--out/],
  TargetIsFolder: ["/out is a folder", /--out/],
  TargetNotWritable: ["/a.csv cannot be written (EACCES)", /permissions/],
  NameTooLong: ["The name /a.csv is too long", /--out/],
  TargetBusy: ["/a.csv is open in another program", /Close it/],
  TargetMounted: ["/a.csv is mounted by itself, so it cannot be replaced", /Mount its folder/],
  NotOwn: ["/a.csv is not a regular file", /Remove it/],
  DiskFull: ["No space left on the disk for standard output", /Free some space/],
  SinkClosed: ["The reader of standard output closed it before the end", /not the whole table/],
  FileMissing: ["/a.csv does not exist", /Check the path/],
  FileFailed: ["Could not open /a.csv (no code)", /try again/],
  ColumnUnknown: ['Unknown column "staus"', /Did you mean "status"\? Columns: id, status\./],
  ColumnsMissing: ["No column is selected", /--columns: id, status/],
  FilterInvalid: ['Invalid condition "id": it takes COLUMN=VALUE', /Nothing was sent/],
  TooManyRejected: [
    "3 of 20 records are not as specified: id should be integer and is string (2 times)",
    /--max-rejects N/,
  ],
  RejectedHaveNoFile: [
    "Record 7 is not as specified: id should be integer and is string (2 times)",
    /--out FILE/,
  ],
  ReadIncomplete: [
    "The list ended after 90 records in 2 pages without the end that the service specifies",
    /not complete/,
  ],
  RecordsUnreadable: ["/a.csv.part.records does not hold an interrupted export", /not changed/],
  RunUnderWay: ["Another export is writing the same file (/a.csv.part.records)", /Wait for it/],
  ResumeRefused: [
    "The export in /a.csv.part.records cannot be resumed: its formats differ",
    /without --resume/,
  ],
  TooManyRows: ["The table has more than 1048575 rows, the most that xlsx can hold", /--format.*--where/],
  OneTableOnly: ["Standard output holds one table as csv, not several", /--out.*--format xlsx/],
  TargetTwice: ["/a.csv would be written twice", /--out/],
  TimeZoneUnknown: ['Unknown time zone "Atlantis"', /--time-zone/],
  Unreadable: ["/a.csv is not a manifest that can be read", /export again/],
  NotAsExported: ["/a.csv does not match its manifest", /Do not rely on it/],
}

const entries = [
  ...Object.values(clientReasons).map(
    (reason) => [reason._tag, Catalogue.ofClient(reason), clientTexts[reason._tag]] as const,
  ),
  ...Object.values(exportReasons).map(
    (reason) => [reason._tag, Catalogue.ofExport(reason), exportTexts[reason._tag]] as const,
  ),
]

describe("the catalogue of failures", () => {
  it.each(entries)("says of %s what happened and what to do", (_, { advice, headline }, [text, help]) => {
    expect(headline).toBe(text)
    expect(advice).toMatch(help)
    expect(advice).toMatch(/\.$/)
  })

  it("names only flags that exist", async () => {
    const helps = await Promise.all(
      [["export", "contracts"], ["contracts", "list"], []].map((command) =>
        call([...command, "--help", "--all"]),
      ),
    )
    const help = helps.map(({ stdout }) => stdout).join("\n")
    const flags = entries.flatMap(
      ([, { advice, headline }]) => `${headline} ${advice}`.match(/--[a-z-]+/g) ?? [],
    )
    expect(flags.length).toBeGreaterThan(20)
    expect([...new Set(flags)].filter((flag) => !new RegExp(`${flag}\\b`).test(help))).toEqual([])
  })

  it.each([
    { _tag: "TargetNotWritable", path: "/a.csv", code: "EROFS" },
    { _tag: "FileFailed", path: "/folder", step: "create", code: "EROFS" },
  ] as const)("does not send a person to permissions where a file system is read-only: $_tag", (reason) => {
    expect(Catalogue.ofExport(reason).advice).toBe(
      "Its file system is mounted read-only: choose another path with --out.",
    )
  })

  it("speaks of no deadline, which no flag sets", () => {
    const { advice, headline } = Catalogue.ofClient({ ...clientReasons.TimedOut, which: "deadline" })
    expect(`${headline}. ${advice}`).toBe(
      "no complete answer within 30 s. Try again when the service is less busy.",
    )
  })

  it.each(Object.values(clientReasons))("repeats nothing that a server said: $_tag", (reason) => {
    const { advice, headline } = Catalogue.ofClient(reason)
    expect(`${headline} ${advice}`).not.toContain("Ada")
  })

  it("distinguishes a truncated body, an untrusted certificate and a missing scope from similar reasons", () => {
    const headline = (reason: ClientError.Reason): string => Catalogue.ofClient(reason).headline
    const { Forbidden, TransportFailed, TimedOut, BodyInvalid, Redirected, NotTheApi } = clientReasons
    expect(headline({ ...Forbidden, scope: null })).toBe("the API key does not grant access (403)")
    expect(headline({ ...TransportFailed, phase: "tls", detail: "self-signed" })).toBe(
      "the certificate is not trusted (self-signed)",
    )
    const proxy = "http://proxy.test:3128 (HTTPS_PROXY)"
    for (const phase of ["tls", "protocol", "connect"] as const)
      expect(headline({ ...TransportFailed, phase, proxy })).toContain(`through the proxy ${proxy}`)
    expect(
      Catalogue.ofClient({
        ...TransportFailed,
        proxy,
        code: "ERR_PROXY_TUNNEL",
        detail: "the proxy answered 407",
      }).advice,
    ).toContain("a user and a password")
    expect(
      headline({ ...TransportFailed, phase: "body", code: "Z_DATA_ERROR", detail: "incorrect header check" }),
    ).toBe("the answer could not be unpacked (incorrect header check)")
    expect(
      headline({ ...TransportFailed, code: "ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", detail: "alert" }),
    ).toBe("the server asks for a client certificate (alert)")
    expect(headline({ ...TransportFailed, phase: "body", detail: "cut" })).toBe(
      "the connection was closed before the answer was complete (cut)",
    )
    expect(headline({ ...TimedOut, which: "connect" })).toBe("no connection within 30 s")
    expect(headline({ ...BodyInvalid, problem: "encoding" })).toBe("the answer is not valid UTF-8")
    expect(headline({ ...Redirected, location: null })).toBe("the service redirects without an address (302)")
    expect(headline({ ...Redirected, status: 304 })).toContain("(not modified)")
    expect(headline({ ...NotTheApi, status: 101 })).toContain("another protocol")
    expect(headline({ ...NotTheApi, contentType: null })).toContain("of no stated type")
  })
})

describe("the message of an error", () => {
  const attempt = { at: "2026-03-01T14:00:00.000Z", status: 401, requestId: null, phase: null } as const
  const failed = { ...attempt, reason: "Unauthenticated", waitedMillis: null, why: null } as const

  it("says what was read, how often it was tried, what the server said, and what to do", () => {
    const error = new ClientError.ClientError({
      reason: clientReasons.Unauthenticated,
      request: { method: "GET", path: "/v1/contracts/", subject: "contracts" },
      requestId: "req_81",
      attempts: [failed, failed],
      reading: null,
    })
    expect(Catalogue.clientMessage(error)).toMatch(
      /^Could not read contracts from \/v1\/contracts\/ after 2 attempts: the service did not accept the API key \(401\), server says "Dear Ada, .*" \(request id req_81\)\. The key is mistyped/,
    )
  })

  it("is one line whatever the name of a file holds", () => {
    const error = new ExportError.ExportError({ reason: { _tag: "TargetExists", path: "/a\n\r.csv" } })
    expect(Catalogue.exportMessage(error)).toBe(
      "/a\u240A\u240D.csv already exists. Choose another name, or replace it with --overwrite.",
    )
  })
})

describe("a retry", () => {
  it.each([
    ["TransportFailed", "the connection failed"],
    ["TimedOut", "no answer in time"],
    ["ServerFault", "the service failed"],
    ["BodyInvalid", "the answer was truncated or invalid"],
    ["Rejected", "the service asked to try again"],
    [null, "the service asked to try again"],
  ] as const)("after %s says why", (tag, text) => {
    expect(Catalogue.ofRetry(tag)).toBe(text)
  })
})

import { expect, it } from "@effect/vitest"
import type { Reason, ReasonTag } from "../../src/error/ExportError.ts"
import { ExportError } from "../../src/error/ExportError.ts"
import { fileFailure } from "../../src/file/fileFailure.ts"

const members = [{ path: "listing.city", expected: "string", found: "null", records: 3 }]

const reasons: ReadonlyArray<readonly [Reason, string]> = [
  [{ _tag: "TargetExists", path: "/a.csv" }, "allow it to be replaced"],
  [{ _tag: "TargetFolderMissing", folder: "/b" }, "Make the folder"],
  [{ _tag: "TargetIsFolder", path: "/b" }, "Add a file name"],
  [{ _tag: "TargetNotWritable", path: "/a.csv", code: "EACCES" }, "permissions"],
  [{ _tag: "NameTooLong", path: "/a.csv" }, "Choose a shorter one"],
  [{ _tag: "TargetBusy", path: "/a.csv" }, "Close the file"],
  [{ _tag: "DiskFull", path: "/a.csv" }, "Make room"],
  [{ _tag: "SinkClosed", target: "-" }, "standard output went away"],
  [{ _tag: "FileFailed", path: "/a.csv", step: "sync", code: "EIO" }, "Could not sync /a.csv (EIO)"],
  [
    { _tag: "ColumnUnknown", name: "x", nearest: "y", valid: ["y", "z"] },
    'Did you mean "y"? The columns are: y, z.',
  ],
  [{ _tag: "ColumnsMissing", valid: ["y"] }, "Name at least one of: y."],
  [
    { _tag: "TooManyRejected", rejected: 3, seen: 20, members },
    "listing.city should be string and is null (3 times)",
  ],
  [{ _tag: "RejectedHaveNoFile", target: "-", id: 5, members }, "Record 5"],
  [
    { _tag: "TimeZonesDiffer", before: "Europe/Athens", after: "unnamed" },
    "in Europe/Athens, those of the later one in a zone that it does not name",
  ],
  [{ _tag: "ReadIncomplete", target: "/a.csv", pages: 2, records: 9 }, "9 records in 2 pages"],
  [{ _tag: "FileMissing", path: "/a.csv" }, "There is no /a.csv"],
  [{ _tag: "FilterInvalid", text: "x", expected: "a value" }, '"x" is no condition: it takes a value'],
  [{ _tag: "JournalUnreadable", path: "/a.csv.resume" }, "Move it away"],
  [{ _tag: "RunUnderWay", path: "/a.csv.resume" }, "Wait for it"],
  [{ _tag: "ResumeRefused", path: "/a.csv.resume", field: "formats" }, "Use the options of that run"],
  [{ _tag: "TooManyRows", format: "xlsx", maxRows: 9 }, "more than 9 rows"],
  [{ _tag: "OneTableOnly", target: "-", format: "csv" }, "each table gets a file of its own"],
  [{ _tag: "TargetTwice", path: "/a.csv" }, "written twice"],
  [{ _tag: "TimeZoneUnknown", name: "Mars" }, 'no time zone "Mars"'],
  [{ _tag: "Unreadable", path: "/a.csv", expected: "a table" }, "is not a table that can be read"],
  [
    { _tag: "KeyUnusable", path: "/k.pem", expected: "an Ed25519 private key as PEM", found: "an RSA key" },
    "openssl genpkey -algorithm ed25519 -out KEY",
  ],
  [
    {
      _tag: "KeyUnusable",
      path: "/k.pem",
      expected: "an Ed25519 private key as PEM",
      found: "an encrypted key",
    },
    "Decrypt it with: openssl pkey",
  ],
  [{ _tag: "NotAsExported", path: "/a.csv", state: "missing" }, "/a.csv is missing"],
]

/** Every tag, so that a new reason does not compile before it stands above. */
const tags: { readonly [Tag in ReasonTag]: true } = {
  TargetExists: true,
  TargetFolderMissing: true,
  TargetIsFolder: true,
  TargetNotWritable: true,
  NameTooLong: true,
  TargetBusy: true,
  DiskFull: true,
  SinkClosed: true,
  FileMissing: true,
  FileFailed: true,
  ColumnUnknown: true,
  ColumnsMissing: true,
  FilterInvalid: true,
  TooManyRejected: true,
  RejectedHaveNoFile: true,
  ReadIncomplete: true,
  JournalUnreadable: true,
  RunUnderWay: true,
  ResumeRefused: true,
  TooManyRows: true,
  OneTableOnly: true,
  TargetTwice: true,
  TimeZoneUnknown: true,
  TimeZonesDiffer: true,
  Unreadable: true,
  KeyUnusable: true,
  NotAsExported: true,
}

it("has words for every reason, and none names a flag or an older file that the error knows nothing of", () => {
  expect(new Set(reasons.map(([{ _tag }]) => _tag))).toEqual(new Set(Object.keys(tags)))
  const words = reasons.map(([reason]) => new ExportError({ reason }).message)
  expect(words.filter((text) => /--|older file of|old file is|no file was made/i.test(text))).toEqual([])
})

it.each(reasons)("%j says what happened and what to do", (reason, part) => {
  const error = new ExportError({ reason })
  expect(error.message).toContain(part)
  expect(error.message).toMatch(/^[^.].*\. [A-Z].*\.$/)
  expect(JSON.parse(JSON.stringify(error))).toEqual({ error: reason._tag, message: error.message, reason })
})

it.each([
  ["ENOSPC", "DiskFull"],
  ["EDQUOT", "DiskFull"],
  ["EPIPE", "SinkClosed"],
  ["ERR_STREAM_DESTROYED", "SinkClosed"],
  ["EEXIST", "TargetExists"],
  ["EBUSY", "TargetBusy"],
  ["ENAMETOOLONG", "NameTooLong"],
  ["EACCES", "TargetNotWritable"],
  ["EPERM", "TargetNotWritable"],
  ["EROFS", "TargetNotWritable"],
  ["EIO", "FileFailed"],
])("the platform's %s becomes %s", (code, tag) => {
  expect(fileFailure("write", "/a.csv")(Object.assign(new Error(), { code })).reason._tag).toBe(tag)
})

it("is one line, whatever a file is called", () => {
  const error = new ExportError({ reason: { _tag: "TargetExists", path: "/a\r\nSaved.csv" } })
  expect(error.message).toMatch(/^\/a␍␊Saved\.csv exists already\. .*$/)
})

it("a failure without a code keeps its step and path", () => {
  expect(fileFailure("write", "/a.csv")(null).reason).toEqual({
    _tag: "FileFailed",
    path: "/a.csv",
    step: "write",
    code: null,
  })
})

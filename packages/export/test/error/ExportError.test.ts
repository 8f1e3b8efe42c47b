import { expect, it } from "@effect/vitest"
import type { Action, Reason, ReasonTag } from "../../src/error/ExportError.ts"
import { actionOf, ExportError } from "../../src/error/ExportError.ts"
import { fileFailure } from "../../src/file/fileFailure.ts"

const members = [{ path: "listing.city", expected: "string", found: "null", records: 3 }]

const reasons: ReadonlyArray<readonly [Reason, string, Action]> = [
  [{ _tag: "TargetExists", path: "/a.csv" }, "allow the file to be replaced", "replace-file"],
  [{ _tag: "TargetFolderMissing", folder: "/b" }, "Create the folder", "choose-target"],
  [{ _tag: "TargetIsFolder", path: "/b" }, "Add a file name", "choose-target"],
  [{ _tag: "TargetNotWritable", path: "/a.csv", code: "EACCES" }, "permissions", "fix-permissions"],
  [{ _tag: "TargetNotWritable", path: "/a.csv", code: "EROFS" }, "mounted read-only", "fix-permissions"],
  [{ _tag: "NameTooLong", path: "/a.csv" }, "Choose a shorter name", "choose-target"],
  [{ _tag: "TargetBusy", path: "/a.csv" }, "Close the file", "close-file"],
  [{ _tag: "TargetMounted", path: "/a.csv" }, "Mount its folder", "choose-target"],
  [{ _tag: "NotOwn", path: "/a.csv", problem: "is not a regular file" }, "Remove it", "choose-target"],
  [{ _tag: "DiskFull", path: "/a.csv" }, "Free some space", "free-space"],
  [{ _tag: "SinkClosed", target: "-" }, "standard output closed it", "none"],
  [
    { _tag: "FileFailed", path: "/a.csv", step: "sync", code: "EIO" },
    "Could not sync /a.csv (EIO)",
    "check-disk",
  ],
  [
    { _tag: "ColumnUnknown", name: "x", nearest: "y", valid: ["y", "z"] },
    'Did you mean "y"? The columns are: y, z.',
    "choose-columns",
  ],
  [{ _tag: "ColumnsMissing", valid: ["y"] }, "Name at least one of: y.", "choose-columns"],
  [
    { _tag: "TooManyRejected", rejected: 3, seen: 20, members },
    "listing.city should be string and is null (3 times)",
    "review-rejected",
  ],
  [{ _tag: "RejectedHaveNoFile", target: "-", id: 5, members }, "Record 5", "export-to-file"],
  [{ _tag: "ReadIncomplete", target: "/a.csv", pages: 2, records: 9 }, "9 records in 2 pages", "retry"],
  [{ _tag: "FileMissing", path: "/a.csv" }, "/a.csv does not exist", "check-path"],
  [
    { _tag: "FilterInvalid", text: "x", expected: "a value" },
    '"x" is not a condition: it takes a value',
    "correct-filter",
  ],
  [{ _tag: "RecordsUnreadable", path: "/a.csv.part.records", isNewer: false }, "Move the file", "move-file"],
  [
    { _tag: "RecordsUnreadable", path: "/a.csv.part.records", isNewer: true },
    "Resume it with that version",
    "move-file",
  ],
  [{ _tag: "RunUnderWay", path: "/a.csv.part.records" }, "Wait until it ends", "wait"],
  [
    { _tag: "ResumeRefused", path: "/a.csv.part.records", field: "formats" },
    "Use the options of that export",
    "match-options",
  ],
  [{ _tag: "TooManyRows", format: "xlsx", maxRows: 9 }, "more than 9 rows", "reduce-rows"],
  [
    { _tag: "OneTableOnly", target: "-", format: "csv" },
    "each table gets a file of its own",
    "export-to-file",
  ],
  [{ _tag: "TargetTwice", path: "/a.csv" }, "written twice", "choose-target"],
  [{ _tag: "TimeZoneUnknown", name: "Mars" }, 'no time zone "Mars"', "choose-time-zone"],
  [
    { _tag: "Unreadable", path: "/a.csv", expected: "a table" },
    "is not a table that can be read",
    "export-again",
  ],
  [{ _tag: "NotAsExported", path: "/a.csv", state: "missing" }, "/a.csv is missing", "export-again"],
]

/** Every tag, so that a new reason does not compile before it stands above. */
const tags: { readonly [Tag in ReasonTag]: true } = {
  TargetExists: true,
  TargetFolderMissing: true,
  TargetIsFolder: true,
  TargetNotWritable: true,
  NameTooLong: true,
  TargetBusy: true,
  TargetMounted: true,
  NotOwn: true,
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
  RecordsUnreadable: true,
  RunUnderWay: true,
  ResumeRefused: true,
  TooManyRows: true,
  OneTableOnly: true,
  TargetTwice: true,
  TimeZoneUnknown: true,
  Unreadable: true,
  NotAsExported: true,
}

it("has words for every reason, and none names a flag or an older file that the error knows nothing of", () => {
  expect(new Set(reasons.map(([{ _tag }]) => _tag))).toEqual(new Set(Object.keys(tags)))
  const words = reasons.map(([reason]) => new ExportError({ reason }).message)
  expect(words.filter((text) => /--|older file of|old file is|no file was made/i.test(text))).toEqual([])
})

it.each(reasons)("%j says what happened and what to do, also as an id", (reason, part, action) => {
  expect(actionOf(reason)).toBe(action)
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
  ["EBUSY", process.platform === "win32" ? "TargetBusy" : "FileFailed"],
  ["ENAMETOOLONG", "NameTooLong"],
  ["EACCES", "TargetNotWritable"],
  ["EPERM", "TargetNotWritable"],
  ["EROFS", "TargetNotWritable"],
  ["EIO", "FileFailed"],
])("the platform's %s becomes %s", (code, tag) => {
  expect(fileFailure("write", "/a.csv")(Object.assign(new Error(), { code })).reason._tag).toBe(tag)
})

it.skipIf(process.platform === "win32")("a rename that is busy means a mount, and no other program", () => {
  const { reason } = fileFailure("rename", "/a.csv")(Object.assign(new Error(), { code: "EBUSY" }))
  expect(reason).toEqual({ _tag: "TargetMounted", path: "/a.csv" })
})

it("is one line, whatever a file is called", () => {
  const error = new ExportError({ reason: { _tag: "TargetExists", path: "/a\r\nSaved.csv" } })
  expect(error.message).toMatch(/^\/a␍␊Saved\.csv already exists\. .*$/)
})

it("a failure without a code keeps its step and path", () => {
  expect(fileFailure("write", "/a.csv")(null).reason).toEqual({
    _tag: "FileFailed",
    path: "/a.csv",
    step: "write",
    code: null,
  })
})

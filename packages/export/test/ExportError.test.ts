import { expect, it } from "@effect/vitest"
import type { Reason } from "../src/ExportError.ts"
import { ExportError } from "../src/ExportError.ts"
import { fileFailure } from "../src/internal/fileFailure.ts"

const members = [{ path: "listing.city", expected: "string", found: "null", records: 3 }]

const reasons: ReadonlyArray<readonly [Reason, string]> = [
  [{ _tag: "TargetExists", path: "/a.csv" }, "--overwrite"],
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
  [{ _tag: "RejectsHaveNoPlace", target: "-", id: 5, members }, "Record 5"],
  [
    { _tag: "TimeZonesDiffer", before: "Europe/Athens", after: "unnamed" },
    "in Europe/Athens, those of the later one in a zone that it does not name",
  ],
  [{ _tag: "WalkIncomplete", target: "/a.csv", pages: 2, records: 9 }, "9 records in 2 pages"],
]

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

import { ClientError } from "@deedkit/core"
import { ExportError } from "@deedkit/export"
import { describe, expect, it } from "vitest"
import { isWorthResuming } from "../../src/export/RunExport.ts"

const clientError = (reason: ClientError.Reason) =>
  new ClientError.ClientError({ reason, request: null, requestId: null, attempts: [], reading: null })

const exportError = (reason: ExportError.Reason) => new ExportError.ExportError({ reason })

describe("what a failed export saves to resume it", () => {
  it.each([
    clientError({ _tag: "TimedOut", which: "attempt", afterMillis: 30_000 }),
    clientError({ _tag: "Unauthenticated", status: 401, serverSays: null }),
    exportError({ _tag: "DiskFull", path: "/a.csv" }),
    exportError({ _tag: "TargetExists", path: "/a.csv" }),
  ])("is kept after $reason._tag, which may pass", (error) => {
    expect(isWorthResuming(error)).toBe(true)
  })

  it.each([
    clientError({ _tag: "CursorRejected", status: 400, serverSays: null, cursorParam: "after" }),
    exportError({ _tag: "TooManyRejected", rejected: 9, seen: 20, members: [] }),
    exportError({ _tag: "TooManyRows", format: "xlsx", maxRows: 1 }),
    exportError({ _tag: "NameTooLong", path: "/a.csv" }),
    new RangeError("Maximum call stack size exceeded"),
    "a defect",
  ])("is nothing after %s, which would come again", (error) => {
    expect(isWorthResuming(error)).toBe(false)
  })
})

import type { ExportError as ExportErrors } from "@deedkit/export"
import { ExportError } from "@deedkit/export"
import { describe, expect, it } from "vitest"
import { message, of } from "../../src/failure/FlagAdvice.ts"
import { call } from "../harness/InProcess.ts"

const reasons: ReadonlyArray<ExportErrors.Reason> = [
  { _tag: "TargetExists", path: "/a.csv" },
  { _tag: "ResumeRefused", path: "/a.csv.resume", field: "formats" },
  { _tag: "TimeZonesDiffer", before: "UTC", after: "Europe/Athens" },
  { _tag: "TooManyRejected", rejected: 3, seen: 20, members: [] },
]

describe("the flag that helps with an error of an export", () => {
  it("exists", async () => {
    const { stdout } = await call(["export", "contracts", "--help"])
    for (const reason of reasons) {
      const [flag] = /--[a-z-]+/.exec(of(reason) ?? "") ?? []
      expect(stdout).toContain(`${flag} `)
    }
  })

  it("follows the words of the error, which name none", () => {
    const error = new ExportError.ExportError({ reason: { _tag: "TargetExists", path: "/a.csv" } })
    expect(message(error)).toBe(
      "/a.csv already exists. Choose another name, or allow the file to be replaced. The file was not changed. --overwrite replaces it.",
    )
  })

  it("is not made up where there is none", () => {
    const error = new ExportError.ExportError({ reason: { _tag: "DiskFull", path: "/a.csv" } })
    expect(message(error)).toBe(error.message)
  })
})

import { resolve } from "node:path"
import { describe, expect, it } from "vitest"
import { unfinished } from "../../src/export/RunExport.ts"

const resume = "deedkit export all --resume"
const none = { files: [], isPiped: false, pages: 0, resume }

describe("the end of an export that did not finish", () => {
  it("says of each file what became of it", () => {
    const files = [
      { path: resolve("new.csv"), state: "absent" },
      { path: "/out/old.csv", state: "kept" },
      { path: "/out/older.xlsx", state: "kept" },
      { path: "/out/done.json", state: "written" },
    ] as const
    expect(unfinished({ ...none, files })).toBe(
      "/out/done.json is written. /out/old.csv and /out/older.xlsx were not replaced. new.csv was not written.",
    )
  })

  it("shows the command to resume where pages are saved", () => {
    const files = [{ path: "/out/a.csv", state: "kept" }] as const
    expect(unfinished({ ...none, files, pages: 1 })).toBe(
      `/out/a.csv was not replaced. 1 page is saved. To resume:\n  ${resume}`,
    )
  })

  it("says that a pipe did not get everything", () => {
    expect(unfinished({ ...none, isPiped: true })).toBe("The output is not complete.")
  })

  it("shows nothing of a name that a terminal would act upon", () => {
    const files = [{ path: "/out/a\n\u001B[31m\u202Egnp.csv", state: "kept" }] as const
    expect(unfinished({ ...none, files })).toBe("/out/a␊␛[31m\uFFFDgnp.csv was not replaced.")
  })
})

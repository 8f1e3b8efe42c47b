import { describe, expect, it } from "vitest"
import { changeOf, entryOf, notes } from "../src/Notes.ts"

describe("notes of a release", () => {
  it("take packages and text of a changeset, whatever ends its lines", () => {
    const file = '---\n"@deedkit/export": major\ndeedkit: minor\n---\n\nFiles.\n\n- One.\n---\n- Two.\n'
    const change = { packages: ["@deedkit/export", "deedkit"], text: "Files.\n\n- One.\n---\n- Two." }
    expect(changeOf(file)).toEqual(change)
    expect(changeOf(file.replaceAll("\n", "\r\n"))).toEqual(change)
    expect(changeOf("no changeset")).toEqual({ packages: [], text: "" })
  })

  it("take the entry of one version, and none of a version that has none or an empty one", () => {
    const changelog = "# deedkit\n\n## 1.10.0\n\n### Minor\n\n- Ten.\n\n## 1.1.0\n\n- One.\n\n## 1.0.0\n"
    expect(entryOf(changelog, "1.1.0")).toBe("- One.")
    expect(entryOf(changelog, "1.10.0")).toBe("### Minor\n\n- Ten.")
    expect(entryOf(changelog, "1.0.0")).toBeNull()
    expect(entryOf(changelog, "1.1")).toBeNull()
  })

  it("have a section for each change", () => {
    expect(notes("1.0.0", [{ packages: ["a", "b"], text: "New." }])).toBe(
      "# 1.0.0\n\n## a, b\n\nNew.\n\nChecksums of all files are in SHA256SUMS.\n",
    )
  })
})

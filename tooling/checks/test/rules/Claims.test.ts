import { describe, expect, it } from "vitest"
import * as Claims from "../../src/rules/Claims.ts"
import { found, here, tried } from "../workspace.ts"

const list = (...lines: ReadonlyArray<string>) => ["# Claims", "", "Some words.", "", ...lines].join("\n")
const readme = "A key is **never**\nwritten to a file.\n"
const source = 'it("keeps the key out of every file", () => {})\n'

const findings = (text: string, files: Readonly<Record<string, string>> = {}) =>
  tried(Claims.check, {
    "packages/core/README.md": readme,
    "packages/core/test/Key.test.ts": source,
    [Claims.path]: text,
    ...files,
  })

const good = [
  "## `packages/core/README.md`",
  "",
  "- A key is never written to a file.",
  "  - `packages/core/test/Key.test.ts`: keeps the key out of every file",
]

describe("Claims", () => {
  it("every promise stands where it is said to stand, and every test that tries to break it is there", () => {
    expect(found(Claims.check)).toEqual([])
    expect(Claims.read(here.text(Claims.path)).length).toBeGreaterThan(30)
  })

  it("finds nothing in a list that is right", () => {
    expect(findings(list(...good))).toEqual([])
  })

  it.each([
    ["a test that is gone", source.replace("file", "place"), readme, "names a test that"],
    ["a promise that was changed", source, readme.replace("file", "disk"), "quotes words that"],
    ["a promise that is gone", source, "", "quotes words that"],
  ])("finds %s", (_, test, text, message) => {
    const files = { "packages/core/test/Key.test.ts": test, "packages/core/README.md": text }
    expect(findings(list(...good), files)).toEqual([expect.stringContaining(message)])
  })

  it("finds a file that is gone, of a promise and of a test", () => {
    const moved = good.map((line) => line.replace("README.md", "GUIDE.md").replace("Key.test", "Keys.test"))
    expect(findings(list(...moved))).toEqual([
      expect.stringContaining("quotes packages/core/GUIDE.md, which is gone"),
      expect.stringContaining("names packages/core/test/Keys.test.ts, which is gone"),
    ])
  })

  it("finds a promise that no test tries to break", () => {
    expect(findings(list(...good.slice(0, 3)))).toEqual([expect.stringContaining("names no test")])
  })

  it("does not take a part of a title for the title", () => {
    const short = good.map((line) => line.replace("keeps the key out of every file", "keeps the key out"))
    expect(findings(list(...short))).toEqual([expect.stringContaining("names a test that")])
  })

  it("finds that there is no list", () => {
    expect(tried(Claims.check, {})).toEqual([expect.stringContaining("is missing")])
  })
})

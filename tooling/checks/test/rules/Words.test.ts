import { describe, expect, it } from "vitest"
import * as Words from "../../src/rules/Words.ts"
import { found, tried } from "../workspace.ts"

describe("Words", () => {
  it("that were replaced stand nowhere", () => {
    expect(found(Words.check)).toEqual([])
  })

  it.each([
    ["packages/core/src/X.ts", "/** Walks a list. */", "walks"],
    ["packages/core/src/X.ts", "const walkSummary = 1", "walk"],
    ["packages/core/src/X.ts", "const isWalked = 1", "walked"],
    ["packages/core/src/X.ts", "export class IndexWalk {}", "walk"],
    ["apps/cli/README.md", "Records are set aside.", "set aside"],
    ["apps/extension/public/_locales/en/messages.json", '{"a": "A look-up failed"}', "look-up"],
    ["packages/core/src/X.ts", "// SPOOL_SIZE", "spool"],
    ["packages/core/src/X.ts", "reader.setAside(record)", "set aside"],
  ])("%s: %s", (path, text, word) => {
    expect(tried(Words.check, path, text)).toEqual([
      expect.stringContaining(`${path}:1 says "${word}"; write: `),
    ])
  })

  it.each(["page.createTreeWalker(link)", "// schema drift", "// a sidewalk, recommended, vanity"])(
    "leaves alone: %s",
    (text) => {
      expect(tried(Words.check, "packages/core/src/X.ts", text)).toEqual([])
    },
  )
})

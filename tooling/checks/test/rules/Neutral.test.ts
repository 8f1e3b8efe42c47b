import { describe, expect, it } from "vitest"
import * as Neutral from "../../src/rules/Neutral.ts"
import { found, tried } from "../workspace.ts"

describe("Neutral", () => {
  it("entries that are not for Node reach nothing of Node", () => {
    expect(found(Neutral.check)).toEqual([])
  })

  it.each([
    `import { readFile } from "node:fs/promises"`,
    `import type { Writable } from "node:stream"`,
    `import { join } from "path"`,
    `import * as Node from "@deedkit/core/node"`,
    "Buffer.from(text)",
    "process.platform",
  ])("a neutral entry may not hold: %s", (text) => {
    expect(tried(Neutral.check, { "packages/export-csv/src/index.ts": text })).toEqual([
      expect.stringContaining("packages/export-csv/src/index.ts:1 "),
    ])
  })

  it.each(["// Buffer", `const word = "process"`, "task.process(record)", "const limits = { process: 1 }"])(
    "a neutral entry may hold: %s",
    (text) => {
      expect(tried(Neutral.check, { "packages/export-csv/src/index.ts": text })).toEqual([])
    },
  )

  it("says by which way an entry reaches the file", () => {
    const findings = tried(Neutral.check, {
      "packages/export/src/index.ts": `export * from "./Table.ts"`,
      "packages/export/src/Table.ts": `import "./internal/file.ts"`,
      "packages/export/src/internal/file.ts": `\nimport "node:fs"`,
    })
    expect(findings).toEqual([
      expect.stringContaining("internal/file.ts:2 imports node:fs, yet a neutral entry reaches it"),
    ])
    expect(findings[0]).toContain("(packages/export/src/index.ts -> Table.ts -> internal/file.ts)")
  })

  it("lets the entries for Node, and what only they reach, use Node", () => {
    const findings = tried(Neutral.check, {
      "packages/export/src/index.ts": "",
      "packages/export/src/run.ts": `export * from "./Sink.ts"`,
      "packages/export/src/Sink.ts": `import "node:fs"`,
    })
    expect(findings).toEqual([])
  })
})

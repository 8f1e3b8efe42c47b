import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { oldest, tooOld } from "../../src/NodeVersion.ts"
import { bench } from "../harness/Cli.ts"

describe("the version of Node", () => {
  it.each(["0.12.18", "8.17.0", "18.20.8", "20.20.2", "22.9.0", "22.18.99", "22.2.0-pre"])(
    "%s is too old",
    (version) => {
      expect(tooOld(version)).toBe(`Node 22.19 or newer is needed; this is ${version}.`)
    },
  )

  it.each(["22.19.0", "22.23.1", "23.0.0", "24.0.0-nightly20260101abcdef", "100.1.0"])(
    "%s is new enough",
    (version) => {
      expect(tooOld(version)).toBeNull()
    },
  )

  it("is the one in the manifest", () => {
    const manifest = readFileSync(join(import.meta.dirname, "../../package.json"), "utf8")
    expect(JSON.parse(manifest)).toHaveProperty("engines.node", `>=${oldest}`)
  })
})

it("keeps quiet that SQLite is experimental on an older Node, and no other warning", async () => {
  await using it = await bench()
  const warnings = `
    process.emitWarning("SQLite is an experimental feature and might change at any time", "ExperimentalWarning")
    process.emitWarning("Something else might change", "ExperimentalWarning")`
  const later = `setTimeout(() => {${warnings}})`
  const ended = await it.run(["me"], {
    env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(later)}` },
  })
  expect(ended.code).toBe(0)
  expect(ended.stderr).not.toContain("SQLite")
  expect(ended.stderr).toContain("Something else might change")
})

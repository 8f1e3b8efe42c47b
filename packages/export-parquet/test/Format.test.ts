import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { expect, it } from "vitest"
import { parquet } from "../src/Format.ts"

it("describes itself as its writer does", async () => {
  const { flavours: _flavours, label: _label, writer: load, ...facts } = parquet
  expect((await load()).format).toEqual(facts)
})

it("loads no writer before it is asked for one", () => {
  const code = `
    import { registerHooks } from "node:module"
    const loaded = []
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
    await import("@deedkit/export-parquet/format")
    console.log(loaded.map((url) => url.replace(/.*[/]/, "")).toSorted().join(" "))
  `
  const cwd = join(import.meta.dirname, "..")
  const flags = ["--conditions=@deedkit/source", "--input-type=module", "--eval", code]
  expect(execFileSync(process.execPath, flags, { cwd, encoding: "utf8" }).trim()).toBe(
    "Format.ts Format.ts formats.ts",
  )
})

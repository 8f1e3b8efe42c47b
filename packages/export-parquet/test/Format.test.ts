import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { expect, it } from "vitest"
import { parquet } from "../src/Format.ts"
import { tableOf, written } from "./tables.ts"

it("describes itself as its writer does", async () => {
  const { flavours: _flavours, label: _label, read: _read, writer: load, ...facts } = parquet
  expect((await load()).format).toEqual(facts)
})

it("reads back what it wrote", async () => {
  const { bytes } = await written(tableOf("integer", "text"), [[[1, "=1+1"]]])
  expect(await parquet.read(bytes)).toEqual({
    _tag: "Cells",
    headings: ["c0", "c1"],
    rows: [["1", "=1+1"]],
  })
  expect(await parquet.read(new TextEncoder().encode("c0,c1\r\n"))).toBeNull()
})

it("loads neither a writer nor a reader before it is asked for one", () => {
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
    "Facts.ts Facts.ts Format.ts Limits.ts formats.ts",
  )
})

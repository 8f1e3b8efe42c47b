import { execFileSync } from "node:child_process"
import { join } from "node:path"
import type { Table } from "@deedkit/export"
import { TableWriter } from "@deedkit/export"
import { read, writer } from "@deedkit/export-parquet"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { expect, it } from "vitest"
import { parquet } from "../src/Format.ts"

const notes: Table.Table<readonly [number | null, string]> = {
  name: "notes",
  title: "Notes",
  columns: [
    { name: "id", label: "Id", kind: "integer", get: ([id]) => id },
    { name: "text", label: "Text", kind: "text", get: ([, text]) => text },
  ],
  onDemand: [],
}

const written = async (...pages: ReadonlyArray<ReadonlyArray<readonly [number | null, string]>>) =>
  Buffer.concat(
    await Effect.runPromise(Stream.runCollect(TableWriter.bytes(writer, notes, Stream.fromIterable(pages)))),
  )

it("writes a line of headings and a line a record", async () => {
  const file = await written([[1, "one"]], [[null, "two"]])
  expect(file.toString()).toBe('["Id","Text"]\n["1","one"]\n["","two"]\n')
})

it("reads back every text that it wrote", async () => {
  const texts = ["", "=1+1", 'a "b"\t;,\r\n', "Χανιά 🏠", "\uD800"]
  const file = await written(texts.map((text, at) => [at, text] as const))
  const rows = texts.map((text, at) => [String(at), text])
  expect(await parquet.read?.(file)).toEqual({ _tag: "Cells", headings: ["Id", "Text"], rows })
})

it("writes headings where there is no record", async () => {
  expect(read(await written())).toEqual({ headings: ["Id", "Text"], rows: [] })
})

it("reads nothing from what is no table", async () => {
  for (const text of ["", "{}", "[1]", '["a","b"]\n["c"]', "\u0000"]) {
    expect(await parquet.read?.(new TextEncoder().encode(text))).toBeNull()
  }
  expect(read(new Uint8Array([0xff]))).toBeNull()
})

it("describes itself as its writer does", async () => {
  const { flavours: _flavours, label: _label, read: _read, writer: load, ...facts } = parquet
  expect((await load()).format).toEqual(facts)
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

import { execFileSync } from "node:child_process"
import { join } from "node:path"
import type { Table } from "@deedkit/export"
import { TableWriter } from "@deedkit/export"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { xlsx } from "../src/Format.ts"
import { writer as direct } from "../src/XlsxWriter.ts"

const numbers: Table.Table<number> = {
  name: "numbers",
  title: "Numbers",
  columns: [
    { name: "text", label: "Text", kind: "text", get: (number) => `unit ${number * 7919} of ${number}` },
  ],
  onDemand: [],
}

const written = async (writer: TableWriter.TableWriter) => {
  const pages = Stream.make(Array.from({ length: 500 }, (_, at) => at))
  return Buffer.concat(await Effect.runPromise(Stream.runCollect(TableWriter.bytes(writer, numbers, pages))))
}

it("describes itself as its writer does", async () => {
  const { flavours, label, writer, ...facts } = xlsx
  expect((await writer()).format).toEqual(facts)
  expect([flavours, label]).toEqual([[], "Excel workbook"])
})

it("writes with the compression that is asked for, fast by default", async () => {
  const fast = await written(direct({ level: "fast" }))
  const small = await written(direct({ level: "small" }))
  expect(small.equals(fast)).toBe(false)
  expect((await written(await xlsx.writer())).equals(fast)).toBe(true)
  expect((await written(await xlsx.writer({ compression: "fast" }))).equals(fast)).toBe(true)
  expect((await written(await xlsx.writer({ compression: "small" }))).equals(small)).toBe(true)
})

it("loads neither its writer nor a library before it is asked for one", () => {
  const code = `
    import { registerHooks } from "node:module"
    const loaded = []
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
    await import("@deedkit/export-xlsx/format")
    console.log(loaded.map((url) => url.replace(/.*[/]/, "")).join(" "))
  `
  const cwd = join(import.meta.dirname, "..")
  const flags = ["--conditions=@deedkit/source", "--input-type=module", "--eval", code]
  expect(execFileSync(process.execPath, flags, { cwd, encoding: "utf8" }).trim()).toBe("Format.ts")
})

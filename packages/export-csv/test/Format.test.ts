import { execFileSync } from "node:child_process"
import { join } from "node:path"
import type { Table } from "@deedkit/export"
import { TableWriter } from "@deedkit/export"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { csv, tsv } from "../src/Format.ts"

const notes: Table.Table<readonly [number, string]> = {
  name: "notes",
  title: "Notes",
  columns: [
    { name: "id", label: "Id", kind: "integer", get: ([id]) => id },
    { name: "text", label: "Text", kind: "text", get: ([, text]) => text },
  ],
  onDemand: [],
}

const written = async (writer: TableWriter.TableWriter, texts: ReadonlyArray<string>) => {
  const page = texts.map((text, at) => [at, text] as const)
  const chunks = await Effect.runPromise(
    Stream.runCollect(TableWriter.bytes(writer, notes, Stream.make(page))),
  )
  return Buffer.concat(chunks)
}

describe.each([csv, tsv])("$name", (format) => {
  it("describes itself as its writer does", async () => {
    const { flavours: _flavours, label, writer, ...facts } = format
    expect((await writer()).format).toEqual(facts)
    expect(label).toBe(format.name.toUpperCase())
  })

  it("writes texts as they are when the guard is off", async () => {
    const file = await written(await format.writer({ formulaGuard: "off" }), ["=1"])
    expect(file.toString()).toContain("=1")
    expect(file.toString()).not.toContain("'")
  })
})

describe("a flavour of csv", () => {
  it.each([
    ["rfc4180", "Id,Text\r\n"],
    ["excel", "\uFEFFId,Text\r\n"],
    ["excel-eu", "\uFEFFId;Text\r\n"],
    ["libreoffice", "\uFEFFId,Text\r\n"],
    ["tsv", "Id\tText\r\n"],
  ])("is written by its name %s", async (flavour, head) => {
    const file = await written(await csv.writer({ flavour }), ["a"])
    expect(file.toString()).toBe(
      `${head}${head.replace("\uFEFF", "").replace("Id", "0").replace("Text", "a")}`,
    )
  })

  it("is one of those that the format lists, and the first where none or an unknown one is asked for", async () => {
    expect(csv.flavours.map(({ name }) => name)).toEqual([
      "rfc4180",
      "excel",
      "excel-eu",
      "libreoffice",
      "tsv",
    ])
    for (const options of [{}, { flavour: "toString" }, { flavour: "none" }]) {
      expect((await written(await csv.writer(options), [])).toString()).toBe("Id,Text\r\n")
    }
  })

  it("does not change tsv", async () => {
    expect((await written(await tsv.writer({ flavour: "excel" }), [])).toString()).toBe("Id\tText\r\n")
  })
})

it("loads neither a writer nor a library before it is asked for one", () => {
  const code = `
    import { registerHooks } from "node:module"
    const loaded = []
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
    await import("@deedkit/export-csv/format")
    console.log(loaded.map((url) => url.replace(/.*[/]/, "")).toSorted().join(" "))
  `
  const cwd = join(import.meta.dirname, "..")
  const flags = ["--conditions=@deedkit/source", "--input-type=module", "--eval", code]
  expect(execFileSync(process.execPath, flags, { cwd, encoding: "utf8" }).trim()).toBe(
    "Format.ts Format.ts formats.ts",
  )
})

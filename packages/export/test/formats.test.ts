import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as formats from "../src/formats.ts"
import type { FileFormat } from "../src/formats.ts"
import * as writers from "../src/index.ts"
import { bytes } from "../src/write/TableWriter.ts"
import { tableOf } from "./formats/objects.ts"

const encode = (text: string) => new TextEncoder().encode(text)
const records = [
  { id: 9007199254740993n, title: 'the "old" port\n' },
  { id: 2, title: null },
]
const all: ReadonlyArray<readonly [FileFormat, writers.TableWriter.TableWriter]> = [
  [formats.json, writers.json],
  [formats.ndjson, writers.ndjson],
]

it.each(all)("$name describes itself as its writer does, and loads that one", async (format, expected) => {
  const { flavours, label, name, read, writer, ...facts } = format
  const loaded = await writer()
  expect(loaded).toBe(expected)
  expect(loaded.format).toEqual({ name, ...facts })
  expect([label, flavours, typeof read]).toEqual([name.toUpperCase(), [], "function"])
})

it.each(all)("$name reads back what it wrote, with every digit", async (format) => {
  const written = bytes(await format.writer(), tableOf(["id", "title"]), Stream.make(records))
  const file = Buffer.concat(await Effect.runPromise(Stream.runCollect(written)))
  expect(await format.read(file)).toEqual({ _tag: "Records", records })
})

it.each([
  [formats.json, ["{}", "[1]", "[{}", "", "null", '{"a":1}\n{"a":2}']],
  [formats.ndjson, ["1\n", "[]\n", '{"a":1}\n{', "null"]],
] as const)("$name reads nothing from other texts", async (format, texts) => {
  for (const text of texts) expect(await format.read(encode(text))).toBeNull()
})

it("skips blank lines of NDJSON", async () => {
  const content = await formats.ndjson.read(encode('{"a":1}\r\n\n{"a":2}\n'))
  expect(content).toEqual({ _tag: "Records", records: [{ a: 1 }, { a: 2 }] })
})

import { expect, it } from "@effect/vitest"
import * as formats from "../src/formats.ts"
import type { FileFormat } from "../src/formats.ts"
import * as writers from "../src/index.ts"

const all: ReadonlyArray<readonly [FileFormat, writers.TableWriter.TableWriter]> = [
  [formats.json, writers.json],
  [formats.ndjson, writers.ndjson],
]

it.each(all)("$name describes itself as its writer does, and loads that one", async (format, expected) => {
  const { flavours, label, name, writer, ...facts } = format
  const loaded = await writer()
  expect(loaded).toBe(expected)
  expect(loaded.format).toEqual({ name, ...facts })
  expect([label, flavours]).toEqual([name.toUpperCase(), []])
})

import { describe, expect, it } from "@effect/vitest"
import type { Table } from "@deedkit/export"
import { TableWriter } from "@deedkit/export"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { read } from "../src/CsvReader.ts"
import { writer } from "../src/CsvWriter.ts"

interface Note {
  readonly text: string
}

const notes: Table.Table<Note> = {
  name: "notes",
  title: "Notes",
  columns: [{ name: "text", label: "'=Text", kind: "text", get: (note) => note.text }],
  onDemand: [],
}

const written = (texts: ReadonlyArray<string>) =>
  Effect.map(
    Stream.runCollect(TableWriter.bytes(writer(), notes, Stream.make(texts.map((text) => ({ text }))))),
    (chunks) => Buffer.concat(chunks).toString("utf8"),
  )

describe("reading back", () => {
  it.effect("gives every text as it was, whatever apostrophes it began with", () =>
    Effect.gen(function* () {
      const texts = ["=1+1", "'=1+1", "''=1+1", "'a", "'", "-5", "plain"]
      const text = yield* written(texts)
      expect(text).toBe(["''=Text", "'=1+1", "''=1+1", "'''=1+1", "'a", "'", "'-5", "plain", ""].join("\r\n"))
      expect(read(text)).toEqual({ headings: ["'=Text"], rows: texts.map((each) => [each]) })
    }),
  )

  it("is no table where a row is of another length", () => {
    expect(read("a,b\r\n1\r\n")).toBeNull()
  })
})

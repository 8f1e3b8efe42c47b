import { Json } from "@deedkit/core"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { json } from "../../src/formats/Json.ts"
import { unlimited } from "../../src/write/TableWriter.ts"
import { readBack, tableOf, textOf, values } from "./objects.ts"

const one = tableOf(["value"])

describe("JSON", () => {
  it.effect("is an array of objects, a record a line", () =>
    Effect.gen(function* () {
      const table = tableOf(["id", "listing.city"])
      const text = yield* textOf(json, table, [{ id: 1, "listing.city": "Αθήνα" }], [{ id: 2 }])
      expect(text).toBe('[\n{"id":1,"listing.city":"Αθήνα"},\n{"id":2,"listing.city":null}\n]\n')
    }),
  )

  it.effect("has a line a record for readers that end a line at U+0085, U+2028 and U+2029 too", () =>
    Effect.gen(function* () {
      const record = { value: { "a\u2028b": "line\u2028para\u2029nel\u0085end" } }
      const text = yield* textOf(json, one, [record, record])
      expect(text.split(/[\n\u0085\u2028\u2029]/)).toHaveLength(5)
      expect(Json.parse(text)).toEqual([record, record])
    }),
  )

  it.effect("of no record is an empty array, with and without pages", () =>
    Effect.gen(function* () {
      expect(yield* textOf(json, one)).toBe("[]\n")
      expect(yield* textOf(json, one, [], [])).toBe("[]\n")
      expect(yield* textOf(json, one, [], [{ value: 1 }], [])).toBe('[\n{"value":1}\n]\n')
    }),
  )

  it.effect("gives back every value with every digit, wherever its page begins", () =>
    Effect.gen(function* () {
      const records = values.map((value) => ({ value }))
      const expected = values.map((value) => ({ value: readBack(value) }))
      for (const size of [1, 2, 5, records.length]) {
        const pages = Array.from({ length: Math.ceil(records.length / size) }, (_, at) =>
          records.slice(at * size, (at + 1) * size),
        )
        expect(Json.parse(yield* textOf(json, one, ...pages))).toEqual(expected)
      }
    }),
  )

  it.effect("can be read by a reader that rounds, and is text that any file can hold", () =>
    Effect.gen(function* () {
      const text = yield* textOf(
        json,
        one,
        values.map((value) => ({ value })),
      )
      const read: ReadonlyArray<{ readonly value: unknown }> = JSON.parse(text)
      expect(read).toHaveLength(values.length)
      expect(read.map(({ value }) => value)).toContain("half \uFFFD a pair \uFFFD")
      expect(text).not.toMatch(/\\ud[89a-f]/i)
      expect(text.isWellFormed()).toBe(true)
    }),
  )

  it.effect("names members as the service does, whatever headings are chosen and whatever the name", () =>
    Effect.gen(function* () {
      const names = ['a "quoted" name', "back\\slash", "new\nline", "__proto__", "", "Ταμείο"]
      const text = yield* textOf(json, tableOf(names), [{}])
      const [read]: ReadonlyArray<object> = JSON.parse(text)
      expect(Object.entries(read ?? {})).toEqual(names.map((name) => [name, null]))
    }),
  )

  it.effect("of a table without columns holds empty objects", () =>
    Effect.gen(function* () {
      expect(yield* textOf(json, tableOf([]), [{}, {}])).toBe("[\n{},\n{}\n]\n")
    }),
  )

  it("says what it is", () => {
    expect(json.format).toEqual({
      name: "json",
      extensions: ["json"],
      mediaType: "application/json",
      sheets: "one",
      holdsRecords: true,
      limits: unlimited,
    })
  })
})

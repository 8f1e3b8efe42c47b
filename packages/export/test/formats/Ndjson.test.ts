import { Json } from "@deedkit/core"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { ndjson } from "../../src/formats/Ndjson.ts"
import { readBack, tableOf, textOf, values } from "./objects.ts"

const one = tableOf(["value"])

describe("NDJSON", () => {
  it.effect("is an object a line, every line ended, and nothing for no record", () =>
    Effect.gen(function* () {
      expect(yield* textOf(ndjson, one, [{ value: 1 }, {}], [], [{ value: "=2" }])).toBe(
        '{"value":1}\n{"value":null}\n{"value":"=2"}\n',
      )
      expect(yield* textOf(ndjson, one)).toBe("")
      expect(yield* textOf(ndjson, one, [])).toBe("")
    }),
  )

  it.effect("gives back every value with every digit, on a line of its own", () =>
    Effect.gen(function* () {
      const text = yield* textOf(
        ndjson,
        one,
        values.map((value) => ({ value })),
      )
      const read = text.split("\n")
      expect(read.pop()).toBe("")
      expect(read.map(Json.parse)).toEqual(values.map((value) => ({ value: readBack(value) })))
      expect(read.map((line): unknown => JSON.parse(line))).toHaveLength(values.length)
      expect(text.isWellFormed()).toBe(true)
    }),
  )

  it.effect("of a table without columns holds empty objects", () =>
    Effect.gen(function* () {
      expect(yield* textOf(ndjson, tableOf([]), [{}, {}])).toBe("{}\n{}\n")
    }),
  )

  it("says what it is", () => {
    expect(ndjson.format).toMatchObject({
      name: "ndjson",
      extension: "ndjson",
      mediaType: "application/x-ndjson",
      sheets: "one",
    })
  })
})

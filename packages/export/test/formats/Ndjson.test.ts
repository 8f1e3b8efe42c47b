import { Json } from "@deedkit/core"
import type { Contract } from "@deedkit/core"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { ndjson } from "../../src/formats/Json.ts"
import { contracts } from "../../src/tables/Contracts.ts"
import { select } from "../../src/table/Table.ts"
import * as TimeZone from "../../src/table/TimeZone.ts"
import { bytes } from "../../src/write/TableWriter.ts"
import { countedTextOf, readBack, tableOf, textOf, values } from "./objects.ts"

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

  it.effect("is one line a record for readers that end a line at U+0085, U+2028 and U+2029 too", () =>
    Effect.gen(function* () {
      const record = {
        value: { "a\u2028b": ["line\u2028para\u2029nel\u0085end\v\f\u001c\u001d\u001e", "\\u2028"] },
      }
      const text = yield* textOf(ndjson, one, [record, record])
      const lines = text.split(/[\n\r\p{Cc}\p{Zl}\p{Zp}]/u).filter((line) => line !== "")
      expect(lines.map((line): unknown => JSON.parse(line))).toEqual([record, record])
    }),
  )

  it.effect("of a table without columns holds empty objects", () =>
    Effect.gen(function* () {
      expect(yield* textOf(ndjson, tableOf([]), [{}, {}])).toBe("{}\n{}\n")
    }),
  )

  it.effect("counts by column the texts that were half of a surrogate pair", () =>
    Effect.gen(function* () {
      const table = tableOf(["plain", "text", "json"])
      const { changed, text } = yield* countedTextOf(
        ndjson,
        table,
        [{ plain: "a \\ud800 that is none", text: "\uD800", json: { "\uDC00": ["\uD800", 1n] } }],
        [{ plain: "\u{1F3E0}", text: "whole", json: ["x\uDFFF"] }],
      )
      expect(changed).toEqual({ text: 1, json: 3 })
      expect(text).toBe(
        '{"plain":"a \\\\ud800 that is none","text":"\uFFFD","json":{"\uFFFD":["\uFFFD",1]}}\n' +
          '{"plain":"\u{1F3E0}","text":"whole","json":["x\uFFFD"]}\n',
      )
    }),
  )

  describe("of contracts", () => {
    const wire =
      '{"unit_label":"2A","id":4711,"listing_id":13,"kind":"rent","status":"active","created_at":"2026-03-01T09:30:00Z","updated_at":"2026-03-02T10:00:00Z","unit_id":9007199254740993,"template_id":3,"listing":{"city":"Chania","slug":"harbour-loft","title":"Harbour loft","area":"Old port","id":13,"price":{"amount":5}},"deposit":{"months":2},"__proto__":{"own":true}}'
    const contract = Json.parse(wire) as unknown as Contract.Contract
    const linesOf = (table: typeof contracts) =>
      Effect.map(Stream.runCollect(bytes(ndjson, table, Stream.make([contract]))), (chunks) =>
        Buffer.concat(chunks).toString("utf8"),
      )

    it.effect("is the service's own record: its order, its nesting, every digit, every member", () =>
      Effect.gen(function* () {
        expect(yield* linesOf(contracts)).toBe(`${wire}\n`)
      }),
    )

    it.effect("with chosen columns has these members only, at the service's places", () =>
      Effect.gen(function* () {
        const names = ["listing.city", "id", "listing.area", "extra.deposit.months", "unit_id"]
        expect(yield* linesOf(Result.getOrThrow(select(contracts, names)))).toBe(
          '{"listing":{"city":"Chania","area":"Old port"},"id":4711,"deposit":{"months":2},"unit_id":9007199254740993}\n',
        )
      }),
    )

    it.effect("in another zone has its times and nothing else changed", () =>
      Effect.gen(function* () {
        const athens = Result.getOrThrow(TimeZone.apply(contracts, "Europe/Athens"))
        const zoned = wire
          .replace("2026-03-01T09:30:00Z", "2026-03-01T11:30:00+02:00")
          .replace("2026-03-02T10:00:00Z", "2026-03-02T12:00:00+02:00")
        expect(yield* linesOf(athens)).toBe(`${zoned}\n`)
        expect(yield* linesOf(Result.getOrThrow(select(athens, ["id", "created_at"])))).toBe(
          '{"id":4711,"created_at":"2026-03-01T11:30:00+02:00"}\n',
        )
      }),
    )
  })

  it("says what it is", () => {
    expect(ndjson.format).toMatchObject({
      name: "ndjson",
      extensions: ["ndjson", "jsonl"],
      mediaType: "application/x-ndjson",
      sheets: "one",
    })
  })
})

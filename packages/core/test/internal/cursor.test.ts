import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { CursorEvidence } from "../../src/internal/cursor.ts"
import { judgeByFirstAgain, judgeSecondPage, read, restore, save, toText } from "../../src/internal/cursor.ts"

describe("read", () => {
  it.each([
    [null, "null"],
    [0, "0"],
    [-0, "0"],
    [-1, "-1"],
    ["", '""'],
  ])("the end: %j ends a read", (value, sentinel) => {
    expect(read(value)).toEqual({ _tag: "End", sentinel })
  })

  it.each([1, 1164, Number.MAX_SAFE_INTEGER, -2, 9007199254740993n, "0", "-1", "null", " ", "opaque+/="])(
    "cursor's type: %o is a further page",
    (value) => {
      expect(read(value)).toEqual({ _tag: "More", cursor: value })
    },
  )

  it.each([undefined, true, false, 1.5, 1e300, [], {}, [4], { id: 4 }, "half \ud83d"])(
    "cursor's type: %j is nothing that can be used",
    (value) => {
      expect(read(value)).toEqual({ _tag: "Unusable" })
    },
  )

  it("cursor's type: a text or an integer that is longer than any URL may be is nothing that can be used", () => {
    expect(read("x".repeat(4_096))._tag).toBe("More")
    expect(read(10n ** 4_095n)._tag).toBe("More")
    expect(read("x".repeat(4_097))._tag).toBe("Unusable")
    expect(read(10n ** 4_096n)._tag).toBe("Unusable")
  })

  it("a cursor goes back as the digits or the text that came", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ minLength: 1 }), fc.bigInt({ min: 1n })), (cursor) => {
        expect(toText(cursor)).toBe(String(cursor))
      }),
    )
  })
})

const judge = (
  first: ReadonlyArray<number>,
  second: ReadonlyArray<number>,
  next: number | string | null = "next",
) => judgeSecondPage({ first, second, next, sent: "sent" })

describe("judgeSecondPage", () => {
  it.each<[string, ReadonlyArray<number>, ReadonlyArray<number>, CursorEvidence["kind"]]>([
    ["the same records", [9, 8, 7], [9, 8, 7], "same-records"],
    ["the same records in another order", [9, 8, 7], [7, 9, 8], "same-records"],
    ["a part of the same records", [9, 8, 7], [9, 8], "same-records"],
    ["the first page again with a new record in it", [4, 9, 2], [4, 9, 11], "same-records"],
    ["one record on both pages, and a further page", [9], [9], "same-records"],
  ])("did the server obey: not with %s", (_, first, second, kind) => {
    const verdict = judge(first, second)
    expect(verdict).toMatchObject({ _tag: "Ignored", evidence: { kind } })
  })

  it.each<[string, string | number, string | number]>([
    ["as text", "sent", "sent"],
    ["as a number", 7, 7],
    ["first as a number and then as its digits", 7, "7"],
  ])("did the server obey: not when the cursor just sent comes back %s", (_, sent, next) => {
    const verdict = judgeSecondPage({ first: [9, 8, 7], second: [6, 5, 4], sent, next })
    expect(verdict).toMatchObject({ _tag: "Ignored", evidence: { kind: "same-cursor" } })
  })

  it.each<[string, ReadonlyArray<number>, ReadonlyArray<number>]>([
    ["descending and below", [9, 8, 7], [6, 5, 4]],
    ["ascending and above", [1, 2, 3], [4, 5, 6]],
    ["ascending pages, the newest first", [7, 8, 9], [4, 5, 6]],
    ["in no order", [5, 1, 9], [7, 2, 8]],
    ["one record a page", [9], [8]],
    ["the end of page 1 once more, moved on by what was inserted", [9, 8, 7, 6], [7, 6, 5, 4]],
    ["an equal id twice in a row on page 1, and one above", [9, 9, 7], [8, 3]],
    ["records after an empty first page", [], [9, 8, 7]],
    ["the end of page 1 once more, then one from above", [9, 8, 7, 6], [7, 6, 12]],
  ])("did the server obey: yes when %s", (_, first, second) => {
    expect(judge(first, second)).toMatchObject({ _tag: "Obeyed", inclusive: false })
  })

  it.each<[string, ReadonlyArray<number>, ReadonlyArray<number>]>([
    ["descending, then from above", [9, 8, 7], [12, 11, 10]],
    ["descending, then partly above", [9, 8, 7], [6, 12]],
    ["two records that only seem to descend", [9, 7], [12, 3]],
    ["descending, then the first page one record later", [9, 8, 7], [10, 9, 8]],
    ["one record in the middle that had been on page 1", [9, 8, 7], [6, 8, 5]],
    ["some of page 1, not in its order", [5, 1, 9, 2], [2, 9, 7, 8]],
    ["the first record of page 1 in the middle", [9, 8, 7], [6, 9, 5]],
    ["more repeated records than page 1 had, the end of page 1 first", [9, 8], [8, 9, 8, 5]],
    ["a record that had been in the middle of page 1", [9, 8, 7], [8, 6]],
  ])("did the server obey: to be asked, never refused by its order alone, with %s", (_, first, second) => {
    expect(judge(first, second)).toMatchObject({ _tag: "Ambiguous", inclusive: false })
  })

  it("did the server obey: to be asked where two are left, and one of them had been in the middle of page 1", () => {
    expect(judge([9, 8, 7], [8, 6], null)).toMatchObject({ _tag: "Ambiguous", inclusive: false })
  })

  it.each([
    ["at the end of page 1", 7],
    ["in the middle of page 1", 8],
  ])("did the server obey: not with one record that had been %s, and a further page", (_, id) => {
    const text = "its only record had been on the first page"
    expect(judge([9, 8, 7], [id])).toEqual({ _tag: "Ignored", evidence: { kind: "same-records", text } })
  })

  it("did the server obey: yes when the record that the cursor names comes again, wherever it was on page 1", () => {
    const pages = { first: [8, 7, 9], second: [7, 6, 5], next: 5 }
    expect(judgeSecondPage({ ...pages, sent: 7 })).toMatchObject({ _tag: "Obeyed", inclusive: true })
    expect(judgeSecondPage({ ...pages, sent: "x" })).toMatchObject({ _tag: "Ambiguous", inclusive: false })
  })

  it("did the server obey: an empty last page shows nothing", () => {
    expect(judge([9, 8, 7], [], null)).toMatchObject({ _tag: "Inconclusive" })
  })

  it("did the server obey: an empty page that is not the last is another page", () => {
    expect(judge([9, 8, 7], [], "next")).toMatchObject({ _tag: "Obeyed", inclusive: false })
  })

  it("did the server obey: no page follows the end, whatever cursor was sent", () => {
    expect(judgeSecondPage({ first: [9], sent: "null", second: [8], next: null })._tag).toBe("Obeyed")
  })

  it.each<[string, ReadonlyArray<number>, ReadonlyArray<number>, string | null]>([
    ["descending", [9, 8, 7], [7, 6, 5], "next"],
    ["ascending", [1, 2, 3], [3, 4, 5], "next"],
    ["in no order", [5, 1, 9], [9, 2, 8], "next"],
    ["the boundary record is all that is left", [9, 8, 7], [7], null],
  ])("an overlap of the boundary record alone is an inclusive cursor: %s", (_, first, second, next) => {
    expect(judge(first, second, next)).toMatchObject({ _tag: "Obeyed", inclusive: true })
  })

  it("did the server obey: yes when pages are turned round and the record that the cursor names is all that is left", () => {
    expect(judge([7, 8, 9], [7], null)._tag).toBe("Obeyed")
  })

  it("whatever the order of the ids, the same page again is never believed", () => {
    const ids = fc.uniqueArray(fc.nat(), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(ids, (page) => {
        expect(judge(page, page)._tag).toBe("Ignored")
      }),
    )
  })

  it("whatever the order of the ids, pages cut from one list with a moving cursor are believed", () => {
    const list = fc.uniqueArray(fc.nat(), { minLength: 2, maxLength: 40 })
    const order = fc.constantFrom<(ids: ReadonlyArray<number>) => ReadonlyArray<number>>(
      (ids) => ids,
      (ids) => ids.toSorted((a, b) => a - b),
      (ids) => ids.toSorted((a, b) => b - a),
    )
    fc.assert(
      fc.property(
        list,
        order,
        fc.integer({ min: 1, max: 20 }),
        fc.boolean(),
        (given, sort, size, overlap) => {
          const ids = sort(given)
          const chance = ids.slice(0, size)
          const second = ids.slice(overlap && size > 1 ? size - 1 : size, 2 * size)
          const { _tag } = judge(chance, second, 2 * size < ids.length ? "next" : null)
          const isAbove = second.some((id) => id > chance.at(-1)!)
          const goesDown = chance.every((id, at) => at === 0 || id < chance[at - 1]!)
          // A list that seems to descend and does not is asked about, never refused.
          const others = goesDown && isAbove ? ["Obeyed", "Ambiguous"] : ["Obeyed"]
          expect(second.length === 0 ? ["Inconclusive"] : others).toContain(_tag)
        },
      ),
    )
  })

  it("the evidence is a sentence with figures and without ids", () => {
    const verdict = judge([900_001, 900_000, 899_999], [900_001, 900_000, 899_999])
    expect(verdict).toMatchObject({ evidence: { text: expect.stringContaining("3 of its 3 records") } })
    expect(JSON.stringify(verdict)).not.toMatch(/900000|899999/)
  })
})

describe("the words of the evidence", () => {
  it.each<[string, ReadonlyArray<number>, ReadonlyArray<number>]>([
    ["1 new record on the second page", [9, 8, 7], [7, 6]],
    ["2 new records on the second page", [9, 8, 7], [7, 6, 5]],
    ["3 new records on the second page", [9, 8, 7], [6, 5, 4]],
  ])("are %s", (evidence, first, second) => {
    expect(judge(first, second)).toMatchObject({ _tag: "Obeyed", evidence })
  })
})

describe("judgeByFirstAgain", () => {
  const first = [9, 8, 7]

  it("refuses a second page that is the first one of a list that has changed meanwhile", () => {
    expect(judgeByFirstAgain({ first, second: [10, 9, 8] }, [10, 9, 8])).toEqual({
      _tag: "Ignored",
      evidence: {
        kind: "same-records",
        text: "the first page, asked for again, held 3 of its 3 records",
      },
    })
  })

  it("believes one that is not the first page, which is still there", () => {
    expect(judgeByFirstAgain({ first, second: [12, 11, 10] }, [9, 8, 6])).toMatchObject({
      _tag: "Obeyed",
      inclusive: false,
      evidence: "the first page, asked for again, held 2 of its records, and 0 of the second page",
    })
  })

  it("compares as many records as the first page had: asked for again, it may be larger", () => {
    expect(judgeByFirstAgain({ first, second: [6, 5, 4] }, [9, 8, 7, 6, 5, 4])).toMatchObject({
      _tag: "Obeyed",
      evidence: "the first page, asked for again, held 3 of its records, and 0 of the second page",
    })
  })

  it.each([
    ["like both", [10, 9, 8], [9, 8]],
    ["like neither", [12, 11], [4, 3]],
    ["larger than the second one, all of which it holds", [8, 6], [8, 6, 9]],
    ["almost the second one, but for a record that it had before", [4, 5, 6, 7, 8], [5, 6, 7, 8, 9]],
  ])("does not decide by a first page that is %s", (_, second, again) => {
    expect(judgeByFirstAgain({ first, second }, again)._tag).toBe("Inconclusive")
  })
})

describe("a cursor that is kept", () => {
  it("comes back as it was: an integer of any size, or a text", () => {
    const cursors = fc.oneof(
      fc.string(),
      fc.maxSafeInteger(),
      fc.bigInt({ min: BigInt(Number.MAX_SAFE_INTEGER) + 1n }),
    )
    fc.assert(
      fc.property(cursors, (cursor) => {
        expect(restore(JSON.parse(JSON.stringify(save(cursor))))).toBe(Object.is(cursor, -0) ? 0 : cursor)
      }),
    )
  })
})

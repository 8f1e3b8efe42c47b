import { describe, expect, it } from "vitest"
import type { Cursor } from "../../../src/pagination/Cursor.ts"
import { Evidence, likeCursor, numberOf } from "../../../src/pagination/proof/Evidence.ts"

interface Dated {
  readonly id: number
  readonly at: string
}

const dated = (
  ids: ReadonlyArray<number>,
  at: (id: number, index: number) => string = () => "",
): Array<Dated> => ids.map((id, index) => ({ id, at: at(id, index) }))
const down = (from: number, count: number) => Array.from({ length: count }, (_, at) => from - at)
const up = (from: number, count: number) => Array.from({ length: count }, (_, at) => from + at)

const evidenceOf = (
  pages: ReadonlyArray<readonly [Cursor | null, ReadonlyArray<number>, Cursor | null]>,
  limit: number | null = null,
) => {
  const evidence = new Evidence()
  for (const [sent, ids, next] of pages) {
    const lastId = ids.at(-1) ?? null
    evidence.add({ sent, limit, records: dated(ids), size: ids.length, lastId, next }, ({ at }) => at)
  }
  return evidence
}

describe("what a cursor means", () => {
  it.each<[string, string, Parameters<typeof evidenceOf>[0]]>([
    ["nothing before there is one", "none", [[null, [9, 8], null]]],
    ["a position, after one page", "position", [[null, [9, 8], 2]]],
    [
      "a position, as digits",
      "position",
      [
        [null, [9, 8], "2"],
        ["2", [7, 6, 5], "5"],
      ],
    ],
    [
      "the last id",
      "last-id",
      [
        [null, [9, 8], 8],
        [8, [7, 6], 6],
      ],
    ],
    [
      "a position or an id: both are the same number",
      "position-or-id",
      [
        [null, [1, 2], 2],
        [2, [3, 4], 4],
      ],
    ],
    ["a position or an id, where ids go neither down nor up", "position-or-id", [[null, [5, 1, 3], 3]]],
    ["a position or an id, after a single record", "position-or-id", [[null, [1], 1]]],
    ["the last id, where ids go down and one is the size of its page", "last-id", [[null, [5, 4, 3], 3]]],
    [
      "a page number",
      "page-number",
      [
        [null, [9, 8, 6], 2],
        [2, [5, 4, 3], 3],
      ],
    ],
    [
      "the next id, once it has come",
      "next-id",
      [
        [null, [9, 8], 7],
        [7, [7, 6], 5],
      ],
    ],
    [
      "the next id, also where a record is gone that a cursor named which the service had not",
      "next-id",
      [
        [null, [9, 8], 7],
        [7, [7, 6], 5],
        [6, [4, 3], 2],
      ],
    ],
    ["nothing yet, before the next id has come", "opaque", [[null, [9, 8], 7]]],
    [
      "no next id, where another record came",
      "opaque",
      [
        [null, [9, 8], 7],
        [7, [6, 5], 4],
      ],
    ],
    [
      "no next id, where it stands on the page itself",
      "opaque",
      [
        [null, [9, 8, 6], 8],
        [8, [8, 5], 4],
      ],
    ],
    [
      "no position that stays where it was",
      "opaque",
      [
        [null, [9, 8], 2],
        [2, [7, 6], 2],
      ],
    ],
    ["a text", "opaque", [[null, [9, 8], "t2"]]],
    [
      "texts, however many come",
      "opaque",
      [
        [null, [9, 8], "t2"],
        ["t2", [7, 6], "t3"],
      ],
    ],
    ["digits with leading zeros", "opaque", [[null, [9, 8], "02"]]],
    ["a negative number", "opaque", [[null, [9, 8], -2]]],
    ["an integer beyond 2^53", "opaque", [[null, [9, 8], 9007199254740993n]]],
    [
      "what an empty page names says nothing",
      "position",
      [
        [null, [9, 8], 2],
        [2, [], 77],
      ],
    ],
    [
      "a position that was one by chance",
      "opaque",
      [
        [null, [9, 8], 2],
        [2, [7, 6], 77],
      ],
    ],
  ])("%s: %s", (_, meaning, pages) => {
    expect(evidenceOf(pages).meaning).toBe(meaning)
  })

  it("a position, where records are hidden after they were counted", () => {
    expect(
      evidenceOf(
        [
          [null, [9, 8], 3],
          [3, [6, 5, 4], 6],
        ],
        3,
      ).meaning,
    ).toBe("position")
    expect(
      evidenceOf([
        [null, [9, 8], 3],
        [3, [6, 5, 4], 6],
      ]).meaning,
    ).not.toBe("position")
  })

  it("no position, where it counts neither the records nor the limit", () => {
    expect(evidenceOf([[null, [9, 8], 4]], 5).meaning).toBe("opaque")
  })

  it("is ambiguous where positions and ids are the same numbers", () => {
    expect(evidenceOf([[null, [1, 2], 2]]).isAmbiguous).toBe(true)
    expect(evidenceOf([[null, [9, 8], 2]]).isAmbiguous).toBe(false)
    expect(evidenceOf([[null, [9, 8], 8]]).isAmbiguous).toBe(false)
    expect(evidenceOf([[null, [1, 2], null]]).isAmbiguous).toBe(false)
  })

  it("resumes from what a checkpoint holds", () => {
    const before = evidenceOf([[null, [9, 8], 7]])
    const { state } = before
    const after = new Evidence(JSON.parse(JSON.stringify(state)))
    after.add({ sent: 7, limit: null, records: dated([6]), size: 1, lastId: 6, next: 5 }, ({ at }) => at)
    expect(after.meaning).toBe("opaque")
    expect(new Evidence(state).state).toEqual(state)
    expect(new Evidence(state)).toMatchObject({ meaning: "opaque", orderedBy: "unknown" })
    expect(before.state).toEqual(state)
  })
})

describe("what a list is ordered by", () => {
  const orderOf = (...pages: ReadonlyArray<ReadonlyArray<Dated>>) => {
    const evidence = new Evidence()
    for (const records of pages) {
      evidence.add(
        { sent: null, limit: null, records, size: records.length, lastId: null, next: null },
        ({ at }) => at,
      )
    }
    return evidence
  }
  const time = (number: number) => `t${String(100 + number)}`

  it("is the id, down or up, where no time says more", () => {
    expect(orderOf(dated(down(30, 21))).orderedBy).toBe("id")
    expect(orderOf(dated(up(1, 21))).orderedBy).toBe("id")
  })

  it("is not known before 20 steps from record to record", () => {
    expect(orderOf(dated(down(30, 20))).orderedBy).toBe("unknown")
    expect(orderOf(dated(down(30, 11)), dated(down(60, 11))).orderedBy).toBe("id")
  })

  it("is the id where times do not follow it", () => {
    const at = (id: number) => time((id * 7) % 13)
    expect(orderOf(dated(down(30, 21), at)).orderedBy).toBe("id")
    expect(orderOf(dated(up(1, 21), at)).orderedBy).toBe("id")
  })

  it("is the time of the update, also where ids follow it and where times are equal", () => {
    expect(orderOf(dated(down(30, 21), (_, index) => time(50 - index))).orderedBy).toBe("updated-down")
    expect(orderOf(dated(down(30, 21), (_, index) => time(index))).orderedBy).toBe("updated-up")
    expect(orderOf(dated(down(30, 21), (_, index) => time(index >> 1))).orderedBy).toBe("updated-up")
    expect(orderOf(dated(down(30, 21), () => time(1))).orderedBy).toBe("updated-down")
  })

  it("is unknown once a single step goes the other way", () => {
    const ids = [...down(30, 21), 40]
    expect(orderOf(dated(ids)).orderedBy).toBe("unknown")
    const mixed = (id: number) => time((id * 7) % 13)
    expect(orderOf(dated(ids, mixed)).orderedBy).toBe("unknown")
  })

  it("takes no step between two copies of one record, nor from one page to the next", () => {
    const twice = down(30, 21).flatMap((id) => [id, id])
    expect(orderOf(dated(twice)).orderedBy).toBe("id")
    expect(orderOf(dated(down(30, 12)), dated(down(60, 12))).orderedBy).toBe("id")
    expect(orderOf(dated([4, 4, 4, ...down(30, 5)])).orderedBy).toBe("unknown")
  })

  it("is not the id any more once pages contradict each other", () => {
    const evidence = orderOf(dated(down(30, 21)))
    evidence.denyIdOrder()
    expect(evidence.orderedBy).toBe("unknown")
    const byTime = orderOf(dated(down(30, 21), (_, index) => time(50 - index)))
    byTime.denyIdOrder()
    expect(byTime.orderedBy).toBe("updated-down")
  })
})

describe("numbers of cursors", () => {
  it.each<[Cursor | null, number | null]>([
    [null, null],
    [0, 0],
    [7, 7],
    [-1, null],
    ["0", 0],
    ["7", 7],
    ["07", null],
    ["-7", null],
    ["7x", null],
    ["x7", null],
    ["999999999999999", 999_999_999_999_999],
    ["9999999999999999", null],
    [7n, null],
  ])("of %o is %o", (cursor, expected) => {
    expect(numberOf(cursor)).toBe(expected)
  })

  it("go back in the type in which they came", () => {
    expect([likeCursor("5", 7), likeCursor(5, 7)]).toEqual(["7", 7])
  })
})

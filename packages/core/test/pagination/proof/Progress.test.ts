import { describe, expect, it } from "vitest"
import type { Cursor } from "../../../src/pagination/Cursor.ts"
import type { Asking } from "../../../src/pagination/proof/Progress.ts"
import { Progress } from "../../../src/pagination/proof/Progress.ts"
import type { ListedRecord } from "../../fixtures/PagedList.ts"
import { now, record, records } from "../../fixtures/PagedList.ts"
import { model } from "../../fixtures/ListedModel.ts"

type From = ConstructorParameters<typeof Progress<ListedRecord>>[1]

/** Takes pages with so many new records and these known ones; gives what the last of them came to. */
const progressOf = (from: From = null) => {
  // Of a contract, too, the time of its update tells one version from another, and no two records.
  const progress = new Progress({ ...model, version: ({ updated_at }) => updated_at }, from)
  let id = 10_000
  const take = (
    asking: Asking,
    fresh: number,
    known: ReadonlyArray<ListedRecord>,
    next: Cursor | null,
    size = fresh + known.length,
  ) => {
    const created = Array.from({ length: fresh }, () => record((id -= 1)))
    return progress.take(asking, { records: [...created, ...known], known, next, size })
  }
  return { progress, take }
}

const [first, ...others] = records(10)
const repeated = (text: string) => ({ kind: "no-new-records", text })

describe("a cursor that an earlier page had named", () => {
  it.each<[string, Cursor, Cursor, boolean]>([
    ["the same text", "a", "a", true],
    ["the same number", 7, 7, true],
    ["another one", "a", "b", false],
    ["a number, and its digits as text", 7, "7", false],
  ])("is %s", (_, one, other, isRepeated) => {
    const { take } = progressOf()
    expect(take("first", 5, [], one)).toBeNull()
    const text = "page 2 named a cursor that an earlier page had named"
    expect(take("verbatim", 5, [], other)).toEqual(isRepeated ? { kind: "cursor-repeated", text } : null)
  })

  it("is also the one that the read was resumed from", () => {
    const { take } = progressOf({ cursor: "a", pages: 4, records: 40, ahead: [] })
    const text = "page 5 named a cursor that an earlier page had named"
    expect(take("verbatim", 5, [], "a")).toEqual({ kind: "cursor-repeated", text })
  })

  it.each<[string, Asking, Cursor | null]>([
    ["where the same boundary was asked for once more", "retry", "a"],
    ["under cursors of our own", "own", "a"],
    ["at the end", "verbatim", null],
  ])("is none %s", (_, asking, next) => {
    const { take } = progressOf()
    expect(take("first", 5, [], next)).toBeNull()
    expect(take(asking, 5, [], next)).toBeNull()
  })
})

describe("the first record that comes again", () => {
  const rounds = (asking: Asking, ...again: ReadonlyArray<ListedRecord>) => {
    const { progress, take } = progressOf()
    progress.take("first", { records: [first!, ...others], known: [], size: 10, next: "a" })
    const results = again.map((one, at) => take(asking, 5, [one], `b${at}`))
    return results.at(-1)
  }

  it("ends the list the second time", () => {
    expect(rounds("verbatim", first!)).toBeNull()
    expect(rounds("verbatim", first!, first!)).toEqual(
      repeated("the first record came again on page 3, for the second time"),
    )
  })

  it.each<[string, Asking, ListedRecord]>([
    ["has changed", "verbatim", { ...first!, updated_at: now }],
    ["is another one", "verbatim", others[0]!],
    ["was asked for again", "retry", first!],
    ["was asked for on purpose", "own", first!],
  ])("does not where it %s", (_, asking, one) => {
    expect(rounds(asking, one, one, one)).toBeNull()
  })
})

describe("records that come again", () => {
  it("end the list where they are more than twice those that came once", () => {
    const { take } = progressOf()
    take("first", 5, [], "a")
    expect(take("verbatim", 1, others, "b")).toBeNull()
    expect(take("verbatim", 0, others.slice(0, 3), "c")).toBeNull()
    expect(take("verbatim", 0, others.slice(0, 1), "d")).toEqual(
      repeated("13 records came again, and 6 once"),
    )
  })

  it("count those that came before the read was resumed", () => {
    const { take } = progressOf({ cursor: "x", pages: 1, records: 3, ahead: [] })
    expect(take("verbatim", 0, others.slice(0, 6), "a")).toBeNull()
    expect(take("verbatim", 0, others.slice(6, 7), "b")).toEqual(repeated("7 records came again, and 3 once"))
  })

  it.each<Asking>(["retry", "own"])("do not count where they were asked for: %s", (asking) => {
    const { take } = progressOf()
    take("first", 1, [], "a")
    expect(take(asking, 0, others, "b")).toBeNull()
    expect(take(asking, 0, others, "c")).toBeNull()
  })
})

describe("pages in a row without a new record", () => {
  const idle = (before: number, count: number, known = others.slice(0, 1), size?: number) => {
    const { progress, take } = progressOf()
    for (let page = 0; page < before; page++) take(page === 0 ? "first" : "verbatim", 50, [], `a${page}`)
    const results = Array.from({ length: count }, (_, at) => take("verbatim", 0, known, `b${at}`, size))
    return { last: results.at(-1), before: results.at(-2), progress }
  }

  it("end the list where they are more than half of all, and not before the fifth", () => {
    expect(idle(1, 5)).toMatchObject({
      before: null,
      last: repeated("5 pages in a row had no new record and named a further page"),
    })
    expect(idle(6, 6).last).toBeNull()
    expect(idle(6, 7)).toMatchObject({
      before: null,
      last: repeated("7 pages in a row had no new record and named a further page"),
    })
  })

  it("are none where they have no record at all", () => {
    const { last, progress } = idle(1, 9, [], 0)
    expect([last, progress.idle]).toEqual([null, 0])
  })

  it("count where their records are not as specified", () => {
    expect(idle(1, 5, [], 3).last).toMatchObject({ kind: "no-new-records" })
  })

  it("are none where their records came from beyond the cursor, before the read was resumed", () => {
    const ahead = records(8).map(({ id }) => id)
    const { progress, take } = progressOf({ cursor: "x", pages: 2, records: 16, ahead })
    for (const [at, record] of records(8).entries()) {
      expect(take("verbatim", 0, [record], `a${at}`)).toBeNull()
      expect(progress.idle).toBe(0)
    }
    // Once: a list that repeats them does not end.
    const again = records(12).map((record, at) => take("verbatim", 0, [record], `b${at}`))
    expect(again.findIndex((stall) => stall !== null)).toBe(10)
    expect(again[10]).toEqual(repeated("11 pages in a row had no new record and named a further page"))
  })

  it("begin anew with a new record", () => {
    const { progress, take } = progressOf()
    take("own", 0, others, "a")
    expect(progress.idle).toBe(1)
    take("own", 1, others, "b")
    expect(progress.idle).toBe(0)
  })
})

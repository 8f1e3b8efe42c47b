import { describe, expect, it } from "vitest"
import type { Cursor } from "../../../src/pagination/Cursor.ts"
import { Evidence } from "../../../src/pagination/proof/Evidence.ts"
import type { HeadOptions } from "../../../src/pagination/proof/Head.ts"
import { Head, topOf } from "../../../src/pagination/proof/Head.ts"
import type { ListedRecord } from "../../fixtures/PagedList.ts"
import { record } from "../../fixtures/PagedList.ts"
import { model } from "../../fixtures/ListedModel.ts"

const time = (minute: number) => `2026-03-01T13:${String(minute).padStart(2, "0")}:00`
/** Records by id and the minute of their latest update. */
const page = (...given: ReadonlyArray<readonly [id: number, minute: number]>) =>
  given.map(([id, minute]) => record(id, `${time(minute)}Z`))

/** The list began with record 1, updated at minute 10, when it was read. */
const headOf = (options: Partial<HeadOptions<ListedRecord>> = {}) => {
  const top = { updatedAt: time(10), ids: [1] }
  const head = new Head({ model, evidence: new Evidence(), size: 10, overlaps: true, top, ...options })
  const take = (
    records: ReadonlyArray<ListedRecord>,
    next: Cursor | null,
    settledAt: string | null = null,
  ) => {
    const lastId = records.at(-1)?.id ?? null
    head.take(head.ask!, { records, size: records.length, lastId, next, settledAt })
    return head.state
  }
  return { head, take }
}

describe("how a list by latest update began", () => {
  const records = page([5, 40], [4, 40], [3, 39], [2, 40])

  it.each<[string, ReadonlyArray<ListedRecord>, string | null, ReturnType<typeof topOf>]>([
    ["nothing, where the page is empty", [], null, null],
    ["the latest update and all records with it", records, time(50), { updatedAt: time(40), ids: [5, 4, 2] }],
    ["the same, where it is settled just so", records, time(40), { updatedAt: time(40), ids: [5, 4, 2] }],
    ["the same, where there is no clock", records, null, { updatedAt: time(40), ids: [5, 4, 2] }],
    [
      "no record, where each may change without showing it",
      records,
      time(39),
      { updatedAt: time(40), ids: [] },
    ],
  ])("is %s", (_, given, settledAt, expected) => {
    expect(topOf(given, settledAt, model)).toEqual(expected)
  })
})

describe("one page of the head", () => {
  it("is asked for as large as the pages of the list", () => {
    expect(headOf({ size: 7 }).head.ask).toEqual({ cursor: null, limit: 7, back: 0, isRetry: false })
  })

  it.each<[string, ReadonlyArray<ListedRecord>, Cursor | null, string]>([
    ["reaches below the earlier top", page([9, 40], [8, 9]), "a", "shown"],
    ["reaches down to a record of the earlier top", page([9, 40], [1, 10]), "a", "shown"],
    ["reaches a record as old as the top that was not there", page([9, 40], [8, 10]), "a", "reading"],
    ["shows a record of the earlier top that has moved", page([9, 40], [1, 39]), "a", "reading"],
    ["does not reach down to it", page([9, 40], [8, 11]), "a", "reading"],
    ["is the whole list", page([9, 40], [8, 11]), null, "shown"],
  ])("%s: %s", (_, records, next, expected) => {
    expect(headOf().take(records, next)).toBe(expected)
  })
})

describe("several pages of the head", () => {
  it("are followed to the earlier top, and read once more in other sizes", () => {
    const { head, take } = headOf()
    const limits = [head.ask!.limit]
    for (let round = 1; round < 6; round++) {
      expect(take(page([round * 100 + 9, 40]), `a${round}`)).toBe("reading")
      expect(head.ask).toMatchObject({ cursor: `a${round}`, limit: limits.at(-1) })
      expect(take(page([round * 100 + 8, 9]), `b${round}`)).toBe("reading")
      limits.push(head.ask!.limit)
    }
    expect(limits).toEqual([10, 7, 8, 10, 7, 8])
    take(page([609, 40]), "a6")
    expect(take(page([608, 9]), "b6")).toBe("not-shown")
  })

  it("that are not connected leave the earlier top to be reached", () => {
    const { take } = headOf()
    take(page([20, 40]), "a")
    take(page([17, 37], [16, 9]), "b")
    expect(take(page([20, 40], [17, 37]), "c")).toBe("reading")
    expect(take(page([16, 9]), "d")).toBe("reading")
  })

  it("that lead to pages of an earlier round, and not to their own first one, leave it as well", () => {
    const { take } = headOf()
    for (const round of ["a", "b"]) {
      take(page([20, 40], [19, 39]), `${round}1`)
      take(page([17, 37], [16, 9]), `${round}2`)
    }
    expect(take(page([21, 41], [20, 40]), "c1")).toBe("reading")
  })

  it("that are connected need only be read on to where they began", () => {
    const { take } = headOf()
    take(page([20, 40], [19, 39]), "a")
    expect(take(page([19, 39], [18, 9]), "b")).toBe("reading")
    expect(take(page([21, 41], [20, 40]), "c")).toBe("shown")
  })

  it("are connected by those of other rounds, from where the last of them began", () => {
    const { take } = headOf()
    take(page([20, 40], [19, 39], [18, 38]), "a")
    take(page([17, 37], [16, 9]), "b")
    take(page([20, 40], [19, 39]), "c")
    take(page([18, 38], [17, 37]), "d")
    take(page([16, 9]), "e")
    expect(take(page([21, 41], [20, 40]), "f")).toBe("shown")
  })

  it("are connected by those of other rounds up to where the first of them began, not to what came since", () => {
    const { take } = headOf()
    take(page([20, 40], [19, 39]), "a")
    take(page([18, 38], [17, 9]), "b")
    take(page([25, 45], [20, 40], [19, 39]), "c")
    take(page([19, 39], [18, 38], [17, 9]), "d")
    expect(take(page([26, 46], [25, 45]), "e")).toBe("reading")
    expect(take(page([25, 45], [20, 40]), "f")).toBe("reading")
  })

  it("are connected anew once the top has moved up: what was connected before says nothing of what came since", () => {
    const { take } = headOf()
    take(page([20, 40], [19, 39]), "a")
    take(page([19, 39], [18, 9]), "b")
    take(page([30, 50], [29, 49]), "c")
    expect(take(page([28, 48], [20, 40]), "d")).toBe("reading")
    expect(take(page([30, 50], [29, 49]), "e")).toBe("reading")
  })

  it("that lead nowhere show nothing", () => {
    const { take } = headOf()
    take(page([20, 40]), "a")
    expect(take(page([19, 39]), "a")).toBe("not-shown")
  })

  it("overlap where the cursor's meaning is known", () => {
    const { head, take } = headOf()
    take(page([29, 40], [28, 39], [27, 38], [26, 37], [25, 36]), 5)
    expect(head.ask).toEqual({ cursor: 4, limit: 10, back: 1, isRetry: false })
    const other = headOf({ overlaps: false })
    other.take(page([29, 40], [28, 39], [27, 38], [26, 37], [25, 36]), 5)
    expect(other.head.ask).toEqual({ cursor: 5, limit: 10, back: 0, isRetry: false })
  })

  it("connect in records whose update is settled", () => {
    const { take } = headOf()
    take(page([20, 40], [19, 39]), "a", time(38))
    take(page([19, 39], [18, 9]), "b", time(38))
    expect(take(page([21, 41], [20, 40]), "c", time(38))).toBe("reading")
  })
})

describe("pages of the head that contradict the cursor's meaning", () => {
  const first = page(...[20, 3, 18, 9, 16, 5, 14, 7, 12, 31].map((id, at) => [id, 40 - at] as const))
  /** Two pages, the second asked for from two records further back than the first one's end. */
  const secondPage = (...given: ReadonlyArray<readonly [id: number, minute: number]>) => {
    const it = headOf()
    it.take(first, 31)
    expect(it.head.ask).toMatchObject({ cursor: 7, back: 2 })
    return { ...it, state: it.take(page(...given), 8) }
  }

  it("show nothing where a record came again that stands before the cursor", () => {
    expect(secondPage([3, 39], [12, 32], [31, 31], [8, 9]).state).toBe("not-shown")
  })

  it.each([
    ["nothing where one that was left out is there", true, "not-shown"],
    ["what they show where it is gone", false, "reading"],
  ])("show %s, and nothing before that is known", (_, isThere, expected) => {
    const { head, state } = secondPage([12, 32], [8, 9])
    expect([state, head.pass.suspects, head.ask]).toEqual(["reading", [31], null])
    head.settleSuspects(isThere)
    expect([head.state, head.pass.suspects]).toEqual([expected, []])
    if (!isThere) expect(head.ask).toMatchObject({ cursor: null, limit: 7 })
  })

  it("are read on where what was left out was not on the last of them", () => {
    const { head, take } = headOf()
    take(first, 31)
    take(page([12, 32], [8, 30]), 8)
    expect(head.pass.suspects).toEqual([31])
    head.settleSuspects(false)
    expect([head.state, head.ask?.cursor]).toEqual(["reading", 31])
  })
})

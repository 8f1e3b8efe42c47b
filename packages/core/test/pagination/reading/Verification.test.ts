import { describe, expect, it } from "vitest"
import type { Checkpoint } from "../../../src/pagination/Checkpoint.ts"
import type { Cursor, CursorVerification } from "../../../src/pagination/Cursor.ts"
import { Verification } from "../../../src/pagination/reading/Verification.ts"

const unverified = { parameter: "before_id", state: "unverified", evidence: null } as const

const verificationOf = (from: Checkpoint | null = null) => {
  const seen: Array<"verified" | "inclusive"> = []
  const verification = new Verification("before_id", from, {
    onVerified: () => void seen.push("verified"),
    onInclusive: () => void seen.push("inclusive"),
  })
  const judge = (ids: ReadonlyArray<number>, sent: Cursor | null, next: Cursor | null) =>
    verification.judge(() => ids, sent, next)
  return { verification, judge, seen }
}

/** What a checkpoint says of the cursor, and the ids that it holds. */
const checkpoint = (cursor: CursorVerification, recent: ReadonlyArray<number>) =>
  ({ next: { type: "string", text: "a" }, recent, summary: { cursor } }) as unknown as Checkpoint

describe("the pages of a read", () => {
  it("verify the parameter with the second one, and later ones are not judged", () => {
    const { judge, seen, verification } = verificationOf()
    expect(verification.firstSize).toBe(0)
    expect(judge([9, 8, 7], null, "a")).toBeNull()
    expect([verification.current, verification.firstSize]).toEqual([unverified, 3])
    expect(judge([6, 5], "a", "b")).toBeNull()
    const evidence = "2 new records on the second page"
    expect(verification.current).toEqual({ parameter: "before_id", state: "verified", evidence })
    expect(judge([9, 8, 7], "b", "b")).toBeNull()
    expect([seen, verification.firstSize]).toEqual([["verified"], 0])
  })

  it("say that the cursor is inclusive", () => {
    const { judge, seen } = verificationOf()
    judge([9, 8, 7], null, "a")
    judge([7, 6], "a", "b")
    expect(seen).toEqual(["inclusive", "verified"])
  })

  it("show nothing of the parameter where there is one", () => {
    const { judge, seen, verification } = verificationOf()
    expect(judge([9, 8, 7], null, null)).toBeNull()
    expect([verification.current.state, seen]).toEqual(["single-page", []])
    const empty = verificationOf()
    expect(empty.judge([], null, null)).toBeNull()
    expect(empty.verification.current.state).toBe("single-page")
  })

  it("are judged by the first one that has records", () => {
    const { judge, verification } = verificationOf()
    expect(judge([], null, "a")).toBeNull()
    expect(judge([9, 8, 7], "a", "b")).toBeNull()
    expect([verification.current, verification.firstSize]).toEqual([unverified, 3])
    expect(judge([], "b", "c")).toBeNull()
    expect(judge([9, 8, 7], "c", "d")).toMatchObject({ _tag: "CursorIgnored", cursorParam: "before_id" })
  })

  it("verify the parameter with the last one where only empty ones came before", () => {
    const { judge, verification } = verificationOf()
    judge([], null, "a")
    expect(judge([9, 8], "a", null)).toBeNull()
    expect(verification.current.state).toBe("verified")
  })

  it.each([
    ["is empty and the last", [], null, "Inconclusive"],
    ["may be the first one of a list that has changed", [10, 9, 8], "b", "AskFirstAgain"],
  ] as const)(
    "leave it open where the second one %s, until somebody has looked",
    (_, ids, next, expected) => {
      const { judge, seen, verification } = verificationOf()
      judge([9, 8, 7], null, "a")
      expect(judge(ids, "a", next)).toBe(expected)
      verification.accept("nobody knows")
      expect(judge(ids, "a", next)).toBeNull()
      expect([verification.current, seen]).toEqual([{ ...unverified, evidence: "nobody knows" }, []])
    },
  )
})

describe("the first page, asked for again", () => {
  const again = (firstAgain: ReadonlyArray<number>) => {
    const it = verificationOf()
    it.judge([9, 8, 7], null, "a")
    it.judge([12, 11, 10], "a", "b")
    return { ...it, reason: it.verification.judgeByFirstAgain([12, 11, 10], firstAgain) }
  }

  it("shows that the second one is another page", () => {
    const { reason, seen, verification } = again([9, 8, 7])
    expect([reason, verification.current.state, seen]).toEqual([null, "verified", ["verified"]])
  })

  it("shows that the cursor had no effect", () => {
    const { reason, seen } = again([12, 11, 10])
    expect(reason).toMatchObject({ _tag: "CursorIgnored", evidence: { kind: "same-records" } })
    expect(seen).toEqual([])
  })

  it("may show neither: the page is accepted, and no other one is judged", () => {
    const { judge, reason, seen, verification } = again([3, 2])
    const evidence = "the first page, asked for again, was like neither page"
    expect([reason, verification.current, seen]).toEqual([null, { ...unverified, evidence }, []])
    expect(judge([9, 8, 7], "b", "b")).toBeNull()
  })

  it("shows nothing before there was one", () => {
    expect(verificationOf().verification.judgeByFirstAgain([6, 5], [9, 8])).toBeNull()
  })
})

describe("a read that is resumed", () => {
  const verified = { parameter: "before_id", state: "verified", evidence: "seen" } as const

  it("does not judge a parameter again that had been verified", () => {
    const { judge, seen, verification } = verificationOf(checkpoint(verified, [9, 8, 7]))
    expect([verification.current, seen]).toEqual([verified, ["verified"]])
    expect(judge([9, 8, 7], "a", "b")).toBeNull()
  })

  it.each<[string, CursorVerification]>([
    ["another one had been verified", { ...verified, parameter: "cursor" }],
    ["it had not been verified", { ...verified, state: "unverified" }],
  ])("judges its first page by the records of the checkpoint where %s", (_, cursor) => {
    const { judge, seen, verification } = verificationOf(checkpoint(cursor, [9, 8, 7]))
    expect([verification.current, verification.firstSize, seen]).toEqual([unverified, 3, []])
    expect(judge([9, 8, 7], "a", "b")).toMatchObject({ _tag: "CursorIgnored" })
  })

  it("judges its second page where the checkpoint holds no record", () => {
    const { judge, verification } = verificationOf(checkpoint(unverified, []))
    expect(judge([9, 8, 7], "a", "b")).toBeNull()
    expect(verification.current).toEqual(unverified)
    expect(judge([9, 8, 7], "b", "c")).toMatchObject({ _tag: "CursorIgnored" })
  })
})

describe("another parameter", () => {
  it("has to be confirmed by the next page like the first one", () => {
    const { judge, verification } = verificationOf()
    judge([9, 8, 7], null, "a")
    expect(judge([9, 8, 7], "a", "a2")).toMatchObject({ cursorParam: "before_id" })
    verification.replace("cursor")
    expect(verification.current).toEqual({ ...unverified, parameter: "cursor" })
    expect(judge([9, 8, 7], "a", "b")).toMatchObject({ cursorParam: "cursor" })
    expect(judge([6, 5, 4], "a", "b")).toBeNull()
    expect(verification.current).toMatchObject({ parameter: "cursor", state: "verified" })
  })
})

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

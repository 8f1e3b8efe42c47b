import { describe, expect, it } from "vitest"
import type { Cursor, CursorCheck, CursorVerification } from "../../src/internal/cursor.ts"
import { beginCheck, checkPage, replaceParameter } from "../../src/internal/cursor.ts"

const unverified = { parameter: "before_id", state: "unverified", evidence: null } as const
const verified = { parameter: "before_id", state: "verified", evidence: "seen" } as const

const judge = (check: CursorCheck, ids: ReadonlyArray<number>, sent: Cursor | null, next: Cursor | null) => {
  const checked = checkPage(check, ids, sent, next)
  return [checked._tag, checked._tag === "Accepted" ? checked.check : check] as const
}

describe("the cursor of a read that is resumed", () => {
  it("is not judged again where it had been verified", () => {
    const check = beginCheck("before_id", verified, [9, 8, 7])
    expect(check.current).toEqual(verified)
    expect(judge(check, [9, 8, 7], "a", "b")).toEqual(["Accepted", check])
  })

  it.each<[string, CursorVerification]>([
    ["another one had been verified", { ...verified, parameter: "cursor" }],
    ["it had not been verified", { ...verified, state: "unverified" }],
  ])("is judged on the first page by the records of the checkpoint where %s", (_, cursor) => {
    const check = beginCheck("before_id", cursor, [9, 8, 7])
    expect(check.current).toEqual(unverified)
    expect(judge(check, [9, 8, 7], "a", "b")[0]).toBe("Ignored")
  })

  it("is judged on the second page where the checkpoint holds no record", () => {
    const [tag, check] = judge(beginCheck("before_id", unverified, []), [9, 8, 7], "a", "b")
    expect([tag, check.current]).toEqual(["Accepted", unverified])
    expect(judge(check, [9, 8, 7], "b", "c")[0]).toBe("Ignored")
  })
})

describe("another parameter", () => {
  it("has to be confirmed by the next page like the first one", () => {
    const [, check] = judge(beginCheck("before_id", null, []), [9, 8, 7], null, "a")
    expect(judge(check, [9, 8, 7], "a", "a2")[0]).toBe("Ignored")
    const other = replaceParameter(check, "cursor")
    expect(other.current).toEqual({ ...unverified, parameter: "cursor" })
    expect(judge(other, [9, 8, 7], "a", "b")[0]).toBe("Ignored")
    const [tag, confirmed] = judge(other, [6, 5, 4], "a", "b")
    expect([tag, confirmed.current]).toMatchObject(["Accepted", { parameter: "cursor", state: "verified" }])
  })
})

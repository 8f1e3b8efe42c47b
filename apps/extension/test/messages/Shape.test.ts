import { describe, expect, it } from "vitest"
import * as Shape from "../../src/messages/Shape.ts"

describe("Shape", () => {
  it("measures texts in the units of a string", () => {
    expect(Shape.text(2)("😀")).toBe(true)
    expect(Shape.text(1)("😀")).toBe(false)
    expect(Shape.text(2, 1)("")).toBe(false)
    expect(Shape.text(2)(Object("a"))).toBe(false)
  })

  it("takes whole numbers that are exact, within bounds", () => {
    expect([1, 3].every(Shape.integer(1, 3))).toBe(true)
    expect([0, 4, 1.5, Number.NaN, Infinity, "2", 2n].some(Shape.integer(1, 3))).toBe(false)
    expect(Shape.integer(1)(Number.MAX_SAFE_INTEGER + 1)).toBe(false)
  })

  it("takes an object with the named members of its own, and no others", () => {
    const one = Shape.object({ a: Shape.yesOrNo })
    expect(one({ a: true })).toBe(true)
    for (const other of [{}, { a: 1 }, { a: true, b: 1 }, [true], null, Object.create({ a: true })]) {
      expect(one(other)).toBe(false)
    }
    expect(Shape.partial({ a: Shape.yesOrNo })({})).toBe(true)
    expect(Shape.partial({ a: Shape.yesOrNo })({ a: undefined })).toBe(false)
  })

  it("takes a list up to a length, each item of the same shape", () => {
    const list = Shape.listOf(Shape.oneOf("a", "b"), 2)
    expect(list(["a", "b"])).toBe(true)
    for (const other of [["a", "a", "a"], ["c"], "ab", new Set(["a"])]) expect(list(other)).toBe(false)
  })

  it("tells objects apart by their type, never by a member of the prototype", () => {
    const either = Shape.byType<{ readonly type: "a"; readonly n: number } | { readonly type: "b" }>({
      a: Shape.object({ n: Shape.integer(0) }),
      b: Shape.object({}),
    })
    expect([{ type: "a", n: 1 }, { type: "b" }].every(either)).toBe(true)
    const others = [{ type: "a" }, { type: "b", n: 1 }, { type: "toString" }, { type: "__proto__" }, {}, "b"]
    expect(others.some(either)).toBe(false)
  })
})

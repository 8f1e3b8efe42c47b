import { describe, expect, it } from "vitest"
import { Positions } from "../../src/mcp/Reading.ts"

describe("positions", () => {
  it("are found by their token, again and again", () => {
    const positions = new Positions<string>("c")
    const [a, b] = [positions.keep("a"), positions.keep("b")]
    expect([positions.find(a), positions.find(b), positions.find(a)]).toEqual(["a", "b", "a"])
    expect(positions.find("k1")).toBeUndefined()
  })

  it("are a hundred at most; the oldest are forgotten", () => {
    const positions = new Positions<number>("c")
    const tokens = Array.from({ length: 101 }, (_, index) => positions.keep(index))
    expect(tokens.map((token) => positions.find(token))).toEqual([
      undefined,
      ...Array.from({ length: 100 }, (_, index) => index + 1),
    ])
  })
})

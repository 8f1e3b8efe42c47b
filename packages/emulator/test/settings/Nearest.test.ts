import { describe, expect, it } from "vitest"
import { suggestion } from "../../src/settings/Nearest.ts"

const known = ["latency", "rate-limit", "cursor-cycle", "cut", "drop"]

describe("a suggestion", () => {
  it.each([
    ["latncy", "latency"],
    ["LATENCY", "latency"],
    ["ratelimit", "rate-limit"],
    ["cursor-cylce", "cursor-cycle"],
    ["cu", "cut"],
    ["drpo", "drop"],
  ])("for %s is %s", (name, near) => {
    expect(suggestion(name, known)).toBe(`; did you mean "${near}"?`)
  })

  it("lists what is known when nothing is near", () => {
    expect(suggestion("thunderstorms", known)).toBe("; known: latency, rate-limit, cursor-cycle, cut, drop")
  })

  it("takes the nearest of several", () => {
    expect(suggestion("--ports", ["--port", "--host", "--control-port"])).toBe('; did you mean "--port"?')
  })
})

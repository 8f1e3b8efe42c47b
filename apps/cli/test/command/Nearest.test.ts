import { describe, expect, it } from "vitest"
import { nearest } from "../../src/command/Nearest.ts"

const commands = ["demo", "export", "contracts", "keys", "me"]

describe("the nearest word", () => {
  it.each([
    ["exprt", "export"],
    ["Export", "export"],
    ["contract", "contracts"],
    ["cont", "contracts"],
    ["dmeo", "demo"],
    ["key", "keys"],
    ["frobnicate", null],
    ["", null],
    ["x", null],
  ])("of %j is %j", (word, expected) => {
    expect(nearest(word, commands)).toBe(expected)
  })
})

import { describe, expect, it } from "vitest"
import {
  choice,
  fill,
  flag,
  integer,
  InvalidSetting,
  number,
  positions,
  read,
  suggestion,
  text,
  textOrNull,
} from "../src/Setting.ts"
import type { Setting } from "../src/Setting.ts"

const table = { size: integer(3, "size", 1, 9), order: choice(["up", "down"], "up", "order") }

describe("a setting", () => {
  it.each<[string, Setting<unknown>, given: unknown, taken: unknown]>([
    ["number", number(1, ""), "0.5", 0.5],
    ["number", number(1, ""), -1, undefined],
    ["number", number(1, ""), "  ", undefined],
    ["number", number(1, ""), Number.NaN, undefined],
    ["number", number(1, "", 0, 1), 1.01, undefined],
    ["integer", integer(1, ""), "12", 12],
    ["integer", integer(1, ""), 1.5, undefined],
    ["text", text("", ""), "", ""],
    ["text", text("", ""), 7, undefined],
    ["textOrNull", textOrNull("a", ""), "null", null],
    ["textOrNull", textOrNull("a", ""), "x-id", "x-id"],
    ["textOrNull", textOrNull("a", ""), 7, undefined],
    ["flag", flag(false, ""), "true", true],
    ["flag", flag(false, ""), "yes", undefined],
    ["choice", choice([0, 3, null], 0, ""), "3", 3],
    ["choice", choice([0, 3, null], 0, ""), "null", null],
    ["choice", choice([0, 3, null], 0, ""), 4, undefined],
    ["positions", positions([], ""), "1+3-5", [1, 3, 4, 5]],
    ["positions", positions([], ""), [2, 4], [2, 4]],
    ["positions", positions([], ""), 2, [2]],
    ["positions", positions([], ""), "", []],
  ])("%s %j takes %j as %j", (_, setting, given, taken) => {
    expect(setting.accept(given)).toEqual(taken)
  })

  it.each([
    "5-3",
    "0",
    "-1",
    "1-",
    "1-2-3",
    "1.5",
    "x",
    "1++2",
    "1-99999999",
    0,
    1.5,
    [1, 0],
    ["1"],
    null,
    {},
  ])("positions refuses %j, so that a slip cannot mean every request", (given) => {
    expect(positions([], "").accept(given)).toBeUndefined()
  })
})

describe("a table of settings", () => {
  it("reads what is given and leaves the rest out, or takes its defaults", () => {
    expect(read(table, { size: "4", order: undefined }, "setting")).toEqual({ size: 4 })
    expect(fill(table, { size: "4" }, "setting")).toEqual({ size: 4, order: "up" })
  })

  it("refuses with a sentence that names the nearest, or what is taken", () => {
    const refusal = (given: Readonly<Record<string, unknown>>, sentence: string) =>
      expect(() => read(table, given, "setting")).toThrow(new InvalidSetting(sentence))
    refusal({ sise: 1 }, 'there is no setting "sise"; did you mean "size"?')
    refusal({ constructor: 1 }, 'there is no setting "constructor"; known: size, order')
    refusal({ size: 10 }, 'the setting "size" cannot be 10; it takes a whole number from 1 to 9')
    refusal({ order: "left" }, 'the setting "order" cannot be "left"; it takes up | down')
  })
})

const names = ["latency", "rate-limit", "cursor-cycle", "cut", "drop"]

describe("a suggestion", () => {
  it.each([
    ["latncy", "latency"],
    ["LATENCY", "latency"],
    ["ratelimit", "rate-limit"],
    ["cursor-cylce", "cursor-cycle"],
    ["cu", "cut"],
    ["drpo", "drop"],
  ])("for %s is %s", (name, near) => {
    expect(suggestion(name, names)).toBe(`; did you mean "${near}"?`)
  })

  it("lists what is known when nothing is near", () => {
    expect(suggestion("thunderstorms", names)).toBe("; known: latency, rate-limit, cursor-cycle, cut, drop")
  })

  it("takes the nearest of several", () => {
    expect(suggestion("--ports", ["--port", "--host", "--control-port"])).toBe('; did you mean "--port"?')
  })
})

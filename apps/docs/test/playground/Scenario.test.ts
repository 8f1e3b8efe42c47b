import { describe, expect, it } from "vitest"
import * as Scenario from "../../playground/Scenario.ts"

describe("a shared scenario", () => {
  it("is the one that was shared", () => {
    const scenario: Scenario.Scenario = {
      contracts: 0,
      limit: 7,
      order: "random",
      cursor: "position",
      seed: 42,
      faults: ["cut:fraction=0.5,requests=1+3", "not-json:html=<b>&#%é"],
    }
    expect(Scenario.parse(`#${Scenario.format(scenario)}`)).toEqual({ scenario, problems: [] })
  })

  it("is empty for the initial one, and an empty fragment is the initial one", () => {
    expect(Scenario.format(Scenario.initial)).toBe("")
    expect(Scenario.parse("")).toEqual({ scenario: Scenario.initial, problems: [] })
  })

  it.each([
    "contracts=5001",
    "contracts=-1",
    "contracts=1e3",
    "limit=0",
    "limit=",
    "seed=0x10",
    "order=sideways",
    "cursor=random",
    "__proto__=1",
    `fault=${"x".repeat(201)}`,
    "%E0%A4%A",
  ])("does not use what it does not know, and says so: %s", (fragment) => {
    const { problems, scenario } = Scenario.parse(`#${fragment}`)
    expect(scenario).toEqual(Scenario.initial)
    expect(problems).toHaveLength(1)
  })

  it("has ten faults at most", () => {
    const { problems, scenario } = Scenario.parse("fault=drop&".repeat(12))
    expect([scenario.faults.length, problems.length]).toEqual([10, 2])
  })
})

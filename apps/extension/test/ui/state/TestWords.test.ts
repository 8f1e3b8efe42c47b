import { describe, expect, it } from "vitest"
import type { TestFinding } from "../../../src/messages/PageMessage.ts"
import { telling } from "../../../src/ui/state/TestWords.ts"

const asked = { origin: "https://api.example.com", hasKey: true, about: null, failure: null } as const
const contracts = { ...asked, _tag: "Scope", endpoint: "contracts", scope: "read:contracts" } as const
const clock: TestFinding = { ...asked, _tag: "Clock", aheadMillis: 0 }
const end: TestFinding = { _tag: "End" }

const told = (...findings: ReadonlyArray<TestFinding>): string => {
  const stages: Array<string> = []
  const tell = telling((name, ...values) => [name, ...values].join(" "))(({ outcome, stage }) => {
    stages.push(`${stage} ${outcome}`)
  })
  findings.forEach(tell)
  return stages.join(", ")
}

describe("the words of a connection test", () => {
  it("leave open what a test that was cut off did not come to", () => {
    expect(told()).toBe("")
    expect(told(contracts)).toBe("address ok, tls ok, key ok, contracts ok")
  })

  it("skip what was passed over, and the rest at the end", () => {
    expect(told(contracts, clock)).toBe("address ok, tls ok, key ok, contracts ok, cursor skipped, clock ok")
    expect(told(contracts, end)).toBe(
      "address ok, tls ok, key ok, contracts ok, cursor skipped, clock skipped",
    )
    expect(told({ ...asked, _tag: "Clock", aheadMillis: null }, end)).toMatch(/clock skipped$/)
  })

  it("give each stage once", () => {
    expect(told(contracts, contracts, clock, clock, end, end)).toBe(told(contracts, clock))
  })

  it.each([
    ["connection", "address failed"],
    ["address", "address failed, tls ok"],
    ["answer", "address failed, tls ok"],
    ["key", "address ok, tls ok, key failed"],
    ["scope", "address ok, tls ok, key ok, contracts failed"],
    ["service", "address ok, tls ok, key skipped, contracts failed"],
  ] as const)("blame the stage that an error about the %s is about", (about, expected) => {
    expect(told({ ...contracts, about, failure: { _tag: "Unreachable" } })).toBe(expected)
  })

  it.each([
    [4 * 60_000, "ok"],
    [-6 * 60_000, "warning"],
    [3 * 86_400_000, "warning"],
  ])("warn of clocks that are minutes apart: %d ms", (aheadMillis, outcome) => {
    expect(told({ ...asked, _tag: "Clock", aheadMillis })).toMatch(new RegExp(`clock ${outcome}$`))
  })
})

/** Scenarios as the page runs them. Retries wait as long as they do for a reader of the page, at most a second or two. */
import { describe, expect, it } from "vitest"
import type { Step } from "../../playground/Replay.ts"
import { replay } from "../../playground/Replay.ts"
import * as Scenario from "../../playground/Scenario.ts"

const run = async (part: Partial<Scenario.Scenario>, signal = new AbortController().signal) => {
  const steps: Array<Step> = []
  const outcome = await replay({ ...Scenario.initial, ...part }, (step) => steps.push(step), signal)
  return { ...outcome, read: outcome.contracts.length, steps: steps.map(({ text }) => text) }
}

describe("a run", () => {
  it("reads every contract, and says how it is known that these are all", async () => {
    const { kind, read, steps, verdict } = await run({ contracts: 250, limit: 100 })
    expect(verdict).toBe(
      "250 contracts in 4 pages, complete (proven): each page begins where the one before ended.",
    )
    expect([kind, read]).toEqual(["complete", 250])
    expect(steps.filter((step) => step.startsWith("GET"))).toHaveLength(4)
  })

  it.each([
    ["429", "complete"],
    ["Cut body", "complete"],
    ["Slow", "complete"],
    ["HTML", "failed"],
    ["Ignored cursor", "failed"],
    ["Renamed cursor", "complete"],
    ["Changes", "complete"],
    ["Records", "unverified"],
  ])("of the fault %s is %s, and says the same every time", async (label, kind) => {
    const fault = Scenario.presets.find((preset) => preset.label.startsWith(label))?.fault ?? ""
    const [one, other] = await Promise.all([run({ faults: [fault] }), run({ faults: [fault] })])
    expect(one).toEqual(other)
    expect(one.kind).toBe(kind)
  })

  it.each(Scenario.orders)("reads all in the order %s", async (order) => {
    const { kind, read } = await run({ order, contracts: 130, limit: 20 })
    expect([kind, read]).toEqual(["complete", 130])
  })

  it("of a position over the order of updates is never called complete while records move", async () => {
    const { kind } = await run({
      contracts: 130,
      limit: 20,
      order: "updated",
      cursor: "position",
      faults: ["mutate:update=2"],
    })
    expect(kind).toBe("unverified")
  })

  it("says the same on a machine that is slow", async () => {
    const scenario = { contracts: 60, limit: 20, order: "updated", cursor: "position" } as const
    const fast = await run({ ...scenario, faults: ["mutate:update=2"] })
    const slow = await run({ ...scenario, faults: ["mutate:update=2", "latency:ms=350"] })
    expect(slow).toEqual(fast)
  })

  it("refuses a fault that the emulator does not have, and names the nearest", async () => {
    await expect(run({ faults: ["latencyy"] })).rejects.toThrow("latency")
  })

  it("ends when it is stopped", async () => {
    const stopping = new AbortController()
    const running = run({ faults: ["latency:ms=60000"] }, stopping.signal)
    stopping.abort()
    await expect(running).rejects.toThrow("aborted")
  })
})

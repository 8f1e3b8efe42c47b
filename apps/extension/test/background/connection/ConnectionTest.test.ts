import { expect, it } from "vitest"
import type { TestFinding } from "../../../src/messages/PageMessage.ts"
import { telling } from "../../../src/ui/state/TestWords.ts"
import type { TestStage } from "../../../src/ui/state/TestWords.ts"
import * as World from "../World.ts"

/** Runs the test as a page does, and gives the stages in its words. What comes is plain data, as ports carry it. */
const run = async (world: World.World): Promise<ReadonlyArray<TestStage>> => {
  const stages: Array<TestStage> = []
  const ends: Array<"end"> = []
  const tell = telling(world.platform.text)((stage) => void stages.push(stage))
  world.background().onConnect({
    name: "page.connectionTest",
    sender: World.page,
    postMessage: (finding) => {
      expect(JSON.parse(JSON.stringify(finding))).toEqual(finding)
      tell(finding as TestFinding)
    },
    disconnect: () => ends.push("end"),
    onDisconnect: { addListener: () => {} },
  })
  for (let turns = 0; ends.length === 0 && turns < 3_000; turns++) {
    await World.turn()
    if (turns % 20 !== 0) continue
    // Keys are opened by other threads: real time passes for them before time passes for the rest.
    await new Promise((resolve) => void setTimeout(resolve, 2))
    world.clock.advance(1_000)
  }
  expect(ends).toEqual(["end"])
  return stages
}
const outcomes = (stages: ReadonlyArray<TestStage>): string =>
  stages.map(({ outcome, stage }) => `${stage} ${outcome}`).join(", ")

const connected = async (key?: string): Promise<World.World> => {
  const world = World.make({ contracts: 30, clock: { now: () => World.startMillis, sleep: async () => {} } })
  await world.setUp(key)
  await world.until(({ sync }) => sync._tag === "Idle")
  return world
}

it("passes every stage with a full key, and keeps the cursor's parameter", async () => {
  const world = await connected()
  expect(outcomes(await run(world))).toBe("address ok, tls ok, key ok, contracts ok, cursor ok, clock ok")
  expect((await world.ask({ type: "page.state" })).cursorParam).toBe("before_id")
})

it("warns only where a scope is missing that the extension can do without", async () => {
  const world = await connected()
  await world.ask({ type: "page.setKey", key: world.emulator.secrets.contractsOnly })
  await world.until(({ sync }) => sync._tag === "Idle")
  expect(outcomes(await run(world))).toContain("contracts ok, cursor ok")
})

it("says which scope is missing", async () => {
  const world = await connected()
  world.emulator.faults.set(["scope-missing:scope=read:contracts"])
  const stages = await run(world)
  expect(outcomes(stages)).toBe("address ok, tls ok, key ok, contracts failed, cursor skipped, clock ok")
  expect(stages[3]?.message).toBe("missingScopeTitle read:contracts. missingScopeBody")
})

it.each([
  ["key-revoked", "address ok, tls ok, key failed, contracts skipped, cursor skipped, clock ok"],
  ["not-json", "address failed, tls ok, key skipped, contracts skipped, cursor skipped, clock ok"],
  ["rate-limit:retryAfter=90", "address ok, tls ok, key skipped, contracts failed, cursor skipped, clock ok"],
  ["server-error", "address ok, tls ok, key skipped, contracts failed, cursor skipped, clock ok"],
  ["cursor-ignored", "address ok, tls ok, key ok, contracts ok, cursor failed, clock ok"],
  ["drop", "address failed, tls skipped, key skipped, contracts skipped, cursor skipped, clock skipped"],
])("tells the stages apart with %s", async (fault, expected) => {
  const world = await connected()
  world.emulator.faults.set([fault])
  expect(outcomes(await run(world))).toBe(expected)
})

it("finds a cursor's parameter of another name", async () => {
  const world = await connected()
  world.emulator.faults.set(["cursor-renamed:parameter=page_token"])
  expect((await run(world)).find(({ stage }) => stage === "cursor")?.message).toBe("testCursorOk page_token")
  expect((await world.ask({ type: "page.state" })).cursorParam).toBe("page_token")
})

it("asks nothing without an address or without its grant", async () => {
  const world = World.make()
  expect(outcomes(await run(world))).toMatch(/^address failed, tls skipped, .* clock skipped$/)
  await world.ask({ type: "page.setAddress", baseUrl: World.baseUrl })
  expect((await run(world))[0]?.message).toBe(
    `noPermissionTitle ${new URL(World.baseUrl).host}. noPermissionBody`,
  )
  expect(world.platform.asked).toEqual([])
})

it("says whether anything answers before there is a key", async () => {
  const world = World.make({ contracts: 30 })
  world.platform.granted.add(World.apiPattern)
  await world.ask({ type: "page.setAddress", baseUrl: World.baseUrl })
  const stages = await run(world)
  expect(outcomes(stages)).toMatch(/^address ok, tls ok, key failed/)
  expect(stages[2]?.message).toBe("noKeyTitle. noKeyBody")
})

it("warns when the clocks differ", async () => {
  const world = await connected()
  world.clock.advance(10 * 60_000)
  expect((await run(world)).at(-1)).toMatchObject({ stage: "clock", outcome: "warning" })
})

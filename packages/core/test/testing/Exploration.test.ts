import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as PropertyClient from "../../src/client/PropertyClient.ts"
import { createClient } from "../../src/promise.ts"
import { ExplorationFailed, explore, RandomServers } from "../../src/testing/index.ts"
import type { ListServer } from "../../src/testing/index.ts"
import { Transport } from "../../src/transport/Transport.ts"
import { idsOf, readList } from "../fixtures/Setup.ts"

const count = Number(process.env["DEEDKIT_CASES"] ?? 300)

const idsByPromise = async ({ apiKey, baseUrl, clock, send: transport }: ListServer) => {
  // With the default figures, many lists fit in the burst, and nothing waits.
  const rate = { start: 2, burst: 10, ceiling: 20 }
  await using client = createClient({ baseUrl, apiKey, clock, transport, rate })
  return idsOf(await client.contracts.collect({ max: "all" }))
}

const read = ({ apiKey, baseUrl, clock, send }: ListServer) =>
  Effect.flatMap(PropertyClient.make({ baseUrl, apiKey }), ({ contracts }) =>
    readList(contracts.pages({ prove: true, limit: 7 })),
  ).pipe(Effect.provideService(Transport, send), Effect.provideService(Clock.Clock, clock), Effect.runPromise)

describe("the client on servers made at random", () => {
  it(`gives every contract of a sound one, by promises, in no time (${count})`, async () => {
    const startedAt = performance.now()
    let waitedMillis = 0
    await explore(
      async (server) => {
        const before = server.clock.plain.now()
        expect(await idsByPromise(server)).toEqual(idsOf(server.contracts))
        waitedMillis += server.clock.plain.now() - before
      },
      RandomServers.sound,
      { count },
    )
    // Else no fault was ever met.
    expect(waitedMillis).toBeGreaterThan(count * 1_000)
    expect(performance.now() - startedAt).toBeLessThan(waitedMillis)
  })

  it(`never says complete of a list that is not, with Effect (${count})`, async () => {
    let failed = 0
    await explore(
      async (server) => {
        const { error, pages, records } = await read(server)
        if (error === null) expect(idsOf(records)).toEqual(idsOf(server.contracts))
        else failed += 1
        expect(error === null || !server.isSound).toBe(true)
        expect(pages.at(-1)?.summary.complete ?? error === null).toBe(error === null)
      },
      RandomServers.any,
      { count },
    )
    expect(failed).toBeGreaterThan(count / 10)
  })
})

/** Reads until a page is empty, as many programs do. */
const untilEmpty = async ({ send, ...server }: ListServer): Promise<void> => {
  const seen: Array<unknown> = []
  const limits = { connectMillis: 1, idleMillis: 1, maxBodyBytes: 1e9 }
  const cancellation = { signal: new AbortController().signal, onCancel: () => {} }
  for (let next: string | number | null = null; ;) {
    const url = `${server.baseUrl}/v1/contracts/${next === null ? "" : `?before_id=${next}`}`
    const { status, text } = await send({ url, headers: {}, ...limits }, cancellation)
    if (status !== 200) return
    const page = JSON.parse(text)
    if (page.items.length === 0 || page.next_before_id === 0) break
    seen.push(...page.items)
    next = page.next_before_id
    if (!next) break
  }
  if (seen.length !== server.contracts.length) throw new Error(`${seen.length} of ${server.contracts.length}`)
}

describe("a tool that is wrong", () => {
  const failureOf = async (options: { readonly seed?: number; readonly count?: number } = {}) => {
    try {
      await explore(untilEmpty, RandomServers.sound, options)
    } catch (error) {
      if (error instanceof ExplorationFailed) return error
    }
    throw new Error("did not fail")
  }

  it("is found, and the server is reduced to what matters", async () => {
    const { cause, message, traits } = await failureOf()
    expect(traits).toEqual({ end: 0 })
    expect(cause).toEqual(new Error("20 of 25"))
    expect(message).toMatch(/^Failed on the server with the seed \d+, reduced to \{"end":0\}: 20 of 25$/)
  })

  it("fails again on the server with the seed that is named", async () => {
    const { seed, traits } = await failureOf()
    const again = await failureOf({ seed, count: 1 })
    expect(again).toMatchObject({ seed, traits })
  })

  it("fails with any value that it throws, also when it is not async", async () => {
    const value: unknown = "text"
    const thrown = explore(
      () => {
        throw value
      },
      RandomServers.sound,
      { count: 1 },
    )
    await expect(thrown).rejects.toMatchObject({ cause: "text", traits: {} })
  })

  it("is told of a server that cannot be made, as what it is", async () => {
    const servers = {
      draw: () => ({ size: 3 }),
      make: () => {
        throw new TypeError("no server")
      },
    }
    await expect(explore(() => {}, servers)).rejects.toEqual(new TypeError("no server"))
  })

  it("is reduced in lists, objects and numbers, never to a server that cannot be made", async () => {
    const servers = {
      draw: () => ({ a: 40, b: { c: 9, d: "x" }, list: [1, 2, 3, 50], needed: true }),
      make: (traits: { readonly needed?: boolean }) => {
        if (traits.needed !== true) throw new Error("cannot be made")
        return traits
      },
    }
    const tool = (_: unknown, { a = 0, b, list = [] }: Partial<ReturnType<typeof servers.draw>>) => {
      if (a >= 7 && (b?.c ?? 0) > 1 && list.some((one) => one >= 5)) throw new Error("wrong")
    }
    await expect(explore(tool, servers)).rejects.toMatchObject({
      traits: { a: 7, b: { c: 2 }, list: [5], needed: true },
    })
  })
})

describe("seeds", () => {
  it("make the same servers each time, and other ones for other seeds", async () => {
    const drawn = async (seed: number) => {
      const all: Array<string> = []
      await explore((_, traits) => all.push(JSON.stringify(traits)), RandomServers.any, { seed, count: 50 })
      return all
    }
    const first = await drawn(1)
    expect(await drawn(1)).toEqual(first)
    expect((await drawn(11)).slice(0, 40)).toEqual(first.slice(10))
    expect(new Set(first).size).toBeGreaterThan(45)
  })
})

it("works under node:test", async () => {
  const file = join(import.meta.dirname, "nodeTest.ts")
  const args = ["--conditions=@deedkit/source", "--test", "--test-reporter=tap", file]
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined }
  const { stdout } = await promisify(execFile)(process.execPath, args, { env })
  expect(stdout).toMatch(/^# pass 1$/m)
})

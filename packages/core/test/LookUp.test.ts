import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { ClientError } from "../src/ClientError.ts"
import type { Reason } from "../src/ClientError.ts"
import * as LookUp from "../src/LookUp.ts"
import { failure, idsOf, world } from "./Setup.ts"
import type { World } from "./Setup.ts"

const firstId = ({ emulator }: World): number => emulator.store.contracts[0]!.id

const failed = (reason: Reason) =>
  Effect.fail(new ClientError({ reason, request: null, requestId: null, attempts: [], walk: null }))

/** Even ids are known. */
const counted = () => {
  const state = { asked: [] as Array<number>, underWay: 0, most: 0 }
  const get = (id: number) =>
    Effect.gen(function* () {
      state.asked.push(id)
      state.most = Math.max(state.most, (state.underWay += 1))
      yield* Effect.yieldNow
      state.underWay -= 1
      return id % 2 === 0 ? { id } : yield* failed({ _tag: "NotFound", status: 404, serverSays: null })
    })
  return { state, get }
}

describe("many", () => {
  it("gives an answer for each id in the order asked, and asks for each id once", async () => {
    const { get, state } = counted()
    const found = await Effect.runPromise(LookUp.many([4, 3, 4, 2, 3], get))
    expect(found.map(({ _tag, id }) => [id, _tag])).toEqual([
      [4, "Found"],
      [3, "Unknown"],
      [4, "Found"],
      [2, "Found"],
      [3, "Unknown"],
    ])
    expect(new Set(state.asked)).toEqual(new Set([2, 3, 4]))
    expect(state.asked).toHaveLength(3)
  })

  it.each([
    [undefined, 4],
    [1, 1],
    [7, 7],
  ])("has at most so many under way: concurrency %s means %i", async (concurrency, most) => {
    const { get, state } = counted()
    await Effect.runPromise(
      LookUp.many(
        Array.from({ length: 40 }, (_, id) => 2 * id),
        get,
        { concurrency },
      ),
    )
    expect(state.most).toBe(most)
  })

  it("fails with the first error that is not NotFound", async () => {
    const error = await Effect.runPromise(
      failure(LookUp.many([2, 4], () => failed({ _tag: "Unauthenticated", status: 401, serverSays: null }))),
    )
    expect(error.reason._tag).toBe("Unauthenticated")
  })

  it("of no ids gives nothing", async () => {
    expect(await Effect.runPromise(LookUp.many([], counted().get))).toEqual([])
  })
})

describe("getMany", () => {
  it("passes includeData on", async () => {
    const { client, emulator, run } = await world()
    await run(client.contracts.getMany([emulator.store.contracts[0]!.id], { includeData: true }))
    expect(emulator.journal.entries[0]?.query).toHaveProperty("include_data", "1")
  })

  it("asks for nothing more after an error that is not an unknown id", async () => {
    const it = await world({ emulator: { faults: [{ name: "ok-false", when: { requests: [2] } }] } })
    const ids = idsOf(it.emulator.store.contracts).slice(0, 20)
    const error = await it.fails(it.client.contracts.getMany(ids, { concurrency: 1 }))
    expect(error.reason).toMatchObject({ _tag: "NotOk", status: 200 })
    expect(it.emulator.journal.entries).toHaveLength(2)
  })

  it("asks for nothing when one of the ids is bad: refused before any request", async () => {
    const { client, emulator, fails } = await world()
    const good = idsOf(emulator.store.contracts).slice(0, 10)
    const error = await fails(client.contracts.getMany([...good, 0]))
    expect(error.reason._tag).toBe("ConfigInvalid")
    expect(emulator.journal.entries).toEqual([])
  })

  it.each([0, -1, 0.5, Number.NaN])(
    "comes to an end with a concurrency that cannot work: %d",
    async (concurrency) => {
      const { client, emulator, run } = await world()
      const ids = idsOf(emulator.store.contracts).slice(0, 3)
      const controller = new AbortController()
      const looked = run(Effect.exit(client.contracts.getMany(ids, { concurrency })), controller.signal)
      const never = new Promise<"never">((resolve) => setTimeout(resolve, 200, "never"))
      const outcome = await Promise.race([looked, never])
      controller.abort()
      await looked.catch(() => {})
      expect(outcome).not.toBe("never")
    },
  )
})

describe("the same look-up asked for many times at once", () => {
  it("is one request, whose answer all of them get", async () => {
    const it = await world({ emulator: { faults: [{ name: "latency", ms: 50 }] } })
    const gets = Array.from({ length: 40 }, () => it.client.contracts.get(firstId(it)))
    const contracts = await it.run(Effect.all(gets, { concurrency: "unbounded" }))
    expect(new Set(idsOf(contracts))).toEqual(new Set([firstId(it)]))
    expect(it.emulator.journal.entries).toHaveLength(1)
  })

  it("goes on while one of them waits, and is asked anew later", async () => {
    const it = await world({ emulator: { faults: [{ name: "latency", ms: 5_000 }] } })
    const get = it.client.contracts.get(firstId(it))
    const both = Effect.all([Effect.timeoutOption(get, "1 second"), get], { concurrency: 2 })
    const [impatient, patient] = await it.run(both)
    expect([impatient._tag, patient.id]).toEqual(["None", firstId(it)])
    await it.run(get)
    expect(it.emulator.journal.entries).toHaveLength(2)
  })

  it("is called off with the last one that waits", async () => {
    const signals: Array<AbortSignal> = []
    const it = await world({
      around: () => (request) => {
        signals.push(request.signal)
        return new Promise(() => {})
      },
    })
    const get = Effect.timeoutOption(it.client.contracts.get(1), "1 second")
    await it.run(Effect.all([get, get, get], { concurrency: 3 }))
    expect(signals.map((signal) => signal.aborted)).toEqual([true])
  })

  it("fails for all of them alike", async () => {
    const it = await world({ emulator: { faults: ["key-revoked", { name: "latency", ms: 10 }] } })
    const gets = Array.from({ length: 5 }, () => Effect.flip(it.client.contracts.get(1)))
    const errors = await it.run(Effect.all(gets, { concurrency: "unbounded" }))
    expect(errors.map((error) => error.reason._tag)).toEqual(Array(5).fill("Unauthenticated"))
    expect(it.emulator.journal.entries).toHaveLength(1)
  })
})

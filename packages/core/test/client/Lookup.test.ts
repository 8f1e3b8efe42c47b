import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { describe, expect, it } from "vitest"
import { ClientError } from "../../src/ClientError.ts"
import type { Reason } from "../../src/ClientError.ts"
import { lookUpMany } from "../../src/Records.ts"
import { eventsOf, failure, idsOf, world } from "../fixtures/Setup.ts"
import type { World } from "../fixtures/Setup.ts"

const firstId = ({ emulator }: World): number => emulator.store.contracts[0]!.id

const failed = (reason: Reason) =>
  Effect.fail(new ClientError({ reason, request: null, requestId: null, attempts: [], reading: null }))

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
    const found = await Effect.runPromise(lookUpMany([4, 3, 4, 2, 3], get))
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
      lookUpMany(
        Array.from({ length: 40 }, (_, id) => 2 * id),
        get,
        { concurrency },
      ),
    )
    expect(state.most).toBe(most)
  })

  it("fails with the first error that is not NotFound", async () => {
    const error = await Effect.runPromise(
      failure(lookUpMany([2, 4], () => failed({ _tag: "Unauthenticated", status: 401, serverSays: null }))),
    )
    expect(error.reason._tag).toBe("Unauthenticated")
  })

  it("of no ids gives nothing", async () => {
    expect(await Effect.runPromise(lookUpMany([], counted().get))).toEqual([])
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
      const never = new Promise<"never">((resolve) => setTimeout(resolve, 10_000, "never").unref())
      const outcome = await Promise.race([looked, never])
      controller.abort()
      await looked.catch(() => {})
      expect(outcome).not.toBe("never")
    },
  )
})

describe("the same lookup asked for many times at once", () => {
  it("is one request, whose answer all of them get", async () => {
    const it = await world({ emulator: { faults: [{ name: "latency", ms: 50 }] } })
    const gets = Array.from({ length: 40 }, () => it.client.contracts.get(firstId(it)))
    const contracts = await it.run(Effect.all(gets, { concurrency: "unbounded" }))
    expect(new Set(idsOf(contracts))).toEqual(new Set([firstId(it)]))
    expect(it.emulator.journal.entries).toHaveLength(1)
  })

  it("continues while one of them waits, and is sent again for a later call", async () => {
    const it = await world({ emulator: { faults: [{ name: "latency", ms: 5_000 }] } })
    const get = it.client.contracts.get(firstId(it))
    const both = Effect.all([Effect.timeoutOption(get, "1 second"), get], { concurrency: 2 })
    const [impatient, patient] = await it.run(both)
    expect([impatient._tag, patient.id]).toEqual(["None", firstId(it)])
    await it.run(get)
    expect(it.emulator.journal.entries).toHaveLength(2)
  })

  it("is cancelled with the last caller that waits", async () => {
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

describe("the deadline of a shared lookup", () => {
  /** Long enough for a request to outlast a deadline. */
  const limits = { attempt: "10 minutes", idle: "10 minutes", deadline: "2 minutes" } as const
  const seconds = (it: World) => it.elapsed() / 1_000

  /** What comes of asking after so many seconds, and when. */
  const asked = (it: World, afterSeconds: number, id = firstId(it)) =>
    Effect.map(Effect.exit(Effect.delay(it.client.contracts.get(id), `${afterSeconds} seconds`)), (exit) => ({
      at: seconds(it),
      found: Exit.isSuccess(exit) ? exit.value.id : null,
      error: Exit.isSuccess(exit) ? null : (Cause.squash(exit.cause) as ClientError),
    }))
  const together = <A>(it: World, ...asking: ReadonlyArray<Effect.Effect<A>>) =>
    it.run(Effect.all(asking, { concurrency: "unbounded" }))
  const timedOut = { _tag: "TimedOut", which: "deadline", afterMillis: 120_000 }

  it("is that of each caller: one who joined late gets the record that came too late for the first", async () => {
    const it = await world({
      client: { timeLimits: limits },
      emulator: { faults: [{ name: "latency", ms: 150_000 }] },
    })
    const [first, late] = await together(it, asked(it, 0), asked(it, 110))
    expect([first?.at, late?.at]).toEqual([120, 150])
    expect(first?.error?.reason).toEqual(timedOut)
    expect(first?.error?.attempts).toMatchObject([
      { reason: "TimedOut", phase: "deadline", waitedMillis: null },
    ])
    expect(late?.found).toBe(firstId(it))
    expect(it.emulator.journal.entries).toHaveLength(1)
    expect(eventsOf(it.events, "Attempted").map((event) => event.outcome)).toEqual(["ok"])
  })

  it("lets a wait be begun that only the late one can wait for", async () => {
    const it = await world({
      client: { timeLimits: { ...limits, attempt: "100 seconds" } },
      emulator: {
        faults: [
          { name: "latency", ms: 95_000, when: { requests: [1] } },
          { name: "rate-limit", retryAfter: 50, when: { requests: [1] } },
        ],
      },
    })
    const [first, late] = await together(it, asked(it, 0), asked(it, 90))
    expect(first?.at).toBe(120)
    expect(first?.error?.reason).toEqual(timedOut)
    expect(first?.error?.attempts).toMatchObject([{ reason: "RateLimited", status: 429 }])
    expect(late?.found).toBe(firstId(it))
    expect(late?.at).toBeGreaterThanOrEqual(145)
    expect(it.emulator.journal.entries).toHaveLength(2)
    // What the first was told stays as it was then.
    expect(first?.error?.attempts).toHaveLength(1)
  })

  it("ends a wait for the rate limiter for the first caller, and not for the later one", async () => {
    const it = await world({ client: { rate: 1 / 150, timeLimits: limits } })
    await it.run(it.client.me())
    const [first, late] = await together(it, asked(it, 0), asked(it, 100))
    expect([first?.at, late?.at]).toEqual([120, 150])
    expect(first?.error).toMatchObject({ reason: timedOut, attempts: [] })
    expect(late?.found).toBe(firstId(it))
  })

  it("cancels the request with the last one, and is reported as that of any other call", async () => {
    const signals: Array<AbortSignal> = []
    const it = await world({
      client: { timeLimits: limits },
      around: () => (request) => {
        signals.push(request.signal)
        return new Promise(() => {})
      },
    })
    const waiting = await together(it, asked(it, 0), asked(it, 60), asked(it, 119))
    expect(waiting.map(({ at }) => at)).toEqual([120, 180, 239])
    expect(waiting.map(({ error }) => error?.reason)).toEqual([timedOut, timedOut, timedOut])
    expect(signals.map((signal) => signal.aborted)).toEqual([true])
    const attempted = eventsOf(it.events, "Attempted")
    expect(attempted).toMatchObject([
      { outcome: "TimedOut", attempt: 1, status: null, durationMillis: 239_000 },
    ])

    const alone = await it.fails(it.client.contracts.get(7))
    const unshared = await it.fails(it.client.me())
    expect(alone.reason).toEqual(unshared.reason)
    const facts = ({ attempts }: ClientError) => attempts.map((attempt) => ({ ...attempt, at: null }))
    expect(facts(alone)).toEqual(facts(unshared))
    const [, ofAlone, ofUnshared] = eventsOf(it.events, "Attempted")
    expect(ofAlone?.durationMillis).toBe(ofUnshared?.durationMillis)
  })

  it("is the first one's again when the late one has left", async () => {
    const it = await world({
      client: { timeLimits: limits },
      emulator: { faults: [{ name: "stall", head: false }] },
    })
    const leaving = Effect.map(
      Effect.timeoutOption(it.client.contracts.get(firstId(it)), "5 seconds"),
      () => null,
    )
    const both = Effect.all([asked(it, 0), Effect.delay(leaving, "110 seconds")], { concurrency: 2 })
    const [first] = await it.run(both)
    expect(first).toMatchObject({ at: 120, error: { reason: timedOut } })
  })

  it("of none waits for ever", async () => {
    const it = await world({
      client: { timeLimits: { ...limits, attempt: Infinity, idle: Infinity, deadline: null } },
      emulator: { faults: [{ name: "latency", ms: 86_400_000 }] },
    })
    expect(await it.run(asked(it, 0))).toMatchObject({ at: 86_400, found: firstId(it) })
  })

  it("leaves nothing behind when a listener aborts the call while it is being started", async () => {
    const it = await world({ client: { rate: 1 / 20 } })
    await it.run(it.client.me())
    const controller = new AbortController()
    it.client.listen(({ _tag }) => {
      if (_tag === "Waiting") controller.abort()
    })
    const outcome = await it.run(it.client.contracts.get(firstId(it)), controller.signal).then(
      () => "answered",
      () => "aborted",
    )
    expect(outcome).toBe("aborted")
    await it.run(Effect.sleep("5 minutes"))
    expect(it.emulator.journal.entries).toHaveLength(1)
  })
})

describe("get", () => {
  it("with and without the payload are two requests", async () => {
    const { client, emulator, run } = await world()
    const [id] = idsOf(emulator.store.contracts)
    const both = [client.contracts.get(id!), client.contracts.get(id!, { includeData: true })]
    await run(Effect.all(both, { concurrency: 2 }))
    expect(emulator.journal.entries).toHaveLength(2)
  })
})

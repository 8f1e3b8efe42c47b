import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect, it } from "vitest"
import { repeat } from "../../src/sync/Rounds.ts"

const minute = 60_000
const all = ["acme", "beta", "corp"]

/** The minutes at which accounts are synced in a span of hours, each with the names; `fails` says which accounts fail in a try. */
const tries = (
  everyMinutes: number,
  hours: number,
  fails: (name: string, minutes: number) => boolean,
  takesMinutes = 0,
) =>
  Effect.gen(function* () {
    const found: Array<string> = []
    const sync = (names: ReadonlyArray<string> | null) =>
      Effect.gen(function* () {
        const minutes = (yield* Clock.currentTimeMillis) / minute
        found.push(`${minutes} ${names === null ? "all" : names.join(" ")}`)
        yield* Effect.sleep(takesMinutes * minute)
        return (names ?? all).filter((name) => fails(name, minutes))
      })
    const fiber = yield* Effect.forkChild(repeat(everyMinutes * minute, sync, () => Effect.void))
    yield* TestClock.adjust(hours * 60 * minute)
    yield* Fiber.interrupt(fiber)
    return found
  }).pipe(Effect.provide(TestClock.layer()), Effect.runPromise)

describe("accounts that are synced every so often", () => {
  it("are synced again 5, 15, 45 and 120 minutes after a try that the service failed, and with the next round", async () => {
    expect(await tries(24 * 60, 25, (name) => name !== "beta")).toEqual([
      "0 all",
      "5 acme corp",
      "20 acme corp",
      "65 acme corp",
      "185 acme corp",
      "1440 all",
      "1445 acme corp",
      "1460 acme corp",
    ])
  })

  it("are not synced again once they are complete, so an outage of some minutes loses no night", async () => {
    expect(await tries(24 * 60, 23, (name, minutes) => minutes < (name === "acme" ? 20 : 3))).toEqual([
      "0 all",
      "5 acme beta corp",
      "20 acme",
    ])
  })

  it("wait for the next round if that comes first", async () => {
    expect(await tries(15, 0.5, () => true)).toEqual([
      "0 all",
      "5 acme beta corp",
      "15 all",
      "20 acme beta corp",
      "30 all",
    ])
  })

  it("are synced one round after the other, where a round takes longer than the span", async () => {
    expect(await tries(10, 1, () => false, 25)).toEqual(["0 all", "25 all", "50 all"])
  })
})

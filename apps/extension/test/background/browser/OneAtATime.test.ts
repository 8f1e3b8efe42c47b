import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { describe, expect, it } from "vitest"
import * as OneAtATime from "../../../src/background/browser/OneAtATime.ts"

const turns = async (count = 50): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** A gate that a test opens, and an effect that waits for it and writes down what it does. */
const world = () => {
  const oneAtATime = OneAtATime.make()
  const log: Array<string> = []
  const opened = new Map<string, () => void>()
  const gated = (name: string): Effect.Effect<string> =>
    oneAtATime(
      Effect.gen(function* () {
        log.push(`${name} begins`)
        yield* Effect.callback<void>((resume) => void opened.set(name, () => resume(Effect.void)))
        log.push(`${name} ends`)
        return name
      }),
    )
  return { oneAtATime, log, gated, open: (name: string) => opened.get(name)!() }
}

describe("one at a time", () => {
  it("runs one after the other, in the order in which they came, and gives what each gives", async () => {
    const { gated, log, open } = world()
    const all = ["a", "b", "c"].map((name) => Effect.runPromise(gated(name)))
    for (const name of ["a", "b", "c"]) {
      await turns()
      expect(log.at(-1)).toBe(`${name} begins`)
      open(name)
    }
    expect(await Promise.all(all)).toEqual(["a", "b", "c"])
    expect(log).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"])
  })

  it("runs the next one when one fails or dies", async () => {
    const { oneAtATime } = world()
    expect(Exit.isFailure(await Effect.runPromiseExit(oneAtATime(Effect.fail("no"))))).toBe(true)
    expect(Exit.isFailure(await Effect.runPromiseExit(oneAtATime(Effect.die("no"))))).toBe(true)
    expect(await Effect.runPromise(oneAtATime(Effect.succeed(1)))).toBe(1)
  })

  it("skips one that was interrupted while it waited, and lets nobody in before the one that runs has ended", async () => {
    const { gated, log, open } = world()
    const a = Effect.runFork(gated("a"))
    const b = Effect.runFork(gated("b"))
    const c = Effect.runFork(gated("c"))
    await turns()
    await Effect.runPromise(Fiber.interrupt(b))
    await turns()
    expect(log).toEqual(["a begins"])
    open("a")
    await turns()
    open("c")
    await Effect.runPromise(Fiber.join(c))
    expect(log).toEqual(["a begins", "a ends", "c begins", "c ends"])
    expect(await Effect.runPromise(Fiber.join(a))).toBe("a")
  })

  it("begins the next one only after the end of one that is interrupted while it runs", async () => {
    const { gated, log, oneAtATime, open } = world()
    let finish = (): void => {}
    const a = Effect.runFork(
      oneAtATime(
        Effect.ensuring(
          Effect.never,
          Effect.callback<void>((resume) => void (finish = () => resume(Effect.void))),
        ),
      ),
    )
    await turns()
    const b = Effect.runFork(gated("b"))
    const interrupted = Effect.runPromise(Fiber.interrupt(a))
    await turns()
    expect(log).toEqual([])
    finish()
    await interrupted
    await turns()
    open("b")
    expect(await Effect.runPromise(Fiber.join(b))).toBe("b")
  })
})

import { describe, expect, it } from "vitest"
import { createClient } from "../../src/promise.ts"
import type { Cancellation } from "../../src/Transport.ts"

/** Ways to end after the attempt has: none of them may reach anybody. */
const lateEndings: Readonly<Record<string, (cancellation: Cancellation) => Promise<never>>> = {
  "resolves as soon as it is cancelled": ({ onCancel }) =>
    new Promise((resolve) => onCancel(() => resolve({ status: 200 } as never))),
  "rejects with undefined as soon as it is cancelled": ({ onCancel }) =>
    new Promise((_, reject) => onCancel(() => reject(undefined))),
  "resolves with nothing a turn later": ({ signal }) =>
    new Promise((resolve) => {
      signal.addEventListener("abort", () => setImmediate(() => resolve(undefined as never)))
    }),
  "rejects a turn later": ({ signal }) =>
    new Promise((_, reject) => {
      signal.addEventListener("abort", () => setImmediate(() => reject(new Error("late"))))
    }),
  "throws when it is cancelled": ({ onCancel }) =>
    new Promise(() => {
      onCancel(() => {
        throw new Error("cannot stop")
      })
    }),
}

describe.each(Object.entries(lateEndings))("a transport that %s", (name, late) => {
  it("changes nothing for calls that ran out of time or were aborted, and leaves no error unhandled", async () => {
    const errors: Array<unknown> = []
    const note = (error: unknown): void => void errors.push(error)
    process.on("unhandledRejection", note)
    process.on("uncaughtException", note)
    const client = (timeLimits: object) =>
      createClient({
        baseUrl: "https://api.example.test",
        apiKey: `dk_${name.replaceAll(" ", "_")}`,
        rate: 0,
        retry: { attempts: 1 },
        timeLimits,
        transport: (_request, cancellation) => late(cancellation),
      })
    const outcome = (call: Promise<unknown>) =>
      call.then(
        () => "answered",
        (error: unknown) => error,
      )
    const controller = new AbortController()
    try {
      const hasty = client({ attempt: 10 })
      const due = client({ deadline: 10 })
      const aborted = client({})
      const calls = [
        hasty.me(),
        hasty.contracts.get(1),
        due.me(),
        due.contracts.get(1),
        aborted.me({ signal: controller.signal }),
        aborted.contracts.get(1, { signal: controller.signal }),
        aborted.contracts.collect({ max: 1, signal: controller.signal }),
      ].map(outcome)
      const limited = await Promise.all(calls.slice(0, 4))
      expect(limited.map((error) => (error as { reason: object }).reason)).toEqual([
        { _tag: "TimedOut", which: "attempt", afterMillis: 10 },
        { _tag: "TimedOut", which: "attempt", afterMillis: 10 },
        { _tag: "TimedOut", which: "deadline", afterMillis: 10 },
        { _tag: "TimedOut", which: "deadline", afterMillis: 10 },
      ])
      controller.abort("enough")
      expect(await Promise.all(calls.slice(4))).toEqual(["enough", "enough", "enough"])
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
      expect(errors).toEqual([])
    } finally {
      process.off("unhandledRejection", note)
      process.off("uncaughtException", note)
    }
  })
})

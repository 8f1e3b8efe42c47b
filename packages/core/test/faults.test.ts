import { kinds } from "@deedkit/emulator"
import type { Fault, When } from "@deedkit/emulator"
import { describe, expect, it } from "vitest"
import { reasonTags } from "../src/ClientError.ts"
import { failure, idsOf, walked, world } from "./Setup.ts"

const conditions: ReadonlyArray<{ readonly when: When; readonly text: string }> = [
  { text: "on every request", when: {} },
  { text: "on page 2", when: { page: 2 } },
  { text: "on the second request alone", when: { requests: [2] } },
  { text: "on every third request", when: { every: 3 } },
]
const options: ReadonlyArray<{ readonly cursorParam: string; readonly onInvalid: "fail" | "collect" }> = [
  { cursorParam: "before_id", onInvalid: "fail" },
  { cursorParam: "auto", onInvalid: "collect" },
]

/** Sizes that a test can bear; every other attribute keeps its default. */
const bearable: Readonly<Record<string, object>> = { huge: { bytes: 200_000 }, mutate: { update: 2 } }
const faultOf = (name: Fault["name"], when: When): Fault =>
  ({ name, when, ...bearable[name] }) as unknown as Fault

describe.each(kinds.map(({ name }) => name))("the fault %s", (name) => {
  it.each(conditions)(
    "$text gives a complete list, or a typed error and an incomplete summary",
    async ({ when }) => {
      for (const { cursorParam, onInvalid } of options) {
        const { client, emulator, run } = await world({
          client: { cursorParam, maxBodyBytes: 100_000 },
          emulator: { contracts: 100, faults: [faultOf(name, when)] },
        })
        const { error, pages, records } = await run(walked(client.contracts.pages({ limit: 20, onInvalid })))
        const stored = new Set(idsOf(emulator.store.contracts))
        const given = new Set(idsOf(records))
        expect(records).toHaveLength(given.size)
        expect([...given].every((id) => stored.has(id))).toBe(true)
        const last = pages.at(-1)?.summary
        if (error === null) {
          const setAside = pages.flatMap((page) => page.invalid)
          expect(last).toMatchObject({ complete: true, records: given.size, invalid: setAside.length })
          expect(given.size + new Set(setAside.map(({ id }) => id)).size).toBe(stored.size)
        } else {
          expect(reasonTags).toContain(error.reason._tag)
          expect(error.walk).toMatchObject({ complete: false, records: given.size })
          expect(pages.every((page) => !page.summary.complete)).toBe(true)
          expect(error.message).toMatch(/\.$/)
        }
      }
    },
  )

  it("gives the record that was asked for, or a typed error", async () => {
    const { client, emulator, run } = await world({
      client: { maxBodyBytes: 100_000 },
      emulator: { contracts: 20, faults: [faultOf(name, {})] },
    })
    const { id } = emulator.store.contracts[3]!
    const outcome = await run(client.contracts.get(id)).catch(() => run(failure(client.contracts.get(id))))
    if (outcome instanceof Error) expect(reasonTags).toContain(outcome.reason._tag)
    else expect(outcome.id).toBe(id)
  })
})

describe("faults that go away by themselves", () => {
  it.each<Fault>([
    { name: "burst", count: 3 },
    { name: "storm", ms: 5_000 },
    { name: "quota", limit: 2, windowMs: 10_000 },
    { name: "drop", when: { every: 2 } },
    { name: "cut", when: { every: 2 } },
    { name: "truncated-json", when: { every: 3 } },
    { name: "stall", when: { requests: [2] } },
    { name: "server-error", status: 502, when: { requests: [1, 2, 5] } },
    { name: "rate-limit", retryAfter: "date", when: { every: 2 } },
    { name: "html-error", status: 503, when: { requests: [3] } },
    { name: "latency", ms: 5_000 },
    { name: "slow", bytesPerSecond: 5_000 },
  ])("$name loses no record", async (fault) => {
    const { client, emulator, run } = await world({ emulator: { faults: [fault] } })
    const { error, pages, records } = await run(walked(client.contracts.pages()))
    expect(error).toBeNull()
    expect(idsOf(records)).toEqual(idsOf(emulator.store.contracts))
    const { entries } = emulator.journal
    expect(pages.at(-1)?.summary).toMatchObject({
      complete: true,
      requests: entries.length,
      retries: entries.length - pages.length,
    })
  })
})

/** The Schemas accept what real reads return, and give it back through JSON text. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { describe, expect, it } from "vitest"
import * as core from "../../../src/index.ts"
import { isCheckpoint } from "../../../src/pagination/Checkpoint.ts"
import type { WorldOptions } from "../../fixtures/Setup.ts"
import { eventsOf, world } from "../../fixtures/Setup.ts"

/** The value after JSON text. Fails where the Schema refuses it. */
const crossed = <A>(schema: Schema.Codec<A, unknown>, value: A): A => {
  const codec = Schema.toCodecJson(schema)
  return Schema.decodeUnknownSync(codec)(
    core.Json.parse(core.Json.stringify(Schema.encodeSync(codec)(value))),
  )
}

const servers: ReadonlyArray<readonly [name: string, emulator: WorldOptions["emulator"] & {}]> = [
  ["a plain list", {}],
  ["records that are not as specified", { faults: [{ name: "wrong-type", when: { requests: [2, 3] } }] }],
  ["cursors that are texts", { assumptions: { cursorKind: "string" } }],
  ["cursors beyond 2^53", { assumptions: { cursorKind: "bigint" } }],
  ["a service that limits the rate", { faults: [{ name: "rate-limit", when: { requests: [3] } }] }],
]

describe.each(servers)("a read: %s", (_, emulator) => {
  it.each([false, true])("gives pages, checkpoints and events that cross, with prove: %s", async (prove) => {
    const { client, events, run } = await world({ emulator })
    const pages = await run(
      Stream.runCollect(client.contracts.pages({ limit: 10, prove, record: true, onRejected: "collect" })),
    )
    expect(pages.length).toBeGreaterThan(3)
    const schema = core.PageSchema(core.ContractSchema)
    for (const page of pages) {
      expect(crossed(schema, page)).toEqual(page)
      expect(crossed(core.CheckpointSchema, page.checkpoint)).toEqual(page.checkpoint)
      expect(isCheckpoint(page.checkpoint)).toBe(true)
    }
    expect(eventsOf(events, "PageRead").length).toBe(pages.length)
    for (const event of events) expect(crossed(core.ClientEventSchema, event)).toEqual(event)
  })
})

describe("CheckpointSchema", () => {
  it("accepts no value that a read would refuse as no checkpoint", async () => {
    const { client, run } = await world()
    const [page] = await run(Stream.runCollect(Stream.take(client.contracts.pages({ prove: true }), 1)))
    const { checkpoint } = page!
    const accepted: Array<unknown> = [checkpoint]
    for (const member of Object.keys(checkpoint)) {
      for (const value of [null, undefined, 1, "x", [], {}, [null], { text: "x" }]) {
        const damaged: unknown = { ...checkpoint, [member]: value }
        if (Schema.is(core.CheckpointSchema)(damaged)) accepted.push(damaged)
      }
    }
    expect(accepted.length).toBeGreaterThan(1)
    expect(accepted.every(isCheckpoint)).toBe(true)
  })
})

describe("LookupSchema and MeSchema", () => {
  it("accept what the service answers", async () => {
    const { client, run } = await world()
    const [first] = await run(client.contracts.collect({ max: 1 }))
    const lookups = await run(client.contracts.getMany([first!.id, 999_999]))
    expect(lookups.map(({ _tag }) => _tag)).toEqual(["Found", "Unknown"])
    for (const lookup of lookups)
      expect(crossed(core.LookupSchema(core.ContractSchema), lookup)).toEqual(lookup)
    const me = await run(client.me().pipe(Effect.map((given) => crossed(core.MeSchema, given))))
    expect(me.ok).toBe(true)
  })
})

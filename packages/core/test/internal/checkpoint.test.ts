import * as Stream from "effect/Stream"
import { describe, expect, it } from "vitest"
import type { Checkpoint } from "../../src/Page.ts"
import { scripted } from "../../src/testing/index.ts"
import { idsOf, readList, world } from "../fixtures/Setup.ts"
import type { World, WorldOptions } from "../fixtures/Setup.ts"

/** The first pages of a read, and the checkpoint of the last of them as a file would give it back. */
const interrupted = async (it: World, pages: number) => {
  const first = await it.run(
    Stream.runCollect(Stream.take(it.client.contracts.pages({ limit: 20, readAhead: 0 }), pages)),
  )
  const from: Checkpoint = JSON.parse(JSON.stringify(first.at(-1)?.checkpoint))
  return { first, from }
}

const resumed = async (options: WorldOptions, pages: number) => {
  const it = await world(options)
  const { first, from } = await interrupted(it, pages)
  const rest = await it.run(readList((await it.another({})).contracts.pages({ limit: 20, from })))
  return { ...it, first, from, rest, ids: [...first, ...rest.pages].flatMap((page) => idsOf(page.records)) }
}

describe("a read in two parts", () => {
  it.each([1, 2, 3])(
    "gives each id once where cursors are inclusive: the boundary record comes again after page %i",
    async (pages) => {
      const { emulator, ids, rest } = await resumed(
        { emulator: { assumptions: { cursorBoundary: "inclusive" } } },
        pages,
      )
      expect(rest.error).toBeNull()
      expect(ids).toEqual(idsOf(emulator.store.contracts))
      expect(rest.pages.at(-1)?.summary).toMatchObject({ records: 130, duplicates: 6 })
    },
  )

  it("counts pages, records and requests over both parts", async () => {
    const { emulator, rest } = await resumed({}, 3)
    expect(rest.pages.at(-1)?.summary).toMatchObject({
      pages: 7,
      records: 130,
      requests: emulator.journal.entries.length,
      idOrder: "descending",
      complete: true,
    })
  })

  it("stops when the second part goes back to the cursor that it began with", async () => {
    const it = await world()
    const { first, from } = await interrupted(it, 2)
    const items = first[0]!.records
    const { requests, send } = scripted(() => ({
      body: { ok: true, items, next_before_id: Number(from.next?.text) },
    }))
    const other = await world({ transport: send })
    const client = await other.another({ apiKey: it.emulator.apiKey })
    const { error, records } = await other.run(readList(client.contracts.pages({ from })))
    expect(error?.reason._tag).toMatch(/^(?:CursorIgnored|PaginationStalled)$/)
    expect(records).toEqual([])
    expect(requests).toHaveLength(1)
  })
})

describe("a checkpoint that was damaged", () => {
  it.each<[string, object]>([
    ["whose cursor is no number", { next: { type: "integer", text: "many" } }],
    ["whose cursor is a fraction", { next: { type: "integer", text: "1.5" } }],
    ["whose cursor has no digits", { next: { type: "integer", text: "" } }],
    ["without a version", { version: undefined }],
    ["of a newer version", { version: 2 }],
  ])("%s fails with a ClientError, before any request", async (_, damage) => {
    const it = await world()
    const { from } = await interrupted(it, 1)
    it.emulator.journal.clear()
    const damaged = JSON.parse(JSON.stringify({ ...from, ...damage })) as Checkpoint
    const error = await it.fails(it.client.contracts.collect({ max: "all", from: damaged }))
    expect(error.reason._tag).toMatch(/^(?:CheckpointRefused|ConfigInvalid)$/)
    expect(it.emulator.journal.entries).toEqual([])
  })
})

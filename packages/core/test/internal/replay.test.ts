import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { describe, expect, it } from "vitest"
import type { Contract } from "../../src/model/Contract.ts"
import type { Page } from "../../src/Page.ts"
import type { RecordedPage, Recording } from "../../src/Recording.ts"
import type { ListOptions } from "../../src/client/Records.ts"
import { idsOf, readList, world } from "../fixtures/Setup.ts"
import type { World, WorldOptions } from "../fixtures/Setup.ts"

/** A recording of pages, as a file would give it back. */
const recordingOf = (
  pages: ReadonlyArray<Page<Contract>>,
  owner: Partial<Omit<Recording, "next">> = {},
): Recording => {
  const rest = pages.map((page): RecordedPage => JSON.parse(JSON.stringify(page.recorded)))
  const { collection, keyFingerprint, origin, summary } = pages[0]!.checkpoint
  const { startedAt } = summary
  return {
    origin,
    keyFingerprint,
    collection,
    startedAt,
    ...owner,
    next: Effect.sync(() => rest.shift() ?? null),
  }
}

const record = (it: World, options: ListOptions = {}) =>
  it.run(readList(it.client.contracts.pages({ limit: 20, record: true, onRejected: "collect", ...options })))

const replay = async (it: World, recording: Recording, options: ListOptions = {}) =>
  it.run(
    readList(
      (await it.another({})).contracts.pages({ limit: 20, onRejected: "collect", recording, ...options }),
    ),
  )

/** What a page says, without the answer, the ids of requests, which no two reads share, and what a pause leaves behind. */
const essence = ({ checkpoint, rejected, next, records, summary }: Page<Contract>) => ({
  checkpoint: { ...checkpoint, summary: { ...checkpoint.summary, resumed: null } },
  rejected,
  next,
  records,
  summary: { ...summary, resumed: null },
})

const pauses = (pages: ReadonlyArray<Page<Contract>>) => pages.map(({ summary }) => summary.resumed)

const services: ReadonlyArray<readonly [string, WorldOptions]> = [
  ["as assumed", {}],
  [
    "with inclusive text cursors, ascending",
    {
      emulator: { assumptions: { cursorBoundary: "inclusive", cursorKind: "string", ordering: "ascending" } },
    },
  ],
  [
    "whose cursor has another name",
    {
      emulator: { assumptions: { cursorParameter: "after" } },
      client: { cursorParam: "auto" },
    },
  ],
  [
    "that refuses a limit",
    { emulator: { assumptions: { aboveMaximum: "reject", maximumLimit: 10, defaultLimit: 10 } } },
  ],
  ["with records that hurt", { emulator: { hurting: true } }],
]

describe("a read over a recording", () => {
  describe.each(services)("of a service %s", (_, options) => {
    it.each([1, 2, 3])("of %i pages resumes as if it had never stopped", async (count) => {
      const it = await world(options)
      const whole = await record(it)
      expect(whole.error).toBeNull()
      expect(whole.pages.length).toBeGreaterThan(3)
      const before = it.emulator.journal.entries.length
      const again = await replay(it, recordingOf(whole.pages.slice(0, count)))
      expect(again.error).toBeNull()
      expect(again.pages.map(essence)).toEqual(whole.pages.map(essence))
      const { endedAt, records } = whole.pages[count - 1]!.summary
      const pause = { pausedAt: endedAt, resumedAt: endedAt, records, changed: 0, mayRepeat: false }
      expect(pauses(whole.pages)).toEqual(whole.pages.map(() => null))
      expect(pauses(again.pages)).toEqual(whole.pages.map((_, at) => (at < count ? null : pause)))
      expect(again.pages.map((page) => page.checkpoint.summary)).toEqual(
        again.pages.map((page) => page.summary),
      )
      expect(it.emulator.journal.entries.length - before).toBe(
        whole.pages.at(-1)!.summary.requests - whole.pages[count - 1]!.summary.requests,
      )
    })
  })

  it("rejects the same records, whose characters are unknown", async () => {
    const it = await world({
      around: (fetch) => async (request) => {
        const text = await (await fetch(request)).text()
        const bytes = Buffer.from(text.replace(/"unit_label":"[^"]*"/, '"unit_label":"Caf#"'))
        bytes[bytes.indexOf("Caf#") + 3] = 0xe9
        return new Response(bytes, { headers: { "content-type": "application/json" } })
      },
    })
    const whole = await record(it)
    expect(whole.pages.every(({ rejected }) => rejected.length > 0)).toBe(true)
    const again = await replay(it, recordingOf(whole.pages))
    expect(again.pages.map(essence)).toEqual(whole.pages.map(essence))
  })

  it("gives out no record twice when the list grew in between", async () => {
    const it = await world()
    const first = await record(it, { readAhead: 0 })
    for (let count = 0; count < 40; count += 1) it.emulator.store.insert()
    const again = await replay(it, recordingOf(first.pages.slice(0, 4)))
    const ids = idsOf(again.records)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toEqual(expect.arrayContaining([...idsOf(first.records)]))
  })

  it("of all pages asks for nothing", async () => {
    const it = await world()
    const { pages } = await record(it)
    it.emulator.journal.clear()
    const again = await replay(it, recordingOf(pages))
    expect(again.pages.at(-1)?.summary.complete).toBe(true)
    expect(it.emulator.journal.entries).toEqual([])
  })

  it("passes the same guards: a page that was changed to repeat itself is not believed", async () => {
    const it = await world()
    const { pages } = await record(it)
    const { body } = pages[0]!.recorded!
    const twice = [pages[0]!, { ...pages[1]!, recorded: { ...pages[1]!.recorded!, body } }]
    const { error, records } = await replay(it, recordingOf(twice))
    expect(error?.reason._tag).toBe("CursorIgnored")
    expect(records).toHaveLength(20)
  })

  it("is refused where a page was asked for with another cursor than the read would send", async () => {
    const it = await world()
    const { pages } = await record(it)
    const { error, records } = await replay(it, recordingOf([pages[0]!, pages[2]!]))
    expect(error?.reason).toEqual({ _tag: "CheckpointRefused", mismatch: { field: "version" } })
    expect(records).toHaveLength(20)
  })

  it("stops at a page that cannot be read any more", async () => {
    const it = await world()
    const { pages } = await record(it)
    const cut = { ...pages[0]!, recorded: { ...pages[0]!.recorded!, body: "{" } }
    expect((await replay(it, recordingOf([cut]))).error?.reason._tag).toBe("BodyInvalid")
  })

  it.each([
    ["origin", { origin: "https://other.example.test" }],
    ["key", { keyFingerprint: "0000000000000000" }],
    ["collection", { collection: "api-keys" }],
  ] as const)("of another %s is refused before any request", async (field, owner) => {
    const it = await world()
    const { pages } = await record(it)
    it.emulator.journal.clear()
    const { error } = await replay(it, recordingOf(pages.slice(0, 1), owner))
    expect(error?.reason).toEqual({ _tag: "CheckpointRefused", mismatch: { field } })
    expect(it.emulator.journal.entries).toEqual([])
  })

  it("goes without a checkpoint", async () => {
    const it = await world()
    const { pages } = await record(it)
    const { error } = await replay(it, recordingOf(pages), { from: pages[0]!.checkpoint })
    expect(error?.reason._tag).toBe("ConfigInvalid")
  })

  it("is there only when it was asked for", async () => {
    const it = await world()
    const pages = await it.run(Stream.runCollect(it.client.contracts.pages({ limit: 20 })))
    expect(pages.every((page) => page.recorded === undefined)).toBe(true)
  })
})

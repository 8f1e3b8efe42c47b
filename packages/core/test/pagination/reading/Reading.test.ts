import type { Fault } from "@deedkit/emulator"
import { describe, expect, it } from "vitest"
import type { ListOptions } from "../../../src/client/Records.ts"
import { scripted } from "../../../src/testing.ts"
import { idsOf, readList, world } from "../../fixtures/Setup.ts"

const contract = (id: number, given: object = {}): object => ({
  id,
  listing_id: null,
  kind: "rent",
  status: "draft",
  created_at: "2026-01-01T09:30:00Z",
  updated_at: "2026-01-01T09:30:00Z",
  unit_id: null,
  unit_label: "2A",
  template_id: 3,
  listing: null,
  ...given,
})
/** An id below zero stands for a record with that id that is not as specified. */
const page = (ids: ReadonlyArray<number>, next: unknown) => ({
  body: {
    ok: true,
    items: ids.map((id) => (id < 0 ? contract(-id, { kind: null }) : contract(id))),
    next_before_id: next,
  },
})
const reading = async (
  script: Parameters<typeof scripted>[0],
  list: ListOptions = { onRejected: "collect" },
) => {
  const { client, run } = await world({ transport: scripted(script).send })
  const outcome = await run(readList(client.contracts.pages(list)))
  return { ...outcome, summary: outcome.error?.reading ?? outcome.pages.at(-1)?.summary }
}

describe("records that are set aside", () => {
  it("stand in the order of their page when the second page is judged: an inclusive cursor is seen", async () => {
    const { error, records, summary } = await reading([page([9, -8, 7], "a"), page([7, 6, 5], null)])
    expect(error).toBeNull()
    expect(idsOf(records)).toEqual([9, 7, 6, 5])
    expect(summary).toMatchObject({ duplicates: 1, anomalies: { "inclusive-cursor": 1 } })
  })

  it("count when the second page is judged, and when the first page, asked for again, decides", async () => {
    const changed = page([-10, 9, -8], "b")
    const { error, records } = await reading([page([9, -8, 7], "a"), changed, changed])
    expect(error?.reason).toMatchObject({
      _tag: "CursorIgnored",
      evidence: { kind: "same-records", text: expect.stringContaining("held 3 of its 3 records") },
    })
    expect(idsOf(records)).toEqual([9, 7])
  })

  it("do not hide that the first page came again", async () => {
    const { error, pages } = await reading([page([-9, 8, -7], "a"), page([-9, 8, -7], "b")])
    expect(error?.reason).toMatchObject({ _tag: "CursorIgnored", evidence: { kind: "same-records" } })
    expect(pages).toHaveLength(1)
  })

  it("are set aside once where an inclusive cursor brings one of them again", async () => {
    const { pages, summary } = await reading([page([9, 8, -7], 7), page([-7, 6, -5], null)])
    expect(pages.map(({ rejected }) => rejected.map(({ id }) => id))).toEqual([[7], [5]])
    expect(summary).toMatchObject({ records: 3, rejected: 2, duplicates: 1, complete: true })
  })
})

describe("empty pages", () => {
  it("before the first record do not keep the cursor from being judged", async () => {
    const { error, records } = await reading([page([], "a"), page([9, 8, 7], "b"), page([9, 8, 7], "c")])
    expect(error?.reason._tag).toBe("CursorIgnored")
    expect(idsOf(records)).toEqual([9, 8, 7])
  })

  it("between the first records and the next ones do not either", async () => {
    const { error, records } = await reading([page([9, 8, 7], "a"), page([], "b"), page([9, 8, 7], "c")])
    expect(error?.reason._tag).toBe("CursorIgnored")
    expect(idsOf(records)).toEqual([9, 8, 7])
  })
})

describe("the requests of a search for the cursor's parameter", () => {
  const searching = async (faults: ReadonlyArray<Fault>) => {
    const { client, emulator, run } = await world({ client: { cursorParam: "auto" }, emulator: { faults } })
    const { error, pages } = await run(readList(client.contracts.pages()))
    return { summary: error?.reading ?? pages.at(-1)?.summary, entries: emulator.journal.entries }
  }

  it("are counted when the search breaks off", async () => {
    const { entries, summary } = await searching([
      { name: "cursor-ignored" },
      { name: "key-revoked", from: 5 },
    ])
    expect(entries).toHaveLength(5)
    expect(summary).toMatchObject({ requests: 5, complete: false })
  })

  it("are counted with their retries and waits", async () => {
    const { entries, summary } = await searching([
      { name: "cursor-renamed", parameter: "cursor" },
      { name: "rate-limit", retryAfter: 1, when: { requests: [4] } },
    ])
    expect(summary).toMatchObject({ requests: entries.length, retries: 1, complete: true })
    expect(summary?.waitedMillis).toBeGreaterThanOrEqual(1_000)
  })
})

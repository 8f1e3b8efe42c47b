import { RawNumber } from "@deedkit/emulator"
import type { Fault } from "@deedkit/emulator"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { describe, expect, it } from "vitest"
import type { Checkpoint } from "../../src/Page.ts"
import type { Contract as Read } from "../../src/Contract.ts"
import type { Page } from "../../src/Page.ts"
import { contract } from "../../src/testing/Fixtures.ts"
import type { ListOptions } from "../../src/Records.ts"
import { scripted } from "../../src/testing/index.ts"
import type { Send } from "../../src/Transport.ts"
import { eventsOf, idsOf, startMillis, readList, world } from "../fixtures/Setup.ts"
import type { World, WorldOptions } from "../fixtures/Setup.ts"

const reading = async (options: WorldOptions, list: ListOptions = {}) => {
  const it = await world(options)
  return { ...it, ...(await it.run(readList(it.client.contracts.pages(list)))) }
}

const withFaults = (faults: ReadonlyArray<Fault>, list: ListOptions = {}, options: WorldOptions = {}) =>
  reading({ ...options, emulator: { ...options.emulator, faults } }, list)

const lastSummary = <A>(pages: ReadonlyArray<Page<A>>) => pages.at(-1)?.summary

const page = (ids: ReadonlyArray<number>, next: unknown) => ({
  body: { ok: true, items: ids.map((id) => contract({ id })), next_before_id: next },
})

/** A read over pages that come from a script, whatever is asked for. */
const readingScript = async (script: Parameters<typeof scripted>[0], list: ListOptions = {}) => {
  const { requests, send } = scripted(script)
  return { ...(await reading({ transport: send }, list)), requests }
}

describe("did the server obey the cursor", () => {
  it("CursorIgnored when the first page comes again, before a record of page 2 is given out", async () => {
    const { emulator, error, pages } = await withFaults([{ name: "cursor-ignored" }])
    expect(error?.reason).toMatchObject({
      _tag: "CursorIgnored",
      cursorParam: "before_id",
      evidence: { kind: "same-cursor" },
    })
    expect(pages).toHaveLength(1)
    expect(error?.reading).toMatchObject({ pages: 1, records: 50, requests: 2, complete: false })
    expect(emulator.journal.entries).toHaveLength(2)
    expect(error?.message).toContain("set it as the cursor parameter")
  })

  it("CursorIgnored when the same ids come again under another cursor", async () => {
    const { error, records } = await readingScript([page([9, 12, 4], "a"), page([9, 12, 4], "b")])
    expect(error?.reason).toMatchObject({ _tag: "CursorIgnored", evidence: { kind: "same-records" } })
    expect(idsOf(records)).toEqual([9, 12, 4])
  })

  it("CursorIgnored when the second page is the first one of a list that has changed, by asking for the first again", async () => {
    const changed = page([10, 9, 8], "b")
    const { error, records, requests } = await readingScript([page([9, 8, 7], "a"), changed, changed])
    expect(error?.reason).toMatchObject({ _tag: "CursorIgnored", evidence: { kind: "same-records" } })
    expect(idsOf(records)).toEqual([9, 8, 7])
    expect(requests.map(({ target }) => target)).toEqual([
      "/v1/contracts/",
      "/v1/contracts/?before_id=a",
      "/v1/contracts/",
    ])
    expect(error?.reading).toMatchObject({ requests: 3, retries: 0, complete: false })
  })

  it("never refuses a list by its order: where page 1 only seems to descend, the first page again decides", async () => {
    const { error, pages, records, requests } = await readingScript([
      page([9, 8, 7], "a"),
      page([12, 11, 10], "b"),
      page([9, 8, 7], "a"),
      page([3, 14], null),
    ])
    expect(error).toBeNull()
    expect(idsOf(records)).toEqual([9, 8, 7, 12, 11, 10, 3, 14])
    expect(requests).toHaveLength(4)
    expect(lastSummary(pages)).toMatchObject({
      pages: 3,
      requests: 4,
      duplicates: 0,
      cursor: { state: "verified", evidence: expect.stringContaining("asked for again, held 3") },
    })
  })

  it("continues unverified where the first page again is like neither page", async () => {
    const { error, pages, records } = await readingScript([
      page([9, 8, 7], "a"),
      page([12, 11, 10], "b"),
      page([20, 21], "c"),
      page([1], null),
    ])
    expect(error).toBeNull()
    expect(idsOf(records)).toEqual([9, 8, 7, 12, 11, 10, 1])
    expect(lastSummary(pages)).toMatchObject({ complete: true, cursor: { state: "unverified" } })
  })

  it("continues unverified where the first page cannot be asked for again, and counts the request", async () => {
    const { error, pages, records } = await readingScript([
      page([9, 8, 7], "a"),
      page([12, 11, 10], "b"),
      { status: 400 },
      page([1], null),
    ])
    expect(error).toBeNull()
    expect(idsOf(records)).toEqual([9, 8, 7, 12, 11, 10, 1])
    expect(lastSummary(pages)).toMatchObject({ requests: 4, cursor: { state: "unverified" } })
  })

  /** A list whose cursor goes into `?cursor=`, where `?before_id=` is a filter that takes an opaque cursor for 0. */
  const takingAnother = (records: number) => {
    const ids = Array.from({ length: records }, (_, at) => records - at)
    return scripted(({ target }) => {
      const query = new URL(target, "http://localhost").searchParams
      if (query.has("before_id")) return page([], null)
      const after = Number(query.get("cursor")?.slice("page-".length) ?? records + 1)
      const left = ids.filter((id) => id < after)
      const given = left.slice(0, Number(query.get("limit") ?? 10))
      return page(given, given.length < left.length ? `page-${given.at(-1)}` : null)
    })
  }

  it("looks for another name when the second page is empty and the last", async () => {
    const { send } = takingAnother(25)
    const { error, pages, records } = await reading({ transport: send, client: { cursorParam: "auto" } })
    expect(error).toBeNull()
    expect(records).toHaveLength(25)
    expect(lastSummary(pages)).toMatchObject({
      cursor: { parameter: "cursor", state: "verified" },
      anomalies: { "cursor-param-found": 1 },
      complete: true,
    })
  })

  it("never calls an empty second page a verified end", async () => {
    const { send } = takingAnother(25)
    const { pages } = await reading({ transport: send })
    expect(lastSummary(pages)).toMatchObject({
      records: 10,
      cursor: { parameter: "before_id", state: "unverified", evidence: expect.stringContaining("empty") },
    })
  })

  it("CursorIgnored when the second page is empty and nothing leads to the records that there are", async () => {
    const { send } = scripted(({ target }) => {
      const query = new URL(target, "http://localhost").searchParams
      if (query.has("before_id")) return page([], null)
      return query.get("limit") === "1" ? page([9], "a") : page([9, 8, 7], "b")
    })
    const { error, records } = await reading({ transport: send, client: { cursorParam: "auto" } })
    expect(error?.reason).toMatchObject({ _tag: "CursorIgnored", evidence: { kind: "no-records" } })
    expect(idsOf(records)).toEqual([9, 8, 7])
    expect(error?.reading).toMatchObject({ complete: false })
  })

  it.each([true, false])(
    "verifies a list whose last full page is followed by an empty one, with a limit that is read: %s",
    async (limitSupported) => {
      const assumptions = { trailingEmptyPage: true, defaultLimit: 20, limitSupported }
      const { emulator, error, pages, records } = await reading({
        client: { cursorParam: "auto" },
        emulator: { contracts: 20, assumptions },
      })
      expect(error).toBeNull()
      expect(records).toHaveLength(20)
      expect(lastSummary(pages)).toMatchObject({
        cursor: { parameter: "before_id", state: "verified" },
        requests: emulator.journal.entries.length,
        complete: true,
      })
    },
  )

  it("leaves the only record of a list that ends in an empty page as unverified as it is", async () => {
    const assumptions = { trailingEmptyPage: true, defaultLimit: 1 }
    const { error, pages, records } = await reading({
      client: { cursorParam: "auto" },
      emulator: { contracts: 1, assumptions },
    })
    expect(error).toBeNull()
    expect(records).toHaveLength(1)
    expect(lastSummary(pages)).toMatchObject({ cursor: { state: "unverified" }, complete: true })
  })

  it("ends with the error of the search when that cannot be made", async () => {
    const { send } = scripted(({ target }, count) => {
      if (count > 2) return { status: 403, body: {} }
      return target.includes("before_id") ? page([], null) : page([9, 8, 7], "a")
    })
    const { error } = await reading({ transport: send, client: { cursorParam: "auto" } })
    expect(error?.reason._tag).toBe("Forbidden")
    expect(error?.reading).toMatchObject({ records: 3, complete: false })
  })

  it("CursorRejected when page 1 was fine and page 2 is refused", async () => {
    const { error, pages } = await reading({
      emulator: { assumptions: { cursorParameter: "after", unknownParameter: "reject" } },
    })
    expect(error?.reason).toMatchObject({ _tag: "CursorRejected", status: 400, cursorParam: "before_id" })
    expect(pages).toHaveLength(1)
    expect(error?.reading?.complete).toBe(false)
  })

  it.each([
    ["418", { status: 418, body: { error: "unknown parameter" } }],
    ["an answer that is not ok", { body: { ok: false, error: "unknown parameter" } }],
  ])("finds another name where the assumed one is refused by %s", async (_by, refusal) => {
    const ids = [9, 8, 7, 6, 5, 4, 3, 2, 1]
    const send: Send = async (outgoing) => {
      const { searchParams } = new URL(outgoing.url)
      const after = Number(searchParams.get("after") ?? Infinity)
      const limit = Number(searchParams.get("limit") ?? 3)
      const found = ids.filter((id) => id < after).slice(0, limit)
      const answer =
        searchParams.has("before_id") || searchParams.has("before") || searchParams.has("cursor")
          ? refusal
          : page(found, found.at(-1) === 1 ? null : found.at(-1))
      return {
        status: "status" in answer ? answer.status : 200,
        text: JSON.stringify(answer.body),
        header: () => null,
      }
    }
    const { error, records } = await reading({ transport: send, client: { cursorParam: "auto" } })
    expect(error).toBeNull()
    expect(idsOf(records)).toEqual(ids)
  })

  it("Rejected, not CursorRejected, once the cursor is known to work", async () => {
    const { error, pages } = await withFaults([{ name: "status", code: 422, when: { page: 3 } }])
    expect(error?.reason).toMatchObject({ _tag: "Rejected", status: 422 })
    expect(pages).toHaveLength(2)
    expect(error?.reading).toMatchObject({ cursor: { state: "verified" }, complete: false })
  })

  it("an inclusive cursor is tolerated and counted", async () => {
    const { error, pages, records } = await withFaults([{ name: "cursor-inclusive" }])
    expect(error).toBeNull()
    expect(new Set(idsOf(records)).size).toBe(130)
    expect(lastSummary(pages)).toMatchObject({
      records: 130,
      duplicates: 2,
      anomalies: { "inclusive-cursor": 1 },
      complete: true,
    })
  })

  it("an inclusive cursor is tolerated where pages are turned round and the boundary alone is left", async () => {
    const { error, pages, records } = await readingScript([page([7, 8, 9], 7), page([7], null)])
    expect(error?.message).toBeUndefined()
    expect(idsOf(records)).toEqual([7, 8, 9])
    expect(lastSummary(pages)).toMatchObject({ duplicates: 1, complete: true })
  })

  it("one page says that there was no second one to judge by", async () => {
    const { pages } = await reading({ emulator: { contracts: 20 } })
    expect(pages[0]?.summary).toMatchObject({
      cursor: { state: "single-page" },
      pages: 1,
      complete: true,
    })
  })

  it("no contracts at all are a complete read", async () => {
    const { error, pages, records } = await reading({ emulator: { contracts: 0 } })
    expect(error).toBeNull()
    expect(records).toEqual([])
    expect(lastSummary(pages)).toMatchObject({ pages: 1, records: 0, complete: true })
  })
})

describe("auto", () => {
  const renamed: WorldOptions = { client: { cursorParam: "auto" } }

  it("finds the name after the assumed one had no effect, and continues without losing or repeating a record", async () => {
    const { emulator, error, events, pages, records } = await withFaults(
      [{ name: "cursor-renamed", parameter: "cursor" }],
      {},
      renamed,
    )
    expect(error).toBeNull()
    expect(new Set(idsOf(records)).size).toBe(130)
    expect(records).toHaveLength(130)
    expect(lastSummary(pages)).toMatchObject({
      complete: true,
      cursor: { parameter: "cursor", state: "verified" },
      requests: emulator.journal.entries.length,
    })
    expect(eventsOf(events, "AnomalySeen").map((event) => event.anomaly)).toEqual(["cursor-param-found"])
  })

  it("counts the small requests of the search as requests, and none of them as a retry", async () => {
    const { pages } = await withFaults([{ name: "cursor-renamed", parameter: "cursor" }], {}, renamed)
    expect(lastSummary(pages)?.retries).toBe(0)
  })

  it("finds the name after the assumed one was rejected", async () => {
    const { error, records } = await reading({
      ...renamed,
      emulator: { assumptions: { cursorParameter: "starting_after", unknownParameter: "reject" } },
    })
    expect(error).toBeNull()
    expect(records).toHaveLength(130)
  })

  it("starts the next read with the name that it has found", async () => {
    const { client, emulator, run } = await withFaults(
      [{ name: "cursor-renamed", parameter: "after" }],
      {},
      renamed,
    )
    emulator.journal.clear()
    expect(await run(client.contracts.collect({ max: "all" }))).toHaveLength(130)
    expect(emulator.journal.entries.map((entry) => Object.keys(entry.query))).toEqual([
      [],
      ["after"],
      ["after"],
    ])
  })

  it("says CursorIgnored when no name works, and gives out no record twice", async () => {
    const { emulator, error, records } = await withFaults([{ name: "cursor-ignored" }], {}, renamed)
    expect(error?.reason).toMatchObject({ _tag: "CursorIgnored", cursorParam: "before_id" })
    expect(records).toHaveLength(50)
    expect(error?.reading?.complete).toBe(false)
    expect(emulator.journal.entries.length).toBeLessThanOrEqual(2 + 8)
  })

  it("does not search when a read names the parameter itself", async () => {
    const { emulator, error } = await withFaults([{ name: "cursor-ignored" }], { cursorParam: "nx" }, renamed)
    expect(error?.reason).toMatchObject({ _tag: "CursorIgnored", cursorParam: "nx" })
    expect(emulator.journal.entries).toHaveLength(2)
  })
})

describe("reads that do not come to an end", () => {
  it("a constant cursor stops the read at its first repeat", async () => {
    const { error, records } = await withFaults([{ name: "cursor-constant", when: { form: "list" } }])
    expect(error?.reason._tag).toBe("CursorIgnored")
    expect(records).toHaveLength(50)
    expect(error?.reading?.complete).toBe(false)
  })

  it("a cursor that stands still from page 2 on stops the read at its first repeat", async () => {
    const { error, pages } = await readingScript([page([9, 8], "a"), page([7, 6], "b"), page([5, 4], "b")])
    expect(error?.reason).toMatchObject({ _tag: "PaginationStalled", evidence: { kind: "cursor-repeated" } })
    expect(pages).toHaveLength(2)
  })

  it("a cycle of two pages stops the read at the first cursor seen before", async () => {
    const { emulator, error, pages } = await withFaults([{ name: "cursor-cycle" }], { limit: 20 })
    expect(error?.reason).toMatchObject({ _tag: "PaginationStalled", evidence: { kind: "cursor-repeated" } })
    expect(pages).toHaveLength(2)
    expect(error?.reading?.complete).toBe(false)
    expect(emulator.journal.entries).toHaveLength(3)
  })

  it("a cycle whose cursors are fresh each time stops the read after a few pages without a new record", async () => {
    const { error, records, requests } = await readingScript((_, count) => {
      const first = 15 - 5 * ((count - 1) % 3)
      return page([first, first - 1, first - 2, first - 3, first - 4], `fresh-${count}`)
    })
    expect(error?.reason).toMatchObject({ _tag: "PaginationStalled", evidence: { kind: "no-new-records" } })
    expect(records).toHaveLength(15)
    expect(requests.length).toBeLessThan(20)
  })

  it("more than 10,000 pages are read to their end where no maxPages is set", async () => {
    const last = 10_050
    const { error, pages } = await readingScript(
      (_, count) => page([last - count], count === last ? null : `after-${count}`),
      { readAhead: 0 },
    )
    expect(error).toBeNull()
    expect(lastSummary(pages)).toMatchObject({ pages: last, records: last, complete: true })
  })

  it("three empty pages in a row are followed and noted", async () => {
    const { error, pages, records } = await withFaults([
      { name: "empty-page", count: 3, when: { requests: [2] } },
    ])
    expect(error).toBeNull()
    expect(records).toHaveLength(130)
    expect(lastSummary(pages)).toMatchObject({ pages: 6, anomalies: { "empty-page": 3 }, complete: true })
  })

  it("the fourth empty page in a row is PaginationStalled", async () => {
    const { error, records } = await withFaults([{ name: "empty-page", count: 4, when: { requests: [2] } }])
    expect(error?.reason).toMatchObject({ _tag: "PaginationStalled", evidence: { kind: "empty-pages" } })
    expect(records).toHaveLength(50)
    expect(error?.reading?.complete).toBe(false)
  })

  it("more pages than maxPages are an error, never a quiet end", async () => {
    const { error, pages } = await reading({}, { limit: 20, maxPages: 6 })
    expect(error?.reason).toMatchObject({ _tag: "PaginationStalled", evidence: { kind: "too-many-pages" } })
    expect(pages).toHaveLength(5)
    expect(error?.reading?.complete).toBe(false)
  })

  it("exactly maxPages pages are a complete read", async () => {
    const { error, pages } = await reading({}, { limit: 20, maxPages: 7 })
    expect(error).toBeNull()
    expect(lastSummary(pages)?.complete).toBe(true)
  })
})

describe("the end", () => {
  it("a missing next_before_id is not null: EnvelopeInvalid", async () => {
    const { error, records } = await withFaults([{ name: "missing-next", when: { page: 2 } }])
    expect(error?.reason).toMatchObject({
      _tag: "EnvelopeInvalid",
      issues: [{ path: "next_before_id", found: "nothing" }],
    })
    expect(records).toHaveLength(50)
    expect(error?.reading?.complete).toBe(false)
  })

  it.each([0, -1, ""])("%j ends the read with an anomaly noted", async (endSentinel) => {
    const { error, events, pages } = await reading({
      emulator: { assumptions: { endSentinel: endSentinel as 0 } },
    })
    expect(error).toBeNull()
    expect(lastSummary(pages)).toMatchObject({ anomalies: { "end-sentinel": 1 }, complete: true })
    const seen = eventsOf(events, "AnomalySeen")
    expect(seen).toHaveLength(1)
    expect(seen[0]?.detail).toContain(JSON.stringify(endSentinel))
  })

  it.each([1.5, true, [], { id: 4 }, 1e300, "half \ud83d"])(
    "a cursor that is %j is EnvelopeInvalid",
    async (next) => {
      const { error, pages } = await readingScript([page([9, 8], next)])
      expect(error?.reason._tag).toBe("EnvelopeInvalid")
      expect(pages).toEqual([])
    },
  )

  it("a short page with a cursor is followed, and a full page with null ends", async () => {
    const { error, records, requests } = await readingScript([page([9], "a"), page([8, 7], null)], {
      limit: 2,
    })
    expect(error).toBeNull()
    expect(idsOf(records)).toEqual([9, 8, 7])
    expect(requests).toHaveLength(2)
  })

  it("a cursor beyond 2^53 goes back digit by digit", async () => {
    const { emulator, error } = await reading({ emulator: { assumptions: { cursorKind: "bigint" } } })
    expect(error).toBeNull()
    const sent = emulator.journal.entries.slice(1).map((entry) => entry.query["before_id"])
    expect(sent.every((text) => /^\d{16,}$/.test(text!) && !Number.isSafeInteger(Number(text)))).toBe(true)
  })
})

describe("limit", () => {
  it("is not sent unless asked for", async () => {
    const { emulator, pages } = await reading({})
    expect(emulator.journal.entries[0]?.query).toEqual({})
    expect(lastSummary(pages)?.limit).toBeNull()
  })

  it("a clamped one is noted once, with what came", async () => {
    const { emulator, events, pages } = await reading(
      { emulator: { assumptions: { maximumLimit: 25 } } },
      { limit: 40 },
    )
    expect(emulator.journal.entries.map((entry) => entry.query["limit"])).toEqual(Array(6).fill("40"))
    expect(lastSummary(pages)).toMatchObject({ limit: 40, clampedTo: 25, anomalies: { "limit-clamped": 1 } })
    expect(eventsOf(events, "AnomalySeen").map((event) => event.anomaly)).toEqual(["limit-clamped"])
  })

  it("a rejected one on page 1 is left out, once and noted", async () => {
    const { emulator, error, pages, records } = await reading(
      { emulator: { assumptions: { aboveMaximum: "reject" } } },
      { limit: 1_000 },
    )
    expect(error).toBeNull()
    expect(records).toHaveLength(130)
    expect(emulator.journal.entries.map((entry) => entry.query["limit"])).toEqual([
      "1000",
      undefined,
      undefined,
      undefined,
    ])
    expect(lastSummary(pages)).toMatchObject({ requests: 4, anomalies: { "limit-rejected": 1 } })
  })

  it.each([
    ["413", { status: 413, body: { error: "too large" } }],
    ["416", { status: 416, body: "" }],
    ["an answer that is not ok", { body: { ok: false, error: "limit must be at most 50" } }],
  ])("a refusal on page 1 by %s leaves it out as well", async (_by, refusal) => {
    const { error, pages, requests } = await readingScript([refusal, page([3, 2, 1], null)], { limit: 100 })
    expect(error).toBeNull()
    expect(requests.map(({ target }) => target)).toEqual(["/v1/contracts/?limit=100", "/v1/contracts/"])
    expect(lastSummary(pages)).toMatchObject({ anomalies: { "limit-rejected": 1 } })
  })

  it("a read that still is refused without its limit fails as Rejected, after two requests", async () => {
    const { emulator, error } = await withFaults([{ name: "status", code: 400 }], { limit: 10 })
    expect(error?.reason).toMatchObject({ _tag: "Rejected", status: 400 })
    expect(emulator.journal.entries).toHaveLength(2)
  })

  it.each([0, -5, 2.5, Number.NaN, Infinity])("%d is refused before any request", async (limit) => {
    const { emulator, error } = await reading({}, { limit })
    expect(error?.reason).toMatchObject({ _tag: "ConfigInvalid", setting: "limit" })
    expect(emulator.journal.entries).toEqual([])
  })

  it("maxPages under 1 is refused before any request", async () => {
    const { emulator, error } = await reading({}, { maxPages: 0 })
    expect(error?.reason).toMatchObject({ _tag: "ConfigInvalid", setting: "maxPages" })
    expect(emulator.journal.entries).toEqual([])
  })

  it("a cursor parameter that would change what is asked for is refused before any request", async () => {
    const { emulator, error } = await reading({}, { cursorParam: "id" })
    expect(error?.reason._tag).toBe("ConfigInvalid")
    expect(emulator.journal.entries).toEqual([])
  })
})

describe("records", () => {
  it("that come again are given out once and counted", async () => {
    const { error, pages, records } = await withFaults([
      { name: "duplicate", count: 3, when: { requests: [3] } },
    ])
    expect(error).toBeNull()
    expect(records).toHaveLength(130)
    expect(lastSummary(pages)).toMatchObject({ records: 130, duplicates: 3, supersededDuplicates: 0 })
  })

  it("that come again with a later updated_at are counted, and the first one stays", async () => {
    const later = new Date(startMillis + 60_000).toISOString()
    const second = {
      ok: true,
      items: [contract({ id: 8, updated_at: later }), contract({ id: 7 })],
      next_before_id: null,
    }
    const { pages, records } = await readingScript([page([9, 8], "a"), { body: second }])
    expect(idsOf(records)).toEqual([9, 8, 7])
    expect(records[1]?.updated_at).toBe("2026-01-01T09:30:00Z")
    expect(lastSummary(pages)).toMatchObject({ duplicates: 1, supersededDuplicates: 1 })
  })

  it("that are not as specified end the read by default, with path and id", async () => {
    const { emulator, error, pages } = await withFaults([{ name: "wrong-type", when: { requests: [2] } }])
    expect(error?.reason).toMatchObject({
      _tag: "RecordInvalid",
      id: emulator.store.contracts[50]!.id,
      issues: [{ path: "template_id", expected: "integer", found: "string" }],
    })
    expect(pages).toHaveLength(1)
    expect(error?.reading?.complete).toBe(false)
  })

  it("that are not as specified are rejected on their page with onRejected collect", async () => {
    const { emulator, error, pages, records } = await withFaults(
      [{ name: "missing-field", field: "listing.city", records: [2, 3], when: { page: 1 } }],
      { onRejected: "collect" },
    )
    expect(error).toBeNull()
    expect(records).toHaveLength(128)
    const [, second, third] = idsOf(emulator.store.contracts)
    expect(pages[0]?.rejected.map(({ id, issues }) => [id, issues[0]?.path])).toEqual([
      [second, "listing.city"],
      [third, "listing.city"],
    ])
    expect(pages[0]?.rejected[0]?.raw).toMatchObject({ id: second, listing: { slug: expect.anything() } })
    expect(lastSummary(pages)).toMatchObject({ records: 128, rejected: 2, complete: true })
  })

  it("a page of which nothing is valid loses no page after it", async () => {
    const positions = Array.from({ length: 50 }, (_, at) => at + 1)
    const { client, run } = await world({
      emulator: {
        faults: [{ name: "missing-field", field: "kind", records: positions, when: { requests: [2] } }],
      },
    })
    const contracts = await run(client.contracts.collect({ max: "all", onRejected: "collect" }))
    expect(contracts).toHaveLength(80)
  })

  it("with undocumented members are kept, and schema schemaDrift is reported by path and never by value", async () => {
    const { events, records } = await reading({ emulator: { assumptions: { unknownMember: true } } })
    expect(records[0]).toHaveProperty("internal_reference", `R-${records[0]?.id}`)
    const schemaDrift = eventsOf(events, "SchemaDrift").filter((event) => event.path === "internal_reference")
    expect(schemaDrift).toMatchObject([{ collection: "contracts", found: "string" }])
    const told = JSON.stringify(events)
    expect(records.some((record) => told.includes(`R-${record.id}`))).toBe(false)
  })

  it("with an undocumented kind or status are kept, and each such value is reported once", async () => {
    const { error, events, records } = await withFaults([
      { name: "unknown-status", value: "frozen", records: [1, 2], when: { form: "list" } },
    ])
    expect(error).toBeNull()
    expect(records.filter((record) => record.status === "frozen")).toHaveLength(6)
    const schemaDrift = eventsOf(events, "SchemaDrift")
    expect(schemaDrift.filter(({ found, path }) => path === "status" && found === '"frozen"')).toHaveLength(1)
  })

  it("with timestamps in another form are kept as they came, and noted", async () => {
    const { error, pages, records } = await withFaults([
      { name: "odd-timestamp", form: "offset", when: { page: 1 } },
    ])
    expect(error).toBeNull()
    expect(records[0]?.created_at).toMatch(/\+02:00$/)
    expect(lastSummary(pages)?.anomalies["timestamp-form"]).toBe(1)
  })

  it("that changed after the read began are counted as changed during the read", async () => {
    const { error, pages } = await withFaults([
      { name: "latency", ms: 2_000 },
      { name: "mutate", update: 3, from: "rest", when: { requests: [1] } },
    ])
    expect(error).toBeNull()
    expect(lastSummary(pages)?.changedDuringRead).toBe(3)
  })

  it("that changed before the read began are not counted as changed, in whatever zone that is written", async () => {
    const items = [contract({ id: 9, updated_at: "2026-03-01T15:59:00+02:00" })]
    const { pages } = await readingScript([{ body: { ok: true, items, next_before_id: null } }])
    expect(lastSummary(pages)?.changedDuringRead).toBe(0)
  })

  it.each([
    ["an hour ahead, and changed before the read", 60, -1, 0],
    ["an hour ahead, and changed after it began", 60, 1, 1],
    ["an hour behind, and changed before the read", -60, -1, 0],
    ["an hour behind, and changed after it began", -60, 1, 1],
  ])(
    "of a service whose clock is %s count by that clock",
    async (_, skewMinutes, changedMinutes, expected) => {
      const at = (minutes: number) => new Date(startMillis + minutes * 60_000)
      const headers = { date: at(skewMinutes).toUTCString() }
      const second = { id: 8, updated_at: at(skewMinutes + changedMinutes).toISOString() }
      const { error, pages } = await readingScript([
        { ...page([9], "a"), headers },
        { body: { ok: true, items: [contract(second)], next_before_id: null }, headers },
      ])
      expect(error).toBeNull()
      expect(lastSummary(pages)?.changedDuringRead).toBe(expected)
    },
  )

  it("of a read that goes on after a pause count from its first beginning, by the service's clock", async () => {
    const first = await reading({ emulator: { contracts: 130 } })
    const { checkpoint } = first.pages[0]!
    const hourLater = (millis: number) => new Date(startMillis + millis + 3_600_000)
    const updated = (millis: number) => ({ updated_at: hourLater(millis).toISOString() })
    const before = { ...checkpoint.summary, startedAt: new Date(startMillis - 60_000).toISOString() }
    const items = [contract({ id: 2, ...updated(-30_000) }), contract({ id: 1, ...updated(-90_000) })]
    const { send } = scripted([
      { body: { ok: true, items, next_before_id: null }, headers: { date: hourLater(0).toUTCString() } },
    ])
    const it = await world({ transport: send })
    const resumed = { from: { ...checkpoint, summary: before } }
    const { pages } = await it.run(readList(it.client.contracts.pages(resumed)))
    expect(lastSummary(pages)?.changedDuringRead).toBe(before.changedDuringRead + 1)
  })

  it("integers beyond 2^53 stay exact", async () => {
    const { client, emulator, run } = await world()
    const { id } = emulator.store.insert({ unit_id: new RawNumber("9007199254740993") })
    const contracts = await run(client.contracts.collect({ max: "all" }))
    expect(contracts.find((record) => record.id === id)?.unit_id).toBe(9007199254740993n)
    expect((await run(client.contracts.get(id))).unit_id).toBe(9007199254740993n)
  })
})

describe("checkpoints", () => {
  /** Takes the first pages of a read. */
  const begin = (it: World, pages: number, list: ListOptions = {}): Promise<ReadonlyArray<Page<Read>>> =>
    it.run(Stream.runCollect(Stream.take(it.client.contracts.pages({ ...list, readAhead: 0 }), pages)))
  /** As a file would give it back. */
  const stored = (pages: ReadonlyArray<Page<Read>>): Checkpoint =>
    JSON.parse(JSON.stringify(pages.at(-1)?.checkpoint))

  it.each([
    ["integers", "integer"],
    ["texts", "string"],
    ["integers beyond 2^53", "bigint"],
  ] as const)("resume after their page with cursors that are %s", async (_, cursorKind) => {
    const it = await world({ emulator: { assumptions: { cursorKind } } })
    const first = await begin(it, 2, { limit: 20 })
    const from = stored(first)
    const rest = await it.run(readList((await it.another({})).contracts.pages({ limit: 20, from })))
    expect(rest.error).toBeNull()
    const ids = [...first.flatMap((one) => one.records), ...rest.records].map((record) => record.id)
    expect(ids).toEqual(idsOf(it.emulator.store.contracts))
    expect(lastSummary(rest.pages)).toMatchObject({
      pages: 7,
      records: 130,
      requests: 7,
      startedAt: first[0]?.summary.startedAt,
      complete: true,
      cursor: { state: "verified" },
    })
  })

  it("of a complete read give nothing and ask for nothing", async () => {
    const it = await world()
    const from = stored(await begin(it, 3))
    expect(from.next).toBeNull()
    it.emulator.journal.clear()
    expect(await it.run(it.client.contracts.collect({ max: "all", from }))).toEqual([])
    expect(it.emulator.journal.entries).toEqual([])
  })

  it("hold no key", async () => {
    const it = await world()
    expect(JSON.stringify(await begin(it, 1))).not.toContain(it.emulator.apiKey)
  })

  it.each([
    ["another origin", "origin", { baseUrl: "https://other.example.test" }],
    ["another key", "key", { apiKey: "dk_another" }],
  ] as const)("are refused for %s, before any request", async (_, field, options) => {
    const it = await world()
    const from = stored(await begin(it, 1))
    it.emulator.journal.clear()
    const other = await it.another(options)
    const { error } = await it.run(readList(other.contracts.pages({ from })))
    expect(error?.reason).toEqual({ _tag: "CheckpointRefused", mismatch: { field } })
    expect(it.emulator.journal.entries).toEqual([])
  })

  it("are refused for the other collection and for another form, before any request", async () => {
    const it = await world()
    const from = stored(await begin(it, 1))
    it.emulator.journal.clear()
    const keys = await it.fails(it.client.apiKeys.collect({ max: "all", from }))
    const form = { ...from, version: 3 } as unknown as Checkpoint
    const later = await it.fails(it.client.contracts.collect({ max: "all", from: form }))
    expect([keys.reason, later.reason]).toEqual([
      { _tag: "CheckpointRefused", mismatch: { field: "collection" } },
      { _tag: "CheckpointRefused", mismatch: { field: "version" } },
    ])
    expect(it.emulator.journal.entries).toEqual([])
  })

  it("taken after page 1 do not let a server that ignores the cursor give page 1 out again", async () => {
    const it = await world({ emulator: { faults: ["cursor-ignored"] } })
    const first = await begin(it, 1)
    const rest = await it.run(readList(it.client.contracts.pages({ from: stored(first) })))
    expect(rest.error?.reason._tag).toMatch(/^(?:CursorIgnored|PaginationStalled)$/)
    expect(rest.records).toEqual([])
  })

  it("keep the name that auto has found, so that a resumed read repeats nothing", async () => {
    const it = await world({
      client: { cursorParam: "auto" },
      emulator: { faults: [{ name: "cursor-renamed", parameter: "cursor" }] },
    })
    const first = await begin(it, 2)
    const later = await it.another({})
    const rest = await it.run(readList(later.contracts.pages({ from: stored(first) })))
    expect(rest.error).toBeNull()
    expect(lastSummary(rest.pages)).toMatchObject({ records: 130, complete: true })
    const ids = [...first.flatMap((one) => one.records), ...rest.records].map((record) => record.id)
    expect(ids).toEqual(idsOf(it.emulator.store.contracts))
  })

  it("of a read whose limit was rejected resume without it", async () => {
    const it = await world({ emulator: { assumptions: { aboveMaximum: "reject" } } })
    const first = await begin(it, 2, { limit: 1_000 })
    const rest = await it.run(readList(it.client.contracts.pages({ limit: 1_000, from: stored(first) })))
    expect(rest.error).toBeNull()
    expect(lastSummary(rest.pages)).toMatchObject({ records: 130, complete: true })
  })
})

describe("reading ahead", () => {
  const afterFirstPage = async (readAhead: 0 | 1): Promise<number> => {
    const it = await world()
    await it.run(
      Stream.runForEachWhile(it.client.contracts.pages({ limit: 20, readAhead }), () =>
        Effect.as(Effect.sleep("1 minute"), false),
      ),
    )
    return it.emulator.journal.entries.length
  }

  it("asks for one further page while the consumer works on page 1", async () => {
    expect(await afterFirstPage(1)).toBe(2)
  })

  it("asks for none with readAhead 0", async () => {
    expect(await afterFirstPage(0)).toBe(1)
  })

  it("overlaps the time of the server with that of the consumer", async () => {
    const elapsed = async (readAhead: 0 | 1) => {
      const it = await world({ emulator: { faults: [{ name: "latency", ms: 1_000 }] } })
      await it.run(
        Stream.runForEach(it.client.contracts.pages({ readAhead }), () => Effect.sleep("1 second")),
      )
      return it.elapsed()
    }
    expect(await elapsed(0)).toBe(6_000)
    expect(await elapsed(1)).toBe(4_000)
  })

  it("takes no more pages than collect has room for, and one", async () => {
    const { client, emulator, run } = await world()
    expect(await run(client.contracts.collect({ max: 30, limit: 10 }))).toHaveLength(30)
    expect(emulator.journal.entries.length).toBeLessThanOrEqual(4)
  })

  it("runs each stream as a read of its own", async () => {
    const { client, emulator, run } = await world()
    const all = client.contracts.list()
    const both = await run(Effect.all([Stream.runCollect(all), Stream.runCollect(all)], { concurrency: 2 }))
    expect(both.map((records) => records.length)).toEqual([130, 130])
    expect(emulator.journal.entries).toHaveLength(6)
  })

  it("cancels the request in progress when the read is interrupted", async () => {
    const signals: Array<AbortSignal> = []
    const it = await world({
      around: (fetch) => (request) => {
        signals.push(request.signal)
        return signals.length === 2 ? new Promise(() => {}) : fetch(request)
      },
    })
    const controller = new AbortController()
    const running = it.run(
      Stream.runForEach(it.client.contracts.pages(), () => Effect.sync(() => controller.abort())),
      controller.signal,
    )
    await expect(running).rejects.toThrow(/interrupted/)
    expect(signals.map((signal) => signal.aborted)).toEqual([false, true])
  })
})

describe("the answers of pages", () => {
  it("are there when they are asked for, as they came", async () => {
    const { pages } = await readingScript([page([3, 2], 2), page([1], null)], { record: true })
    expect(pages.map(({ recorded }) => recorded)).toEqual(
      [page([3, 2], 2), page([1], null)].map(({ body }) => ({
        body: JSON.stringify(body),
        wellEncoded: true,
      })),
    )
    const without = await readingScript([page([3, 2], null)])
    expect(without.pages.map((each) => "recorded" in each)).toEqual([false])
  })

  it("say that bytes could not be read", async () => {
    const broken: WorldOptions["around"] = (fetch) => async (request) => {
      const text = await (await fetch(request)).text()
      const bytes = Buffer.from(text.replace(/"unit_label":"[^"]*"/, '"unit_label":"Caf#"'))
      bytes[bytes.indexOf("Caf#") + 3] = 0xe9
      return new Response(bytes, { headers: { "content-type": "application/json" } })
    }
    const { pages } = await reading({ around: broken }, { record: true, onRejected: "collect" })
    expect(pages[0]?.recorded?.wellEncoded).toBe(false)
    expect(pages[0]?.recorded?.body).toContain("Caf\uFFFD")
    expect(pages[0]?.rejected).toHaveLength(1)
  })
})

describe("what comes twice", () => {
  const copy = (status: string, updated_at: string) => contract({ id: 7, status, updated_at })
  const of = (...items: ReadonlyArray<object>) => ({ body: { ok: true, items, next_before_id: null } })

  it("on one page is given in its newer version, however old that is", async () => {
    const { pages } = await readingScript([
      of(copy("draft", "2020-01-01T00:00:00Z"), copy("active", "2020-01-02T00:00:00Z")),
    ])
    expect(pages[0]!.superseded).toMatchObject([{ id: 7, status: "active" }])
  })

  it("on one page in an older version is a duplicate", async () => {
    const { pages } = await readingScript([
      of(copy("active", "2020-01-02T00:00:00Z"), copy("draft", "2020-01-01T00:00:00Z")),
    ])
    expect(pages[0]!.superseded).toEqual([])
    expect(lastSummary(pages)).toMatchObject({ duplicates: 1, supersededDuplicates: 0 })
  })

  it("and has no id that can be read is rejected once, however often the list is read", async () => {
    const bad = { ...contract(), id: "not-a-number" }
    const list = (ids: ReadonlyArray<number>, next: string | null) => ({
      body: { ok: true, items: [...ids.map((id) => contract({ id })), bad], next_before_id: next },
    })
    const first = [list([3, 9], "a"), page([5, 1], null)]
    const { pages } = await readingScript([...first, ...first, ...first, ...first], {
      onRejected: "collect",
      prove: true,
    })
    expect(pages.flatMap(({ rejected }) => rejected)).toHaveLength(1)
    expect(lastSummary(pages)).toMatchObject({ rejected: 1 })
    expect(lastSummary(pages)!.completeness.readings).toBeGreaterThan(1)
  })
})

describe("a cursor that the service no longer accepts after a pause", () => {
  it.each([404, 410, 400, 422])("is a checkpoint that is refused: %i", async (status) => {
    const { pages } = await readingScript([page([9, 8], "a"), page([7, 6], "b"), page([5], null)])
    const from = pages[1]!.checkpoint
    const { error } = await readingScript([{ status }], { from })
    expect(error?.reason).toEqual({ _tag: "CheckpointRefused", mismatch: { field: "cursor" } })
    expect(error?.message).toContain("the checkpoint is no longer accepted")
  })

  it("is not meant where the parameter was not seen to work yet: its name may be wrong", async () => {
    const { pages } = await readingScript([page([9, 8], "a"), page([7, 6], null)])
    const { error } = await readingScript([{ status: 400 }], { from: pages[0]!.checkpoint })
    expect(error?.reason._tag).not.toBe("CheckpointRefused")
  })
})

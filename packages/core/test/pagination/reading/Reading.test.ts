import type { Fault } from "@deedkit/emulator"
import { describe, expect, it } from "vitest"
import type { Checkpoint } from "../../../src/pagination/Checkpoint.ts"
import type { ClientEvent } from "../../../src/events/ClientEvent.ts"
import * as Cursor from "../../../src/pagination/Cursor.ts"
import type { Answer } from "../../../src/call/Caller.ts"
import type { RawPage } from "../../../src/answer/envelope.ts"
import type { ReadingOptions } from "../../../src/pagination/reading/Reading.ts"
import { Reading } from "../../../src/pagination/reading/Reading.ts"
import { unreadSummary } from "../../../src/pagination/ReadSummary.ts"
import type { RecordedPage } from "../../../src/pagination/Recording.ts"
import type { ListOptions } from "../../../src/client/Records.ts"
import { contracts } from "../../../src/model/ServiceRequest.ts"
import { scripted } from "../../../src/testing/index.ts"
import type { ListedRecord } from "../../fixtures/PagedList.ts"
import { record } from "../../fixtures/PagedList.ts"
import { idsOf, readList, world } from "../../fixtures/Setup.ts"
import { model } from "../../fixtures/ListedModel.ts"

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

describe("records that are rejected", () => {
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

  it("are rejected once where an inclusive cursor brings one of them again", async () => {
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

const minute = (number: number) => `2026-03-01T14:${String(number).padStart(2, "0")}:00.000Z`
const range = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, at) => from - at)

/** An answer with these records; an id below zero stands for one that is not as specified, and none for one that has no id. */
const answerOf = (
  ids: ReadonlyArray<number>,
  next: number | string | null,
  more: Partial<Omit<Answer<unknown>, "value">> & { readonly valid?: ReadonlyArray<ListedRecord> } = {},
): Answer<RawPage<ListedRecord>> => {
  const { valid = ids.filter((id) => id >= 0).map((id) => record(id)), ...rest } = more
  return {
    value: {
      items: ids.map((id) => ({ id: Math.abs(id) })),
      model,
      open: false,
      valid,
      rejected: ids.filter((id) => id < 0).map((id) => ({ id: -id, issues: [], raw: null })),
      next: Cursor.read(next) as Exclude<Cursor.Next, { readonly _tag: "Unusable" }>,
      text: `the body of ${next}`,
      wellEncoded: true,
    },
    requestId: "req-1",
    attempts: 1,
    waitedMillis: 0,
    answeredAt: minute(5),
    tookMillis: 0,
    serviceDate: null,
    ...rest,
  }
}

const readingOf = (options: Partial<ReadingOptions> = {}) => {
  const events: Array<ClientEvent> = []
  const reading = new Reading<ListedRecord>(
    {
      collection: contracts,
      cursorParam: "before_id",
      cursorVerified: false,
      limit: null,
      onRejected: "collect",
      maxPages: Infinity,
      origin: "http://localhost",
      keyFingerprint: "0123456789abcdef",
      startedAt: minute(0),
      from: null,
      record: false,
      prove: false,
      emit: (event) => void events.push(event as ClientEvent),
      ...options,
    },
    model,
  )
  const take = (...given: Parameters<typeof answerOf>) => reading.accept(answerOf(...given), reading.ask!)
  /** Takes a page that may be given out, and gives it. */
  const page = (...given: Parameters<typeof answerOf>) => {
    const step = take(...given)
    if (step._tag !== "Page") throw new Error(`not a page: ${JSON.stringify(step)}`)
    return step.page
  }
  return { reading, events, take, page }
}

const stalled = (kind: Cursor.StallEvidence["kind"], text: string) => ({
  _tag: "Stopped",
  reason: { _tag: "PaginationStalled", evidence: { kind, text } },
})

it("a read before its first page has the summary that every such read has", () => {
  expect(readingOf().reading.summary()).toEqual(unreadSummary("contracts", minute(0)))
})

describe("a page", () => {
  it("holds what is given out of it, the next cursor and a checkpoint", () => {
    const { page } = readingOf()
    const one = page([9, -8, 7], "a")
    expect(one).toMatchObject({ next: "a", requestId: "req-1", superseded: [] })
    expect([idsOf(one.records), one.rejected.map(({ id }) => id)]).toEqual([[9, 7], [8]])
    expect(one.checkpoint).toEqual({
      version: 2,
      origin: "http://localhost",
      keyFingerprint: "0123456789abcdef",
      collection: "contracts",
      next: { type: "string", text: "a" },
      recent: [9, 8, 7],
      proof: null,
      summary: one.summary,
    })
    expect(one).not.toHaveProperty("recorded")
    const last = page([6, 5], null)
    expect(last.checkpoint).toMatchObject({ next: null, recent: [6, 5], proof: null })
    expect(last.summary).toMatchObject({ pages: 2, records: 4, rejected: 1, requests: 2, complete: true })
  })

  it("has the ids in its checkpoint that can be read", () => {
    expect(readingOf().page([9, Number.NaN, -7], "a").checkpoint.recent).toEqual([9, 7])
  })

  it("of a list that came to its end has nothing in its checkpoint to continue with", () => {
    const { page } = readingOf({ prove: true, cursorVerified: true })
    page([9, 8, 7], 3)
    expect(page([7, 6], null).checkpoint).toMatchObject({ next: null, recent: [7, 6], proof: null })
  })

  it.each([
    ["is as specified", [19, 17, 15]],
    ["is not as specified", [19, 17, -15]],
  ])("names its last record, which %s", (_, ids) => {
    expect(readingOf({ prove: true }).page(ids, 15).summary.cursorMeaning).toBe("last-id")
  })

  it.each([
    ["Inconclusive", [], null],
    ["AskFirstAgain", [10, 9, 8], "b"],
  ] as const)("that leaves open whether the cursor had an effect is not given out: %s", (_tag, ids, next) => {
    const { page, take, reading } = readingOf()
    page([9, 8, 7], "a")
    expect(take(ids, next)).toEqual({ _tag })
    expect(reading.summary()).toMatchObject({ pages: 1, records: 3, requests: 2 })
  })

  it("stops a read that takes no record that is not as specified, and its request counts", () => {
    const { take, reading } = readingOf({ onRejected: "fail" })
    expect(take([9, -8, -7], "a")).toEqual({
      _tag: "Stopped",
      reason: { _tag: "RecordInvalid", id: 8, issues: [] },
    })
    expect(reading.summary()).toMatchObject({ requests: 1, pages: 0, records: 0 })
  })

  it("of a read with a proof has the records that the proof continues with in its checkpoint, each once", () => {
    const { page } = readingOf({ prove: true })
    page([19, 18, 17, 16, 15], 5)
    const { checkpoint } = page([14, 13, 12, -11], 9)
    expect(checkpoint.recent).toEqual([19, 18, 17, 16, 15, 14, 13, 12, 11])
    // The second page is not connected: only the first one's records have a place.
    expect(checkpoint.proof!.versions).toHaveLength(5)
  })

  it("says when its answer came, and is recorded where that is wanted", () => {
    const { page } = readingOf({ record: true, limit: 20 })
    const first = page([9, 8], 7, { answeredAt: minute(7), tookMillis: 30, serviceDate: "x" })
    expect(first.recorded).toEqual({
      body: "the body of 7",
      wellEncoded: true,
      requestId: "req-1",
      cursorParam: "before_id",
      sent: null,
      limit: 20,
      answeredAt: minute(7),
      tookMillis: 30,
      serviceDate: "x",
      resumedAt: null,
      requests: 1,
      retries: 0,
      waitedMillis: 0,
    })
    expect(first.summary.endedAt).toBe(minute(7))
    expect(page([6, 5], null).recorded).toMatchObject({ sent: "7" })
  })

  it("without records ends a read whose proof failed", () => {
    const { page, reading } = readingOf()
    page([9, 8], null)
    expect(reading.last("req-9")).toEqual({
      records: [],
      superseded: [],
      rejected: [],
      next: null,
      requestId: "req-9",
      checkpoint: expect.objectContaining({ next: null, recent: [] }),
      summary: reading.summary(),
    })
  })
})

describe("guards", () => {
  it("stop a list after four empty pages in a row that name a further one", () => {
    const { page, take, reading } = readingOf()
    page([9], "a")
    for (const next of ["b", "c", "d"]) page([], next)
    page([-8], "e")
    for (const next of ["f", "g", "h"]) page([], next)
    expect(take([], "i")).toEqual(
      stalled("empty-pages", "4 pages in a row had no records and named a further page"),
    )
    expect(reading.summary()).toMatchObject({ pages: 8, anomalies: { "empty-page": 7 } })
  })

  it("let a list end with an empty page, however many came before", () => {
    const { page } = readingOf({ cursorVerified: true })
    page([9], "a")
    for (const next of ["b", "c", "d"]) page([], next)
    expect(page([], null).summary).toMatchObject({ complete: true, anomalies: { "empty-page": 3 } })
  })

  it("stop a list that has more pages than wished for", () => {
    const { page, take } = readingOf({ maxPages: 2 })
    page([9, 8], "a")
    expect(take([7, 6], "b")).toEqual(stalled("too-many-pages", "there are more than 2 pages"))
    const other = readingOf({ maxPages: 2 })
    other.page([9, 8], "a")
    expect(other.page([7, 6], null).summary.complete).toBe(true)
  })

  it("stop a list that leads in a circle, and its page counts as its request alone", () => {
    const { page, take, reading } = readingOf({ cursorVerified: true })
    page([9, 8], "a")
    expect(take([7, 6, -5], "a")).toMatchObject({ reason: { evidence: { kind: "cursor-repeated" } } })
    expect(reading.summary()).toMatchObject({ pages: 1, records: 2, rejected: 0, requests: 2 })
  })
})

describe("what the specification leaves open", () => {
  it.each([
    ["a", {}],
    [null, {}],
    [0, { "end-sentinel": 1 }],
    ["", { "end-sentinel": 1 }],
  ])("is an end by another value than null: %j", (next, anomalies) => {
    expect(readingOf().page([9, 8], next).summary.anomalies).toEqual(anomalies)
  })

  it("is a smaller page than asked for, of the first reading alone", () => {
    const { page, reading } = readingOf({ limit: 20, prove: true, cursorVerified: true })
    expect(page(range(40, 21), "a").summary.clampedTo).toBeNull()
    page(range(20, 1), null)
    expect(reading.ask).toMatchObject({ cursor: null, limit: 14 })
    page(range(40, 31), "b")
    expect(reading.summary().clampedTo).toBeNull()
    const clamped = readingOf({ limit: 20 })
    expect(clamped.page([9, -8], "a").summary.clampedTo).toBe(2)
    expect(readingOf({ limit: 20 }).page([9, 8], null).summary.clampedTo).toBeNull()
  })
})

describe("records that come again", () => {
  it("are repeats where they were asked for: by pages that overlap, and by further readings", () => {
    const { page } = readingOf({ prove: true, cursorVerified: true })
    page([49, 48, 47, 46, 45], 5)
    expect(page([45, 44, 43, 42, 41], 9).summary).toMatchObject({ repeats: 1, duplicates: 0 })
    // Not connected: the same boundary is asked for once more, from further back.
    expect(page([38, 37, 36, 35, 34], 13).summary).toMatchObject({ repeats: 1 })
    const other = readingOf({ prove: true, cursorVerified: true })
    other.page([9, 8], "a")
    other.page([7, 6], null)
    expect(other.page([9, 8], "b").summary).toMatchObject({ repeats: 2, duplicates: 0 })
  })

  it("are repeats where the same boundary is asked for once more", () => {
    const { take, reading } = readingOf()
    take([9, 8], "a")
    const step = reading.accept(answerOf([8, 7], "b"), { ...reading.ask!, isRetry: true })
    expect(step).toMatchObject({ page: { summary: { repeats: 1, duplicates: 0 } } })
  })

  it("are duplicates where nobody asked for them", () => {
    const { page } = readingOf()
    page([9, 8], "a")
    expect(page([8, 7], "b").summary).toMatchObject({ repeats: 0, duplicates: 1 })
  })
})

describe("the service's clock at the first answer", () => {
  const newer = (first: Parameters<typeof answerOf>, second: Parameters<typeof answerOf>) => {
    const { page } = readingOf()
    page(...first)
    return idsOf(page(...second).superseded)
  }
  const changed = { valid: [record(8, "2026-03-01T13:30:00Z"), record(7)] }
  const behind = { serviceDate: "Sun, 01 Mar 2026 13:00:00 GMT" }

  it("tells what is newer, and later ones do not", () => {
    expect(newer([[9, 8], "a"], [[8, 7], "b", changed])).toEqual([])
    expect(newer([[9, 8], "a", behind], [[8, 7], "b", changed])).toEqual([8])
    expect(newer([[9, 8], "a"], [[8, 7], "b", { ...changed, ...behind }])).toEqual([])
  })
})

describe("a limit that the service refuses", () => {
  it("is not sent any more, nor where the read is resumed", () => {
    const { events, page, reading } = readingOf({ limit: 20, prove: true })
    expect(reading.ask).toMatchObject({ limit: 20 })
    reading.dropLimit(422)
    expect([reading.limit, reading.ask?.limit]).toEqual([null, null])
    expect(events).toMatchObject([{ detail: "a limit of 20 was refused with 422; asked again without" }])
    const from = page([9, 8], "a").checkpoint
    expect(readingOf({ limit: 20, from }).reading.ask).toMatchObject({ cursor: "a", limit: null })
    const other = readingOf({ limit: 20 }).page([9, 8], "a").checkpoint
    expect(readingOf({ limit: 20, from: other }).reading.ask).toMatchObject({ cursor: "a", limit: 20 })
    const ended = readingOf({ limit: 20 })
    ended.reading.dropLimit(422)
    ended.page([9, 8], null)
    expect(ended.reading.ask).toBeNull()
  })
})

describe("a read that is resumed", () => {
  const checkpoint = (...pages: ReadonlyArray<Parameters<typeof answerOf>>): Checkpoint => {
    const { page } = readingOf()
    return JSON.parse(JSON.stringify(pages.map((given) => page(...given)).at(-1)!.checkpoint))
  }

  it.each<[string, ReadonlyArray<Parameters<typeof answerOf>>, boolean]>([
    ["after its first page", [[[9, 8], "a"]], false],
    ["after its first page with one that was not as specified", [[[9, -8], "a"]], false],
    ["after its first page with one that came twice", [[[9, 8, 8], "a"]], false],
    [
      "after its second page",
      [
        [[9, 8], "a"],
        [[7, 6], "b"],
      ],
      true,
    ],
    [
      "after its second page, each with one that was not",
      [
        [[9, -8], "a"],
        [[7, -6], "b"],
      ],
      true,
    ],
  ])("may give out records again: %s", (_, pages, mayRepeat) => {
    const { reading } = readingOf({ from: checkpoint(...pages), startedAt: minute(30) })
    expect(reading.summary().resumed).toMatchObject({ pausedAt: minute(5), resumedAt: minute(30), mayRepeat })
  })

  it("does not pause where the list had come to its end", () => {
    expect(readingOf({ from: checkpoint([[9, 8], null]) }).reading.summary().resumed).toBeNull()
    expect(readingOf().reading.summary().resumed).toBeNull()
  })

  it("counts on, and believes the parameter that had been verified", () => {
    const { page, reading } = readingOf({ from: checkpoint([[9, 8], "a"], [[7, 6], "b"]) })
    expect(reading.verification.current.state).toBe("verified")
    expect(page([6, 5], null).summary).toMatchObject({ pages: 3, records: 5, duplicates: 1, complete: true })
  })
})

describe("a parameter that the caller states", () => {
  it("is not judged", () => {
    const { page, reading } = readingOf({ cursorVerified: true })
    expect(reading.verification.current).toMatchObject({
      state: "verified",
      evidence: "stated by the caller",
    })
    page([9, 8], "a")
    expect(page([8, 9], "b").summary).toMatchObject({ duplicates: 2 })
  })
})

describe("records that are asked for by id", () => {
  it("are asked for before their page is given out", () => {
    const { take, reading } = readingOf({ prove: true, cursorVerified: true })
    const list = [31, 5, 27, 12, 19, 3, 22]
    take(list.slice(0, 4), "a")
    take(list.slice(4), null)
    take([31, 5, 27], "b")
    const step = take([12, 19, 3], null, { requestId: "req-5" })
    expect(step).toEqual({ _tag: "Check", ids: [22], about: "difference" })
    expect(reading.next()).toEqual(step)
    reading.settle(new Map([[22, "not-found"]]), false)
    expect(reading.next()).toMatchObject({
      _tag: "Page",
      page: { requestId: "req-5", next: null, summary: { completeness: { state: "confirmed" } } },
    })
  })
})

describe("a recording", () => {
  const recorded = (given: Partial<RecordedPage> = {}): RecordedPage => ({
    body: "",
    requestId: null,
    cursorParam: "before_id",
    sent: null,
    limit: null,
    answeredAt: minute(5),
    tookMillis: 0,
    serviceDate: null,
    resumedAt: null,
    requests: 4,
    retries: 2,
    waitedMillis: 900,
    ...given,
  })

  it("continues with the counts that it holds", () => {
    const { reading } = readingOf()
    expect(reading.catchUp(recorded())).toBe(true)
    expect(reading.summary()).toMatchObject({ requests: 4, retries: 2, waitedMillis: 900, resumed: null })
    expect(reading.summary().anomalies).toEqual({})
  })

  it.each<[string, Partial<RecordedPage>, boolean]>([
    ["the cursor that would be sent", { sent: "7" }, true],
    ["another one", { sent: "8" }, false],
    ["none", { sent: null }, false],
    ["another limit", { sent: "7", limit: 5 }, false],
  ])("is followed where it was made with %s", (_, given, expected) => {
    const { page, reading } = readingOf()
    page([9, 8], 7)
    expect(reading.catchUp(recorded(given))).toBe(expected)
  })

  it("ends with the list", () => {
    const { page, reading } = readingOf()
    page([9, 8], null)
    expect(reading.catchUp(recorded())).toBe(false)
  })

  it("pauses where it had been resumed, once", () => {
    const { page, reading } = readingOf()
    page([9, 8], "a")
    reading.catchUp(recorded({ sent: "a", resumedAt: minute(20) }))
    expect(reading.summary().resumed).toMatchObject({ resumedAt: minute(20), records: 2, mayRepeat: false })
    page([7, 6], "b")
    reading.catchUp(recorded({ sent: "b", resumedAt: minute(20) }))
    expect(reading.summary().resumed).toMatchObject({ resumedAt: minute(20), records: 2 })
  })

  it("continues with the parameter that it was made with", () => {
    const { events, reading } = readingOf()
    reading.catchUp(recorded({ cursorParam: "after" }))
    expect(reading.verification.current.parameter).toBe("after")
    expect(events).toMatchObject([{ anomaly: "cursor-param-found", detail: "as it was recorded" }])
  })

  it("continues without a limit that had been refused", () => {
    const { events, reading } = readingOf({ limit: 20 })
    expect(reading.catchUp(recorded({ limit: 20 }))).toBe(true)
    expect([reading.limit, events]).toEqual([20, []])
    expect(reading.catchUp(recorded())).toBe(true)
    expect(reading.limit).toBeNull()
    expect(events).toMatchObject([{ anomaly: "limit-rejected" }])
    expect(reading.catchUp(recorded())).toBe(true)
    expect(reading.summary().anomalies).toEqual({ "limit-rejected": 1 })
  })

  it("continues after requests for the proof that had failed", () => {
    const { take, reading } = readingOf({ limit: 20, prove: true, cursorVerified: true })
    take(range(40, 21), "a")
    take(range(20, 1), null)
    expect(reading.ask).toMatchObject({ cursor: null, limit: 14 })
    // The smaller page was refused, and the one as large as the first had an answer: the limit is none that was refused.
    expect(reading.catchUp(recorded({ limit: 20 }))).toBe(true)
    expect([reading.ask?.limit, reading.limit]).toEqual([20, 20])
  })

  it("continues with the service's cursor where one of our own had failed", () => {
    const { take, reading } = readingOf({ prove: true, cursorVerified: true })
    take([49, 48, 47, 46, 45], 5)
    expect(reading.ask).toMatchObject({ cursor: 4 })
    expect(reading.catchUp(recorded({ sent: "5" }))).toBe(true)
    expect(reading.ask).toMatchObject({ cursor: 5, back: 0 })
  })

  it("keeps its limit where a page of another size was made without one", () => {
    const { take, reading } = readingOf({ limit: 20, prove: true, cursorVerified: true })
    take(range(40, 21), "a")
    take(range(20, 1), null)
    expect(reading.catchUp(recorded({ limit: null }))).toBe(false)
    expect(reading.limit).toBe(20)
  })

  it("is not followed where nothing that may have failed leads to it", () => {
    const { take, reading } = readingOf({ limit: 20, prove: true, cursorVerified: true })
    take(range(40, 21), "a")
    take(range(20, 1), null)
    expect(reading.catchUp(recorded({ limit: 3, sent: "z" }))).toBe(false)
    expect(reading.ask).toBeNull()
  })
})

describe("a request that failed", () => {
  it("ends the read, unless it was made for the proof alone", () => {
    const { take, reading } = readingOf({ prove: true, cursorVerified: true })
    take([9, 8], "a")
    expect(reading.survive(reading.ask!)).toBe(false)
    take([7, 6], null)
    expect(reading.survive(reading.ask!)).toBe(true)
    expect(reading.ask).toMatchObject({ cursor: null, limit: null })
    expect(reading.survive(reading.ask!)).toBe(true)
    expect([reading.ask, reading.summary().completeness.reason]).toEqual([null, "reading-failed"])
  })
})

import { describe, expect, it } from "vitest"
import type { Checkpoint } from "../../../src/pagination/Checkpoint.ts"
import type { Cursor, StallEvidence } from "../../../src/pagination/Cursor.ts"
import { save } from "../../../src/pagination/Cursor.ts"
import type { Ask } from "../../../src/pagination/proof/Pass.ts"
import type { Found, ProofOptions, ProofPage } from "../../../src/pagination/proof/Proof.ts"
import { Proof } from "../../../src/pagination/proof/Proof.ts"
import { SeenIds } from "../../../src/pagination/proof/SeenIds.ts"
import type { ListedRecord } from "../../fixtures/PagedList.ts"
import { now, record, records } from "../../fixtures/PagedList.ts"
import { model } from "../../fixtures/ListedModel.ts"

type Given = Partial<ProofOptions<ListedRecord>> & { readonly isVerified?: boolean }

const nowMillis = Date.parse(now)
const ids = (list: ReadonlyArray<ListedRecord>) => list.map(({ id }) => id)

/** A proof, and a hand that gives it pages. */
const proofOf = ({ isVerified = true, ...options }: Given = {}) => {
  const given = options.given ?? new SeenIds()
  const proof = new Proof({ model, proves: true, limit: null, from: null, ...options, given })
  if (isVerified) proof.verifyParameter()
  const take = (
    page: ReadonlyArray<ListedRecord>,
    next: Cursor | null,
    more: Partial<ProofPage<ListedRecord>> = {},
  ): StallEvidence | null =>
    proof.take(proof.ask!, {
      records: page,
      repeated: page.filter(({ id }) => !given.add(id)),
      size: page.length,
      lastId: page.at(-1)?.id ?? null,
      next,
      serviceMillis: nowMillis,
      tookMillis: 0,
      ...more,
    })
  return { proof, given, take }
}

/** Changes the list before a request; where it says so, the request fails. */
type Before = (request: number, list: Array<ListedRecord>, ask: Ask) => "fails" | void

interface Service {
  readonly cursor: "position" | "last id" | "last record" | "opaque position" | "page number"
  /** Records of a page, where no smaller limit is asked for. Default 10. */
  readonly size?: number
  readonly ignoresLimit?: boolean
  readonly before?: Before
  readonly page?: Partial<ProofPage<ListedRecord>>
  /** What requests by id find, in the place of the list. */
  readonly find?: (id: number, about: "page" | "difference") => Found<ListedRecord> | undefined
  readonly isLater?: boolean
}

const pageAfter = (
  list: ReadonlyArray<ListedRecord>,
  { cursor: kind, ignoresLimit = false, size: most = 10 }: Service,
  { cursor, limit }: Ask,
) => {
  const size = ignoresLimit ? most : Math.min(limit ?? most, most)
  const number = Number(String(cursor ?? 0).replace("p", ""))
  const below = list.findIndex(({ id }) => id < number)
  const from =
    cursor === null
      ? 0
      : {
          position: number,
          "opaque position": number,
          "last id": below < 0 ? list.length : below,
          "last record": list.findIndex(({ id }) => id === number) + 1,
          "page number": (number - 1) * size,
        }[kind]
  const page = list.slice(from, from + size)
  const to = from + page.length
  const lastId = page.at(-1)?.id ?? 0
  const next = {
    position: to,
    "opaque position": `p${to}`,
    "last id": lastId,
    "last record": lastId,
    "page number": to / size + 1,
  }
  return [page, to < list.length ? next[kind] : null] as const
}

/** Reads a list until nothing is asked for any more. */
const read = (list: Array<ListedRecord>, service: Service, options: Given = {}) => {
  const { given, proof, take } = proofOf(options)
  const asks: Array<Ask> = []
  const checks: Array<(typeof proof)["checks"]> = []
  const settle = (): void => {
    while (proof.checks.ids.length > 0) {
      checks.push(proof.checks)
      const find = service.find ?? ((id: number) => list.find((one) => one.id === id) ?? "not-found")
      const { about } = proof.checks
      const found = new Map<number, Found<ListedRecord>>()
      for (const id of proof.checks.ids) {
        const one = find(id, about)
        if (one !== undefined) found.set(id, one)
      }
      proof.settle(found, service.isLater ?? false)
    }
  }
  for (let request = 1; proof.ask !== null; request++) {
    expect(request).toBeLessThan(500)
    const { ask } = proof
    asks.push(ask)
    if (service.before?.(request, list, ask) === "fails") {
      if (!proof.survive(ask)) break
      settle()
      continue
    }
    expect(take(...pageAfter(list, service, ask), service.page)).toBeNull()
    settle()
  }
  return { proof, asks, checks, given, completeness: proof.completeness }
}

const reason = ({ completeness }: { completeness: { state: string; reason: string } }) =>
  `${completeness.state}: ${completeness.reason}`

const minute = (number: number) => `2026-03-01T13:${String(number).padStart(2, "0")}:00Z`
/** Records with these ids, updated in no order. */
const edited = (given: ReadonlyArray<number>) => given.map((id, at) => record(id, minute((at * 7) % 60)))
const byId = (count = 45) => edited(ids(records(count)))
/** Ids and updates in no order. */
const unordered = (count = 45) =>
  edited(Array.from({ length: count }, (_, at) => ((at * 17) % (count + 1)) * 3 + 1))
/** Ids in no order, the record updated last first. */
const byUpdate = (count = 50) =>
  Array.from({ length: count }, (_, at) => record(7 * ((at * 13) % count) + 1, minute(count - at)))
const noClock = { serviceMillis: null }
const created = (id: number, createdAt: string) => ({ ...record(id), created_at: createdAt })

describe("what is claimed of a list that does not change", () => {
  it.each<[string, string, Array<ListedRecord>, Service, Given]>([
    ["that came as one page", "proven: one-page", records(8), { cursor: "position" }, {}],
    [
      "that came as one page, also where no proof is asked for",
      "proven: one-page",
      records(8),
      { cursor: "position" },
      { proves: false, isVerified: false },
    ],
    [
      "of several pages where no proof is asked for",
      "unverified: single-reading",
      records(45),
      { cursor: "position" },
      { proves: false },
    ],
    [
      "whose parameter is not known to work",
      "unverified: cursor-unverified",
      records(45),
      { cursor: "position" },
      { isVerified: false },
    ],
    ["by id, under positions", "proven: linked-pages", byId(), { cursor: "position" }, {}],
    ["by id, under ids", "proven: linked-pages", byId(), { cursor: "last id" }, {}],
    ["by id, going up", "proven: linked-pages", byId().toReversed(), { cursor: "position" }, {}],
    ["by id, no clock", "proven: linked-pages", byId(), { cursor: "position", page: noClock }, {}],
    ["by id, under opaque cursors", "proven: linked-pages", byId(), { cursor: "opaque position" }, {}],
    ["by id, under page numbers", "proven: linked-pages", byId(), { cursor: "page number" }, {}],
    ["by latest update", "proven: linked-pages", byUpdate(), { cursor: "position" }, {}],
    [
      "by latest update, no clock",
      "confirmed: second-reading",
      byUpdate(),
      { cursor: "position", page: noClock },
      {},
    ],
    ["by first update", "proven: linked-pages", byUpdate().toReversed(), { cursor: "position" }, {}],
    [
      "by first update, no clock",
      "confirmed: second-reading",
      byUpdate().toReversed(),
      { cursor: "position", page: noClock },
      {},
    ],
    ["in no order", "confirmed: second-reading", unordered(), { cursor: "position" }, {}],
    [
      "in no order, under opaque cursors",
      "confirmed: second-reading",
      unordered(),
      { cursor: "opaque position" },
      {},
    ],
    ["too short to know its order", "confirmed: second-reading", byId(11), { cursor: "opaque position" }, {}],
    [
      "whose numbers may be positions or ids, and whose order updates may change",
      "unverified: contradiction",
      records(45).toReversed(),
      { cursor: "position" },
      {},
    ],
  ])("%s: %s", (_, expected, list, service, options) => {
    expect(reason(read(list, service, options))).toBe(expected)
  })
})

describe("the sizes of further readings", () => {
  /** A record that is old and new at once in each further reading keeps the list from being confirmed. */
  const moving: Before = (request, list, { cursor }) => {
    if (request > 1 && cursor === null) list.splice(1, 0, record(1_000 + request))
  }
  const limitsOf = (size: number, options: Given = {}) => {
    const { asks, completeness } = read(
      unordered(20),
      { cursor: "opaque position", size, before: moving },
      options,
    )
    expect(completeness).toEqual({ state: "unverified", reason: "moving", readings: 4, differences: 3 })
    return asks.filter(({ cursor }) => cursor === null).map(({ limit }) => limit)
  }

  it.each([
    [10, [null, 7, 8, 6]],
    [3, [null, 2, 2, 2]],
    [2, [null, 2, 2, 2]],
    [1, [null, 1, 1, 1]],
  ])("of pages of %i are those of the first one, by shares, and two at least: %j", (size, limits) => {
    expect(limitsOf(size)).toEqual(limits)
  })

  it("follow the pages that came, not the limit that was sent", () => {
    expect(limitsOf(10, { limit: 100 })).toEqual([100, 7, 8, 6])
  })
})

describe("a service that ignores the limit", () => {
  const service: Service = { cursor: "opaque position", ignoresLimit: true }

  it("is believed when two further readings agree, because all have the same page boundaries", () => {
    expect(read(unordered(), service).completeness).toMatchObject({ state: "confirmed", readings: 3 })
  })

  it("has to agree twice in a row", () => {
    const list = unordered()
    let pages = 0
    const before: Before = (_, __, { cursor }) => {
      if (cursor === null) pages += 1
      // Found in the third reading, and old: the two before have missed it.
      if (cursor === null && pages === 3) list.splice(20, 0, created(500, "2026-01-01T00:00:00Z"))
    }
    expect(read(list, { ...service, before }).completeness).toMatchObject({ state: "confirmed", readings: 5 })
  })

  it("is asked five times at most", () => {
    const list = unordered()
    const before: Before = (request, _, { cursor }) => {
      if (cursor === null) list.splice(20, 0, created(500 + request, "2026-01-01T00:00:00Z"))
    }
    expect(read(list, { ...service, before }).completeness).toMatchObject({
      state: "unverified",
      readings: 5,
    })
  })
})

describe("a record that only a later reading has", () => {
  const readings = (late: ListedRecord, page: Service["page"] = {}) => {
    const { completeness } = read(unordered(), {
      cursor: "opaque position",
      page,
      before: (_, list, { cursor, limit }) => {
        if (limit !== null && cursor === null && !list.includes(late)) list.splice(20, 0, late)
      },
    })
    expect(completeness).toMatchObject({ state: "confirmed", reason: "second-reading", differences: 1 })
    return completeness.readings
  }

  it.each<[string, number, string, Service["page"]]>([
    ["explained where it was created after the start", 2, "2026-03-01T14:10:00Z", {}],
    ["explained where it was created a second after the start", 2, "2026-03-01T14:00:01Z", {}],
    ["missed before where it was created within a second of the start", 3, "2026-03-01T14:00:00.999Z", {}],
    ["missed before where the service has no clock", 3, "2026-03-01T14:10:00Z", noClock],
  ])("is %s: %i readings", (_, expected, createdAt, page) => {
    expect(readings(created(500, createdAt), page)).toBe(expected)
  })

  it("is compared with the first answer's clock, not with later ones", () => {
    const { proof, take } = proofOf()
    const list = unordered(20)
    const later = { serviceMillis: nowMillis + 3_600_000 }
    take(list.slice(0, 10), "a")
    take(list.slice(10), null, later)
    take([...list.slice(0, 6), created(500, "2026-03-01T14:30:00Z")], "b", later)
    take(list.slice(6, 13), "c", later)
    take(list.slice(13), null, later)
    expect(proof.completeness).toMatchObject({ state: "confirmed", readings: 2, differences: 1 })
  })

  it("is not explained by a clock that only later answers tell", () => {
    const { proof, take } = proofOf()
    const list = unordered(20)
    take(list.slice(0, 10), "a", noClock)
    take(list.slice(10), null)
    take([...list.slice(0, 6), created(500, "2026-03-01T14:30:00Z")], "b")
    take(list.slice(6, 13), "c")
    take(list.slice(13), null)
    expect(proof.completeness).toMatchObject({ state: "unverified", reason: "unfinished", readings: 2 })
  })
})

describe("a record that only an earlier reading had", () => {
  /** Takes records away before the second reading. */
  const losing =
    (count: number): Before =>
    (_, list, { cursor, limit }) => {
      if (cursor === null && limit === 7) list.splice(12, count)
    }
  const lost = (count: number, service: Partial<Service> = {}, list = unordered()) =>
    read(list, { cursor: "opaque position", before: losing(count), ...service })

  it("is asked for by id, once, and explained where it is gone", () => {
    const list = unordered()
    const gone = ids(list.slice(12, 14))
    const { checks, completeness } = lost(2, {}, list)
    expect(checks).toEqual([{ ids: gone.toReversed(), about: "difference" }])
    expect(completeness).toEqual({
      state: "confirmed",
      reason: "second-reading",
      readings: 2,
      differences: 2,
    })
  })

  it("is not asked for again where a third reading is needed", () => {
    const before: Before = (request, list, ask) => {
      losing(1)(request, list, ask)
      if (ask.cursor === null && ask.limit === 7) list.splice(2, 0, record(900))
    }
    const { checks, completeness } = lost(1, { before })
    expect(checks).toHaveLength(1)
    expect(completeness).toEqual({
      state: "confirmed",
      reason: "second-reading",
      readings: 3,
      differences: 2,
    })
  })

  it("needs another reading where it is still there", () => {
    const { checks, completeness } = lost(1, { find: (id) => record(id) })
    expect(checks).toHaveLength(3)
    expect(completeness).toEqual({ state: "unverified", reason: "moving", readings: 4, differences: 3 })
  })

  it("ends the proof where it cannot be read, whatever the others show", () => {
    const list = unordered()
    const [first] = ids(list.slice(12, 13))
    const { completeness } = lost(2, { find: (id) => (id === first ? "not-readable" : "not-found") }, list)
    expect(completeness).toMatchObject({ state: "unverified", reason: "reading-failed", readings: 2 })
  })

  it.each([
    [500, "confirmed: second-reading", [500]],
    [501, "unverified: moving", []],
  ])("is asked for among %i at most: %s", (count, expected, asked) => {
    const { checks, completeness, proof } = lost(count, {}, unordered(600))
    expect(checks.map((check) => check.ids.length)).toEqual(asked)
    expect(reason({ completeness })).toBe(expected)
    expect(proof.checks.ids).toEqual([])
  })

  it("is not asked for where the pages of both readings are linked: nothing is left to show", () => {
    const { checks, completeness, proof } = lost(1, {}, byId())
    expect(completeness).toMatchObject({
      state: "proven",
      reason: "linked-pages",
      readings: 2,
      differences: 1,
    })
    expect([checks, proof.checks.ids]).toEqual([[], []])
  })
})

describe("a later reading that comes as one page", () => {
  it.each<[string, string, Found<ListedRecord>]>([
    ["confirmed where they are gone", "confirmed: second-reading", "not-found"],
    ["moving where they are there", "unverified: moving", record(1)],
  ])("proves nothing by itself: what it has not is asked for, and the list is %s", (_, expected, found) => {
    const { checks, completeness } = read(unordered(12), {
      cursor: "opaque position",
      before: (_request, list, { limit }) => void (limit !== null && list.splice(5)),
      find: () => found,
    })
    expect(checks[0]?.ids).toHaveLength(7)
    expect(reason({ completeness })).toBe(expected)
  })
})

describe("a read that is resumed", () => {
  /** Reads three pages, keeps a checkpoint as JSON, and reads on from it. */
  const resumed = (
    list: Array<ListedRecord>,
    service: Service,
    change: (from: Checkpoint) => Partial<Checkpoint> = () => ({}),
    page = service.page,
  ) => {
    const { given, proof, take } = proofOf()
    for (let pages = 0; pages < 3; pages++) take(...pageAfter(list, service, proof.ask!), service.page)
    const kept = JSON.parse(
      JSON.stringify({ ...proof.state, next: save(proof.cursor!), summary: { records: 30 } }),
    )
    const from: Checkpoint = { ...kept, ...change(kept) }
    const rest = read(list, { ...service, page: page ?? {} }, { from, given })
    return { ...rest, from, top: proof.state.proof.top }
  }

  it.each<[string, string, Array<ListedRecord>, Service]>([
    ["by id under positions", "proven: linked-pages", byId(), { cursor: "position" }],
    ["by id under ids", "proven: linked-pages", byId(), { cursor: "last id" }],
    ["by latest update", "proven: linked-pages", byUpdate(), { cursor: "position" }],
    ["by latest update, no clock", "unverified: resumed", byUpdate(), { cursor: "position", page: noClock }],
    ["under opaque cursors", "unverified: resumed", byId(), { cursor: "opaque position" }],
    ["in no order", "unverified: resumed", unordered(), { cursor: "position" }],
    ["whose rest is one page", "unverified: resumed", unordered(31), { cursor: "opaque position" }],
  ])("continues with the proof of a list %s: %s", (_, expected, list, service) => {
    expect(reason(resumed(list, service))).toBe(expected)
  })

  it.each([
    ["position", [26, 24, 32, 40]],
    ["last id", [20, 22, 14, 6]],
  ] as const)(
    "asks by %s for what the service named last, then for pages that overlap: %j",
    (cursor, expected) => {
      expect(resumed(byId(), { cursor }).asks.map((ask) => ask.cursor)).toEqual(expected)
    },
  )

  it("has nothing to continue with where the checkpoint holds no proof", () => {
    const { asks, completeness, proof } = resumed(byId(), { cursor: "position" }, () => ({ proof: null }))
    expect([reason({ completeness }), proof.meaning]).toEqual(["unverified: resumed", "none"])
    expect(asks.map(({ back }) => back)).toEqual(asks.map(() => 0))
  })

  it("continues with pages that were linked by the service itself", () => {
    const list = byId(30)
    const { given, proof, take } = proofOf()
    take(list.slice(0, 10), "a")
    take(list.slice(9, 19), "b")
    take(list.slice(18, 28), "c")
    const next = { type: "string", text: "c" }
    const from = { ...proof.state, next, summary: { records: 28 } } as unknown as Checkpoint
    const rest = proofOf({ from, given })
    rest.take(list.slice(27), null)
    expect(reason(rest.proof)).toBe("proven: linked-pages")
  })

  it("finds the places of its records whatever else the checkpoint holds", () => {
    const more = ({ recent }: Checkpoint) => ({ recent: [...recent, 9_001, 9_002, 9_003] })
    const service = { cursor: "last id" } as const
    expect(resumed(byId(), service, more).asks).toEqual(resumed(byId(), service).asks)
  })

  it("keeps how the list began, and takes no later page for its beginning", () => {
    const { proof, top } = resumed(byUpdate(), { cursor: "position" })
    expect(top).toEqual({ updatedAt: "2026-03-01T13:50:00", ids: [1] })
    expect(proof.state.proof.top).toEqual(top)
    const late = resumed(byUpdate(), { cursor: "position", page: noClock }, undefined, {})
    expect([late.proof.state.proof.top, reason(late)]).toEqual([null, "unverified: resumed"])
  })

  it("keeps as many records as the largest page and the overlap need, and those that stand apart", () => {
    const { from } = resumed(byId(), { cursor: "position" })
    expect(from.recent).toEqual(ids(byId().slice(16, 26)))
    expect(from.proof!.versions).toEqual(byId().slice(16, 26).map(model.version))
  })

  it("is done where the checkpoint names no further page", () => {
    const { proof } = proofOf({
      from: { next: null, recent: [], proof: null, summary: { records: 3 } } as unknown as Checkpoint,
    })
    expect(proof.ask).toMatchObject({ cursor: null })
  })
})

describe("a request that fails", () => {
  const failing =
    (at: (ask: Ask, request: number) => boolean): Before =>
    (request, _, ask) =>
      at(ask, request) ? "fails" : undefined

  it("in the first reading ends the read, unless the cursor was one of our own", () => {
    const { proof, take } = proofOf()
    take(byId().slice(0, 10), "a")
    expect(proof.survive(proof.ask!)).toBe(false)
    expect(proof.completeness).toMatchObject({ reason: "unfinished", readings: 0 })
  })

  it("with a cursor of our own is asked for as the service named it, and so are all that follow", () => {
    const before = failing(({ back }) => back > 0)
    const { asks, completeness } = read(byId(), { cursor: "position", before })
    expect(asks.filter(({ back }) => back > 0)).toHaveLength(1)
    expect(asks.slice(0, 7).map(({ cursor }) => cursor)).toEqual([null, 8, 10, 20, 30, 40, null])
    expect(completeness).toMatchObject({ state: "proven", reason: "linked-pages", readings: 2 })
  })

  it("for the head of the list is followed by a second reading", () => {
    let ends = 0
    const { asks, completeness } = read(byUpdate(), {
      cursor: "position",
      before: (request, _, { cursor }) =>
        cursor === null && request > 1 && ends++ === 0 ? "fails" : undefined,
    })
    expect(asks.filter(({ cursor }) => cursor === null).map(({ limit }) => limit)).toEqual([null, 10, 7, 10])
    expect(completeness).toMatchObject({ state: "proven", reason: "linked-pages", readings: 2 })
  })

  it.each([null, 5])(
    "by the size of a further reading is asked for with the limit of the first: %s",
    (limit) => {
      const before = failing((ask, request) => request > 1 && ask.cursor === null && ask.limit !== limit)
      const { asks, completeness } = read(unordered(), { cursor: "opaque position", before }, { limit })
      expect(asks.filter(({ cursor }) => cursor === null).map((ask) => ask.limit)).toEqual([
        limit,
        limit === null ? 7 : 4,
        limit,
      ])
      expect(completeness).toMatchObject({ state: "confirmed", readings: 2 })
    },
  )

  it.each<[string, (ask: Ask) => boolean, Given]>([
    ["with the first one's limit", ({ cursor }) => cursor === null, { limit: 100 }],
    ["with no limit", ({ cursor }) => cursor === null, {}],
    ["on a later page", ({ cursor }) => cursor !== null, {}],
  ])("in a further reading %s ends the proof, and not the read", (_, isFailing, options) => {
    let isRead = false
    const before: Before = (_, __, ask) => {
      const fails = isRead && isFailing(ask)
      isRead ||= ask.cursor === "p40"
      return fails ? "fails" : undefined
    }
    const { asks, completeness, proof } = read(unordered(), { cursor: "opaque position", before }, options)
    expect(completeness).toEqual({
      state: "unverified",
      reason: "reading-failed",
      readings: 1,
      differences: 0,
    })
    expect(proof.ask).toBeNull()
    expect(asks.length).toBeLessThanOrEqual(8)
  })

  it("with no limit, because the service had refused the first one's, ends the proof", () => {
    const { proof, take } = proofOf({ limit: 5 })
    take(byId().slice(0, 10), "a")
    take(byId().slice(10, 20), null)
    expect(proof.survive({ ...proof.ask!, limit: null })).toBe(true)
    expect(proof.completeness).toMatchObject({ state: "unverified", reason: "reading-failed" })
  })
})

describe("a reading that leads nowhere", () => {
  it("ends the read in the first one, and only the proof in a later one", () => {
    const { proof, take } = proofOf()
    const list = unordered(30)
    take(list.slice(0, 10), "a")
    expect(take(list.slice(10, 20), "a")).toMatchObject({ kind: "cursor-repeated" })
    expect(proof.completeness.reason).toBe("unfinished")
    const other = proofOf()
    other.take(list.slice(0, 10), "a")
    other.take(list.slice(10), null)
    other.take(list.slice(0, 7), "b")
    expect(other.take(list.slice(7, 14), "b")).toBeNull()
    expect(reason(other.proof)).toBe("unverified: reading-failed")
    expect(other.proof.ask).toBeNull()
  })
})

describe("what is known while a list is read", () => {
  it("is where to resume until the list was read to its end, and no more after it", () => {
    const { proof, take } = proofOf()
    expect([proof.isRead, proof.cursor, proof.meaning]).toEqual([false, null, "none"])
    take(unordered().slice(0, 10), "a")
    expect([proof.isRead, proof.cursor, proof.meaning]).toEqual([false, "a", "opaque"])
    take(unordered().slice(10, 20), null)
    expect([proof.isRead, proof.cursor, proof.orderedBy]).toEqual([true, null, "unknown"])
    expect(proof.ask).toMatchObject({ cursor: null, limit: 7 })
    take(unordered().slice(0, 7), "b")
    expect(proof.cursor).toBeNull()
  })

  it("is nothing of the pages where no proof is asked for", () => {
    const { asks, proof } = read(byId(), { cursor: "position" }, { proves: false })
    expect([proof.meaning, proof.orderedBy]).toEqual(["none", "unknown"])
    expect(asks.map(({ back }) => back)).toEqual([0, 0, 0, 0, 0])
    expect(proof.state.proof.top).toBeNull()
  })

  it("does not ask with cursors of its own before the parameter is known to work", () => {
    const { proof, take } = proofOf({ isVerified: false })
    take(byId().slice(0, 10), 10)
    expect(proof.ask).toMatchObject({ cursor: 10, back: 0 })
    proof.verifyParameter()
    expect(proof.ask).toMatchObject({ cursor: 8, back: 2 })
  })
})

describe("the head of a list by latest update", () => {
  /** Moves the last records to the head, before a request. */
  const moving =
    (at: number, count: number): Before =>
    (request, list) => {
      if (request !== at) return
      for (const moved of list.splice(-count)) list.unshift({ ...moved, updated_at: "2026-03-01T13:55:00Z" })
    }

  it.each([
    ["one page", 3, [null, 10]],
    ["several pages, then one of what came meanwhile", 15, [null, 10, 7]],
  ])("shows what moved while the list was read, on %s", (_, count, limits) => {
    const { asks, completeness, given } = read(byUpdate(), { cursor: "position", before: moving(4, count) })
    expect(completeness).toMatchObject({ state: "proven", reason: "linked-pages", readings: 1 })
    expect(asks.filter(({ cursor }) => cursor === null).map(({ limit }) => limit)).toEqual(limits)
    expect(ids(byUpdate()).every((id) => given.has(id))).toBe(true)
  })

  it.each<[string, string, (one: ListedRecord) => Found<ListedRecord>]>([
    ["nothing where that record is there", "unverified: unfinished", (one) => one],
    ["what moved where that record is gone", "proven: linked-pages", () => "not-found"],
  ])("on pages of which the last left a record out shows %s", (_, expected, find) => {
    const { proof, take } = proofOf()
    const list = byUpdate()
    take(list.slice(0, 20), list[19]!.id)
    take(list.slice(16, 36), list[35]!.id)
    take(list.slice(32), null)
    const moved = list.slice(25, 45).map(({ id }, at) => record(id, `2026-03-01T13:52:${String(59 - at)}Z`))
    const last = moved.at(-1)!
    take(moved, last.id)
    take([...moved.slice(16, 19), ...list.slice(0, 15)], list[14]!.id)
    expect(proof.checks).toEqual({ ids: [last.id], about: "page" })
    expect(proof.ask).toBeNull()
    proof.settle(new Map([[last.id, find(last)]]), false)
    expect(proof.ask).toMatchObject({ cursor: null, limit: 14 })
    take(moved.slice(0, 14), moved[13]!.id)
    expect(reason(proof)).toBe(expected)
  })

  it("proves nothing where it leads nowhere: the list is read again", () => {
    const { proof, take } = proofOf()
    const list = byUpdate(30)
    take(list.slice(0, 20), "a")
    take(list.slice(18), null)
    const moved = unordered(30).map(({ id }) => record(id, now))
    expect(proof.ask).toMatchObject({ cursor: null, limit: 20 })
    take(moved.slice(0, 10), "b")
    take(moved.slice(10, 20), "b")
    expect(reason(proof)).toBe("unverified: unfinished")
    expect(proof.ask).toMatchObject({ cursor: null, limit: 14 })
  })
})

describe("a second reading whose pages overlap", () => {
  it("is connected by its own pages alone, not by those of the first", () => {
    const { asks } = read(unordered(), {
      cursor: "position",
      before: (_, list, { cursor, isRetry, limit }) =>
        void (limit === 7 && cursor === 6 && !isRetry && list.splice(0, 3)),
    })
    expect(asks.filter(({ isRetry }) => isRetry)).toEqual([{ cursor: 3, limit: 7, back: 4, isRetry: true }])
  })
})

describe("the service's clock", () => {
  const at = (list: Array<ListedRecord>, ...times: ReadonlyArray<string>) =>
    list.map((one, index) => ({ ...one, updated_at: times[index % times.length]! }))

  it.each([
    ["2026-03-01T14:00:01Z", "proven: linked-pages"],
    ["2026-03-01T14:00:01.001Z", "confirmed: second-reading"],
  ])(
    "may be a second behind an update, and no more: one at %s leaves a list by update %s",
    (latest, expected) => {
      const list = byUpdate()
      list[0] = { ...list[0]!, updated_at: latest }
      expect(reason(read(list, { cursor: "position" }))).toBe(expected)
    },
  )

  it("has to be told with every page of a list by update", () => {
    const list = byUpdate()
    const { proof, take } = proofOf()
    const pages = [list.slice(0, 10), list.slice(8, 18), list.slice(16, 26)]
    take(pages[0]!, 10)
    take(pages[1]!, 18, noClock)
    take(pages[2]!, null)
    expect([proof.state.proof.top, reason(proof)]).toEqual([null, "unverified: unfinished"])
  })

  it.each([
    [5_000, "2026-03-01T13:59:54Z", []],
    [5_000, "2026-03-01T13:59:54.001Z", [16, 16]],
    [0, "2026-03-01T13:59:59Z", []],
    [0, "2026-03-01T13:59:59.001Z", [16, 16]],
  ])(
    "less the %i ms that the answer took, and a second, tells which updates are settled: where pages overlap in those at %s, they are asked for again from further back: %j",
    (tookMillis, latest, expected) => {
      const list = [...byId(32).slice(0, 18), ...at(records(14), latest)]
      const { asks } = read(list, { cursor: "position", size: 22, page: { tookMillis } })
      expect(asks.filter(({ isRetry }) => isRetry).map(({ back }) => back)).toEqual(expected)
    },
  )

  it("settles nothing of a list whose updates lie ahead of it, where the order is by id", () => {
    const list = at(byId(), "2026-03-01T18:00:00Z", "2026-03-01T17:00:00Z", "2026-03-01T19:00:00Z")
    expect(reason(read(list, { cursor: "position" }))).toBe("proven: linked-pages")
  })
})

describe("a record that should have come after the one that the cursor names", () => {
  type Find = (one: ListedRecord) => Found<ListedRecord> | undefined

  /** Takes the last records of the first page away before the second request shows them again. */
  const leavingOut = (find: Find, { count = 1, isLater = false, length = 45, size = 10 } = {}) => {
    const list = unordered(length)
    const gone = list.slice(size - count, size)
    const result = read(list, {
      cursor: "last record",
      size,
      isLater,
      before: (request, current) => void (request === 2 && current.splice(size - count, count)),
      find: (id, about) => (about === "page" ? find(gone.find((one) => one.id === id)!) : "not-found"),
    })
    return { ...result, gone: ids(gone) }
  }

  it.each<[string, string, Find]>([
    ["explained where it is gone", "confirmed: second-reading", () => "not-found"],
    ["explained where it has changed", "confirmed: second-reading", ({ id }) => record(id, now)],
    ["a contradiction where it is there as it was", "unverified: contradiction", (one) => one],
    ["a contradiction where it cannot be read", "unverified: contradiction", () => "not-readable"],
    ["a contradiction where nobody knows", "unverified: contradiction", () => undefined],
  ])("is asked for by id, and is %s: %s", (_, expected, find) => {
    const { checks, completeness, gone } = leavingOut(find)
    expect(checks[0]).toEqual({ ids: gone, about: "page" })
    expect(reason({ completeness })).toBe(expected)
    // The same on the page that ends the list.
    expect(reason(leavingOut(find, { length: 18 }))).toBe(expected)
  })

  it("is a contradiction where one of several is there", () => {
    const [first] = unordered().slice(13)
    const find: Find = (one) => (one.id === first!.id ? one : "not-found")
    const { checks, completeness, gone } = leavingOut(find, { count: 2, size: 15 })
    expect(checks[0]).toEqual({ ids: gone, about: "page" })
    expect(reason({ completeness })).toBe("unverified: contradiction")
  })

  it("is a contradiction where it was asked for long after", () => {
    expect(reason(leavingOut(() => "not-found", { isLater: true }))).toBe("unverified: contradiction")
  })
})

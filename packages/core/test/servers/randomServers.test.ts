import type { EmulatorOptions, Fault, When } from "@deedkit/emulator"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { describe, expect, it } from "vitest"
import type { ClientOptions } from "../../src/ClientConfig.ts"
import type { Checkpoint } from "../../src/Page.ts"
import type { ListOptions } from "../../src/Records.ts"
import { flawsOf, idsOf, readList, world } from "../fixtures/Setup.ts"
import type { World } from "../fixtures/Setup.ts"
import { explore } from "../fixtures/Exploration.ts"
import type { Random } from "../fixtures/Random.ts"
import type { Servers } from "../fixtures/Exploration.ts"

const cases = Number(process.env["DEEDKIT_CASES"] ?? 100)

type Assumptions = NonNullable<EmulatorOptions["assumptions"]>

/** Small ones as often as large ones: what pages have in common shows on few records first. */
const pageSize = ({ integer, pick }: Random): number => integer(1, pick([5, 60]))

/** Services that keep to the specification, or differ in ways that a read tolerates. */
const tolerable = (random: Random): Partial<Assumptions> => {
  const { chance, pick, some } = random
  return some<Partial<Assumptions>>({
    cursorKind: () => pick(["integer", "digits", "string", "bigint"]),
    cursorBoundary: () => pick(["exclusive", "inclusive", "next"]),
    ordering: () => pick(["descending", "ascending", "random", "updated"]),
    ascendingPages: () => pick(["sequence", "newest-first"]),
    endSentinel: () => pick([null, 0, -1, ""]),
    trailingEmptyPage: () => chance(0.5),
    defaultLimit: () => pageSize(random),
    maximumLimit: () => pageSize(random),
    aboveMaximum: () => pick(["clamp", "reject", "allow"]),
    unknownParameter: () => pick(["ignore", "reject"]),
    malformedStatus: () => pick([400, 422]),
    errorShape: () => pick(["flat", "nested", "list", "problem", "text", "html", "empty"]),
    requestIdHeader: () => pick(["x-request-id", "x-correlation-id", null]),
    listingWhenNone: () => pick(["null", "absent", "object"]),
    unknownMember: () => chance(0.5),
    timestampDigits: () => pick([0, 3, 6]),
  })
}

/** Services that no read can trust. */
const strange = ({ chance, integer, pick, some }: Random): Partial<Assumptions> =>
  some<Partial<Assumptions>>({
    cursorKind: () => pick(["integer", "string", "bigint", "object"]),
    cursorParameter: () => pick(["before_id", "before", "cursor", "page_token", "nobody_knows"]),
    endSentinel: () => pick([null, 0, "", "missing"]),
    malformedCursor: () => pick(["reject", "ignore"]),
    limitSupported: () => chance(0.5),
    defaultLimit: () => integer(1, 30),
    maximumLimit: () => integer(1, 30),
  })

const when = ({ fraction, integer, list, pick }: Random): When =>
  pick<() => When>([
    () => ({}),
    () => ({ page: integer(1, 5) }),
    () => ({ every: integer(2, 5) }),
    () => ({ requests: [integer(1, 12), ...list(3, () => integer(1, 12))] }),
    () => ({ probability: 0.05 + fraction() * 0.55 }),
  ])()

/** Faults that need to be told no more than when. */
const others =
  "drop not-json html-error redirect wrong-form unknown-status null-listing missing-next cursor-ignored cursor-inclusive cursor-constant cursor-cycle cursor-renamed scope-missing".split(
    " ",
  )

/** Changes of the store are left out: then there is no list that a read could be compared with. */
const fault = (random: Random): Fault => {
  const { chance, fraction, integer, pick } = random
  const retryAfter = () => pick([null, 0, 1, 7, 70, 4_000, "date", "past-date", "rubbish"])
  const at = when(random)
  const draw = pick<() => object>([
    () => ({ name: "rate-limit", when: at, retryAfter: retryAfter() }),
    () => ({ name: "storm", when: at, retryAfter: retryAfter(), ms: integer(1, 90_000) }),
    () => ({ name: "quota", limit: integer(1, 6), windowMs: integer(500, 20_000) }),
    () => ({ name: "burst", when: at, count: integer(1, 6), retryAfter: retryAfter() }),
    () => ({ name: "server-error", when: at, status: pick([500, 501, 502, 503, 504]) }),
    () => ({ name: "status", when: at, code: pick([204, 304, 400, 404, 408, 409, 418, 422]) }),
    () => ({ name: "latency", when: at, ms: integer(0, 40_000) }),
    () => ({ name: "cut", when: at, fraction: fraction() }),
    () => ({ name: "truncated-json", when: at, fraction: fraction() }),
    () => ({ name: "invalid-json", when: at, form: pick(["two-documents", "single-quotes", "empty"]) }),
    () => ({ name: "stall", when: at, bytes: integer(0, 3_000), head: chance(0.5) }),
    () => ({ name: "slow", when: at, bytesPerSecond: integer(200, 50_000) }),
    () => ({ name: "huge", when: at, bytes: pick([1_000, 60_000]), form: pick(["valid", "rubbish"]) }),
    () => ({ name: "ok-false", when: at, form: pick(["false", "missing", "text"]) }),
    () => ({ name: "empty-page", when: at, count: integer(1, 6) }),
    () => ({ name: "duplicate", when: at, count: integer(1, 6) }),
    () => ({ name: "missing-field", when: at, field: pick(["id", "status", "listing.city"]) }),
    () => ({ name: "wrong-type", when: at, field: pick(["kind", "template_id", "updated_at"]) }),
    () => ({ name: "odd-timestamp", when: at, form: pick(["offset", "space", "rubbish"]) }),
    () => ({ name: "key-revoked", from: integer(1, 12) }),
    ...others.map((name) => () => ({ name, when: at })),
  ])
  return draw() as Fault
}

const listOptions = (random: Random): ListOptions => {
  const { chance, integer, pick, some } = random
  return some<Pick<Required<ListOptions>, "limit" | "onRejected" | "readAhead" | "prove">>({
    limit: () => (chance(0.5) ? pageSize(random) : integer(1, 200)),
    onRejected: () => pick(["fail", "collect"]),
    readAhead: () => pick([0, 1]),
    prove: () => chance(0.5),
  })
}

/** What a world is made of. Each part that is missing has its default. */
interface Traits {
  readonly assumptions: Partial<Assumptions>
  readonly faults: ReadonlyArray<Fault>
  readonly list: ListOptions
  readonly client: Partial<ClientOptions>
  readonly contracts: number
  readonly seed: number
  /** After how many pages a read is left, and how many contracts are inserted then. */
  readonly part: number
  readonly inserted: number
  /** After how many of its pages a read is resumed. */
  readonly cut: number
}

interface Server extends World, Pick<Traits, "list" | "part" | "inserted" | "cut"> {}

const make = async (traits: Partial<Traits>): Promise<Server> => {
  const {
    assumptions = {},
    client = {},
    contracts = 20,
    faults = [],
    inserted = 1,
    cut = 1,
    list = {},
    part = 1,
    seed = 1,
  } = traits
  const emulator = { assumptions: assumptions as Assumptions, contracts, faults, seed }
  return { ...(await world({ client, emulator })), list, part, inserted, cut }
}

const drawn = (random: Random): Traits => {
  const { chance, integer, list, pick } = random
  return {
    assumptions: chance(0.5) ? tolerable(random) : strange(random),
    faults: list(3, () => fault(random)),
    list: listOptions(random),
    client: {
      cursorParam: pick(["before_id", "auto"]),
      retry: pick(["interactive", "patient"]),
      rate: pick([0, 5, undefined]),
      maxBodyBytes: 50_000,
    },
    contracts: integer(0, 90),
    seed: integer(1, 1_000),
    part: integer(0, 5),
    inserted: integer(1, 40),
    cut: integer(1, 30),
  }
}

/** Services made at random, with whatever faults. */
const faulty: Servers<Traits, Server> = { draw: drawn, make }

/** Services that do nothing but what the specification leaves open. */
const sound: Servers<Traits, Server> = {
  draw: (random) => {
    for (;;) {
      const traits = { ...drawn(random), assumptions: tolerable(random), faults: [], client: {} }
      if (leadsOn(traits.assumptions, traits.list)) return traits
    }
  },
  make,
}

/** Where a page holds one record, a cursor leads nowhere that names a record which comes again, or none that follows. */
const leadsOn = (
  { cursorBoundary, defaultLimit, maximumLimit, trailingEmptyPage }: Partial<Assumptions>,
  { limit }: ListOptions,
): boolean => {
  const isCircle = cursorBoundary === "inclusive" || (cursorBoundary === "next" && trailingEmptyPage === true)
  return !isCircle || Math.min(limit ?? 2, defaultLimit ?? 2, maximumLimit ?? 2) > 1
}

/** No call waits longer: six attempts, each with its limit and the longest wait that an export allows. */
const longestCallMillis = 6 * (30_000 + 15 * 60_000 + 1_000)

describe("services made at random", () => {
  it(`give every record once and a complete read, or a typed error and an incomplete summary (${cases})`, async () => {
    let complete = 0
    await explore(
      async (it) => {
        const outcome = await it.run(readList(it.client.contracts.pages(it.list)))
        expect(flawsOf(outcome, idsOf(it.emulator.store.contracts))).toEqual([])
        if (outcome.error === null) complete += 1
        expect(it.elapsed()).toBeLessThanOrEqual((it.emulator.journal.entries.length + 1) * longestCallMillis)
      },
      faulty,
      { count: cases },
    )
    expect(complete).toBeGreaterThan(cases / 10)
    expect(complete).toBeLessThan(cases)
  })

  it(`are read to their end whenever they do nothing but what the specification leaves open (${cases})`, async () => {
    await explore(
      async (it) => {
        const { error, pages, records: given } = await it.run(readList(it.client.contracts.pages(it.list)))
        expect(error?.message).toBeUndefined()
        expect(idsOf(given).toSorted((a, b) => a - b)).toEqual(
          idsOf(it.emulator.store.contracts).toSorted((a, b) => a - b),
        )
        expect(pages.at(-1)?.summary).toMatchObject({
          complete: true,
          requests: it.emulator.journal.entries.length,
          retries: 0,
        })
        expect(it.elapsed()).toBe(0)
      },
      sound,
      { count: cases },
    )
  })

  it(`with a proof are proven or confirmed, whatever their cursor and order (${cases})`, async () => {
    const states = new Map<string, number>()
    await explore(
      async (it) => {
        const { error, pages } = await it.run(
          readList(it.client.contracts.pages({ ...it.list, prove: true })),
        )
        expect(error?.message).toBeUndefined()
        const { completeness, cursor } = pages.at(-1)!.summary
        states.set(completeness.state, (states.get(completeness.state) ?? 0) + 1)
        // An empty second page shows neither whether the parameter works nor that it does not.
        if (cursor.state === "unverified") expect(completeness.reason).toBe("cursor-unverified")
        else expect(`${completeness.state}: ${completeness.reason}`).toMatch(/^(?:proven|confirmed):/)
      },
      sound,
      { count: cases },
    )
    expect(states.get("proven")).toBeGreaterThan(cases / 10)
    expect(states.get("confirmed")).toBeGreaterThan(0)
  })

  /** Reads the first pages, lets the list change, and resumes from the checkpoint as a file would give it back. */
  const inTwoParts = async (
    it: World,
    list: ListOptions,
    part: number,
    change: () => void,
    then: ListOptions,
  ) => {
    const limited = Stream.take(it.client.contracts.pages({ ...list, readAhead: 0 }), part + 1)
    const first = await it.run(Stream.runCollect(limited))
    const from = JSON.parse(JSON.stringify(first.at(-1)?.checkpoint))
    change()
    const rest = await it.run(readList((await it.another({})).contracts.pages({ ...then, from })))
    const ids = [...first, ...rest.pages].flatMap((page) => idsOf(page.records))
    return { first, rest, ids, summary: (rest.pages.at(-1) ?? first.at(-1))!.summary }
  }

  it(`can be read in two parts as well as in one (${cases})`, async () => {
    await explore(
      async (it) => {
        const unlimited = { ...it.list, limit: undefined }
        const { ids, rest, summary } = await inTwoParts(it, it.list, it.part, () => {}, unlimited)
        expect(rest.error?.message).toBeUndefined()
        const given = it.list.prove === true && summary.resumed?.mayRepeat === true ? [...new Set(ids)] : ids
        expect(given.toSorted((a, b) => a - b)).toEqual(
          idsOf(it.emulator.store.contracts).toSorted((a, b) => a - b),
        )
        expect(summary).toMatchObject({ complete: true, records: ids.length })
      },
      sound,
      { count: cases },
    )
  })

  it("can be resumed with smaller pages, from records that were returned and are not connected yet", async () => {
    const assumptions = { defaultLimit: 1, maximumLimit: 12 }
    const it = await world({ emulator: { assumptions, contracts: 24 } })
    const { ids, rest, summary } = await inTwoParts(it, { limit: 12, prove: true }, 1, () => {}, {
      prove: true,
    })
    expect(rest.error?.message).toBeUndefined()
    expect(new Set(ids)).toEqual(new Set(idsOf(it.emulator.store.contracts)))
    expect(summary.complete).toBe(true)
  })

  it(`that change between two parts give no record twice, or say that they may (${cases})`, async () => {
    let repeats = 0
    await explore(
      async (it) => {
        const change = () => {
          for (let count = 0; count < it.inserted; count++) it.emulator.store.insert()
        }
        const { ids, rest, summary } = await inTwoParts(it, it.list, it.part, change, it.list)
        const resumed = (rest.error?.reading ?? summary).resumed
        const twice = ids.length - new Set(ids).size
        repeats += twice + summary.duplicates + summary.repeats
        if (resumed?.mayRepeat !== true) expect(twice).toBe(0)
        if (rest.pages.length > 0) expect(resumed).not.toBeNull()
      },
      sound,
      { count: cases, seed: 201 },
    )
    // Else no record came again, and the property shows nothing.
    expect(repeats).toBeGreaterThan(0)
  })

  it(`are resumed where every id is known, with the same records and as sure of them (${cases})`, async () => {
    const states = new Map<string, number>()
    await explore(
      async (it) => {
        const list = { ...it.list, prove: true }
        const whole = await it.run(readList(it.client.contracts.pages(list)))
        const open = whole.pages.filter(({ checkpoint }) => checkpoint.next !== null)
        if (open.length === 0) return
        const first = open.slice(0, 1 + (it.cut % open.length))
        const known = idsOf(first.flatMap(({ records }) => records))
        const from: Checkpoint = JSON.parse(JSON.stringify(first.at(-1)!.checkpoint))
        const rest = await it.run(readList((await it.another({})).contracts.pages({ ...list, from, known })))
        expect(rest.error?.message).toBeUndefined()
        expect([...known, ...idsOf(rest.records)]).toEqual(idsOf(whole.records))
        const { completeness, records, resumed } = rest.pages.at(-1)!.summary
        const { state } = whole.pages.at(-1)!.summary.completeness
        states.set(state, (states.get(state) ?? 0) + 1)
        // What is left of the list can show more than the whole did, where it is one page for example.
        if (state === "unverified") return
        expect(completeness.state).toMatch(/^(?:proven|confirmed)$/)
        expect([records, resumed?.mayRepeat]).toEqual([whole.records.length, false])
      },
      sound,
      { count: cases },
    )
    expect(states.get("confirmed")).toBeGreaterThan(0)
  })
})

describe("lookups of many records at services made at random", () => {
  interface Lookups extends Pick<Traits, "assumptions" | "faults" | "client" | "contracts" | "seed"> {
    /** How many ids of the store are looked up, and which other ones. */
    readonly ids: number
    readonly unknown: ReadonlyArray<number>
  }

  const lookUp = async (traits: Partial<Lookups>) => {
    const {
      assumptions = {},
      client = {},
      contracts = 60,
      faults = [],
      ids = 40,
      seed = 1,
      unknown = [],
    } = traits
    const emulator = { assumptions: assumptions as Assumptions, contracts, faults, seed }
    const it = await world({ client, emulator })
    const stored = idsOf(it.emulator.store.contracts)
    const asked = [...stored.slice(0, ids), ...unknown, ...stored.slice(0, 3)].toReversed()
    const looked = await it.run(Effect.result(it.client.contracts.getMany(asked)))
    return { entries: it.emulator.journal.entries, asked, stored: new Set(stored), looked }
  }
  const looking = (traits: (random: Random) => Partial<Traits>) => ({
    draw: (random: Random): Lookups => ({
      ...drawn(random),
      ...traits(random),
      ids: random.integer(0, 60),
      unknown: random.list(5, () => random.integer(900_000, 900_100)),
    }),
    make: lookUp,
  })

  it(`are those of the store, in their order, or a typed error, whatever fails (${cases})`, async () => {
    let found = 0
    await explore(
      async ({ asked, entries, looked, stored }) => {
        if (Result.isFailure(looked)) return expect(looked.failure.message).toMatch(/\.$/)
        expect(looked.success.map(({ id }) => id)).toEqual(asked)
        for (const lookup of looked.success) {
          if (lookup._tag === "Found") {
            found += 1
            expect([lookup.record.id, stored.has(lookup.id)]).toEqual([lookup.id, true])
            continue
          }
          // An unknown id is one that the retrieve form does not know; a fault can say so of a known one.
          const answers = entries.filter(({ query }) => query["id"] === String(lookup.id))
          expect(answers.some(({ status }) => status === 404 || status === 410)).toBe(true)
        }
      },
      looking(() => ({})),
      { count: cases },
    )
    expect(found).toBeGreaterThan(cases)
  })
})

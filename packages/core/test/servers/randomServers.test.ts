import type { EmulatorOptions, Fault, When } from "@deedkit/emulator"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { ClientOptions } from "../../src/call/ClientConfig.ts"
import type { ListOptions } from "../../src/client/Records.ts"
import { flawsOf, idsOf, readList, world } from "../fixtures/Setup.ts"
import type { World } from "../fixtures/Setup.ts"

const cases = Number(process.env["DEEDKIT_CASES"] ?? 300)

type Assumptions = NonNullable<EmulatorOptions["assumptions"]>

/** Small ones as often as large ones: what pages have in common shows on few records first. */
const pageSize = fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 60 }))

/** Services that keep to the specification, or differ in ways that a read tolerates. */
const tolerable: fc.Arbitrary<Assumptions> = fc.record(
  {
    cursorKind: fc.constantFrom("integer", "digits", "string", "bigint"),
    cursorBoundary: fc.constantFrom("exclusive", "inclusive", "next"),
    ordering: fc.constantFrom("descending", "ascending", "random", "updated"),
    ascendingPages: fc.constantFrom("sequence", "newest-first"),
    endSentinel: fc.constantFrom<null | 0 | -1 | "">(null, 0, -1, ""),
    trailingEmptyPage: fc.boolean(),
    defaultLimit: pageSize,
    maximumLimit: pageSize,
    aboveMaximum: fc.constantFrom("clamp", "reject", "allow"),
    unknownParameter: fc.constantFrom("ignore", "reject"),
    malformedStatus: fc.constantFrom(400, 422),
    errorShape: fc.constantFrom("flat", "nested", "list", "problem", "text", "html", "empty"),
    requestIdHeader: fc.constantFrom("x-request-id", "x-correlation-id", null),
    listingWhenNone: fc.constantFrom("null", "absent", "object"),
    unknownMember: fc.boolean(),
    timestampDigits: fc.constantFrom(0, 3, 6),
  },
  { requiredKeys: [] },
)

/** Services that no read can trust. */
const strange: fc.Arbitrary<Assumptions> = fc.record(
  {
    cursorKind: fc.constantFrom("integer", "string", "bigint", "object"),
    cursorParameter: fc.constantFrom("before_id", "before", "cursor", "page_token", "nobody_knows"),
    endSentinel: fc.constantFrom<null | 0 | "" | "missing">(null, 0, "", "missing"),
    malformedCursor: fc.constantFrom("reject", "ignore"),
    limitSupported: fc.boolean(),
    defaultLimit: fc.integer({ min: 1, max: 30 }),
    maximumLimit: fc.integer({ min: 1, max: 30 }),
  },
  { requiredKeys: [] },
)

const when: fc.Arbitrary<When> = fc.oneof(
  fc.constant({}),
  fc.record({ page: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ every: fc.integer({ min: 2, max: 5 }) }),
  fc.record({ requests: fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 }) }),
  fc.record({ probability: fc.double({ min: 0.05, max: 0.6, noNaN: true }) }),
)

const retryAfter = fc.constantFrom(null, 0, 1, 7, 70, 4_000, "date", "past-date", "rubbish")
const size = fc.integer({ min: 1, max: 6 })
const named = <const Name extends Fault["name"]>(name: Name) => fc.constant(name)

/** Changes of the store are left out: then there is no list that a read could be compared with. */
const fault: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({ name: named("rate-limit"), when, retryAfter }),
  fc.record({ name: named("storm"), when, retryAfter, ms: fc.integer({ min: 1, max: 90_000 }) }),
  fc.record({ name: named("quota"), limit: size, windowMs: fc.integer({ min: 500, max: 20_000 }) }),
  fc.record({ name: named("burst"), when, count: size, retryAfter }),
  fc.record({ name: named("server-error"), when, status: fc.constantFrom(500, 501, 502, 503, 504) }),
  fc.record({ name: named("status"), when, code: fc.constantFrom(204, 304, 400, 404, 408, 409, 418, 422) }),
  fc.record({ name: named("latency"), when, ms: fc.integer({ min: 0, max: 40_000 }) }),
  fc.record({ name: named("cut"), when, fraction: fc.double({ min: 0, max: 1, noNaN: true }) }),
  fc.record({ name: named("truncated-json"), when, fraction: fc.double({ min: 0, max: 1, noNaN: true }) }),
  fc.record({
    name: named("invalid-json"),
    when,
    form: fc.constantFrom("two-documents", "single-quotes", "empty"),
  }),
  fc.record({ name: named("stall"), when, bytes: fc.integer({ min: 0, max: 3_000 }), head: fc.boolean() }),
  fc.record({ name: named("slow"), when, bytesPerSecond: fc.integer({ min: 200, max: 50_000 }) }),
  fc.record({
    name: named("huge"),
    when,
    bytes: fc.constantFrom(1_000, 60_000),
    form: fc.constantFrom("valid", "rubbish"),
  }),
  fc.record({ name: named("ok-false"), when, form: fc.constantFrom("false", "missing", "text") }),
  fc.record({ name: named("empty-page"), when, count: size }),
  fc.record({ name: named("duplicate"), when, count: size }),
  fc.record({ name: named("missing-field"), when, field: fc.constantFrom("id", "status", "listing.city") }),
  fc.record({ name: named("wrong-type"), when, field: fc.constantFrom("kind", "template_id", "updated_at") }),
  fc.record({ name: named("odd-timestamp"), when, form: fc.constantFrom("offset", "space", "rubbish") }),
  fc.record({ name: named("key-revoked"), from: fc.integer({ min: 1, max: 12 }) }),
  fc.record({
    name: fc.constantFrom(
      ...([
        "drop",
        "not-json",
        "html-error",
        "redirect",
        "wrong-form",
        "unknown-status",
        "null-listing",
      ] as const),
      ...(["missing-next", "cursor-ignored", "cursor-inclusive", "cursor-constant", "cursor-cycle"] as const),
      ...(["cursor-renamed", "scope-missing"] as const),
    ),
    when,
  }),
) as fc.Arbitrary<Fault>

const listOptions: fc.Arbitrary<ListOptions> = fc.record(
  {
    limit: fc.oneof(pageSize, fc.integer({ min: 1, max: 200 })),
    onRejected: fc.constantFrom("fail", "collect"),
    readAhead: fc.constantFrom(0, 1),
    prove: fc.boolean(),
    cursorVerified: fc.boolean(),
  },
  { requiredKeys: [] },
)

/** Where a page holds one record, a cursor leads nowhere that names a record which comes again, or none that follows. */
const leadsOn = (
  { cursorBoundary, defaultLimit, maximumLimit, trailingEmptyPage }: Partial<Assumptions>,
  { limit }: ListOptions,
): boolean => {
  const isCircle = cursorBoundary === "inclusive" || (cursorBoundary === "next" && trailingEmptyPage === true)
  return !isCircle || Math.min(limit ?? 2, defaultLimit ?? 2, maximumLimit ?? 2) > 1
}
const clientOptions: fc.Arbitrary<Partial<ClientOptions>> = fc.record({
  cursorParam: fc.constantFrom("before_id", "auto"),
  retry: fc.constantFrom("interactive", "patient"),
  rate: fc.constantFrom(0, 5, undefined),
  maxBodyBytes: fc.constant(50_000),
})

const records = fc.integer({ min: 0, max: 90 })
const seed = fc.integer({ min: 1, max: 1_000 })

/** No call waits longer: six attempts, each with its limit and the longest wait that an export allows. */
const longestCallMillis = 6 * (30_000 + 15 * 60_000 + 1_000)

describe("services made at random", () => {
  it(`give every record once and a complete read, or a typed error and an incomplete summary (${cases})`, async () => {
    let complete = 0
    const property = fc.asyncProperty(
      fc.oneof(tolerable, strange),
      fc.array(fault, { maxLength: 3 }),
      clientOptions,
      listOptions,
      records,
      seed,
      async (assumptions, faults, client, list, contracts, ownSeed) => {
        const it = await world({
          client,
          emulator: { assumptions, faults, contracts, seed: ownSeed },
        })
        const outcome = await it.run(readList(it.client.contracts.pages(list)))
        expect(flawsOf(outcome, idsOf(it.emulator.store.contracts))).toEqual([])
        if (outcome.error === null) complete += 1
        expect(it.elapsed()).toBeLessThanOrEqual((it.emulator.journal.entries.length + 1) * longestCallMillis)
      },
    )
    await fc.assert(property, { numRuns: cases })
    expect(complete).toBeGreaterThan(cases / 10)
    expect(complete).toBeLessThan(cases)
  })

  it(`are read to their end whenever they do nothing but what the specification leaves open (${cases})`, async () => {
    const property = fc.asyncProperty(
      tolerable,
      listOptions,
      records,
      seed,
      async (assumptions, list, contracts, ownSeed) => {
        fc.pre(leadsOn(assumptions, list))
        const it = await world({ emulator: { assumptions, contracts, seed: ownSeed } })
        const { error, pages, records: given } = await it.run(readList(it.client.contracts.pages(list)))
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
    )
    await fc.assert(property, { numRuns: cases })
  })

  it(`with a proof are proven or confirmed, whatever their cursor and order (${cases})`, async () => {
    const states = new Map<string, number>()
    const property = fc.asyncProperty(
      tolerable,
      listOptions,
      records,
      seed,
      async (assumptions, list, contracts, ownSeed) => {
        fc.pre(leadsOn(assumptions, list))
        const it = await world({ emulator: { assumptions, contracts, seed: ownSeed } })
        const { error, pages } = await it.run(readList(it.client.contracts.pages({ ...list, prove: true })))
        expect(error?.message).toBeUndefined()
        const { completeness, cursor } = pages.at(-1)!.summary
        states.set(completeness.state, (states.get(completeness.state) ?? 0) + 1)
        // An empty second page shows neither whether the parameter works nor that it does not.
        if (cursor.state === "unverified") expect(completeness.reason).toBe("cursor-unverified")
        else expect(`${completeness.state}: ${completeness.reason}`).toMatch(/^(?:proven|confirmed):/)
      },
    )
    await fc.assert(property, { numRuns: cases })
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
    const property = fc.asyncProperty(
      tolerable,
      listOptions,
      records,
      seed,
      fc.integer({ min: 0, max: 5 }),
      async (assumptions, list, contracts, ownSeed, part) => {
        fc.pre(leadsOn(assumptions, list))
        const it = await world({ emulator: { assumptions, contracts, seed: ownSeed } })
        const unlimited = { ...list, limit: undefined }
        fc.pre(leadsOn(assumptions, unlimited))
        const { ids, rest, summary } = await inTwoParts(it, list, part, () => {}, unlimited)
        expect(rest.error?.message).toBeUndefined()
        const given = list.prove === true && summary.resumed?.mayRepeat === true ? [...new Set(ids)] : ids
        expect(given.toSorted((a, b) => a - b)).toEqual(
          idsOf(it.emulator.store.contracts).toSorted((a, b) => a - b),
        )
        expect(summary).toMatchObject({ complete: true, records: ids.length })
      },
    )
    await fc.assert(property, { numRuns: cases })
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
    const property = fc.asyncProperty(
      tolerable,
      listOptions,
      records,
      seed,
      fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 1, max: 40 })),
      async (assumptions, list, contracts, ownSeed, [part, inserted]) => {
        fc.pre(leadsOn(assumptions, list))
        const it = await world({ emulator: { assumptions, contracts, seed: ownSeed } })
        const change = () => {
          for (let count = 0; count < inserted; count++) it.emulator.store.insert()
        }
        const { ids, rest, summary } = await inTwoParts(it, list, part, change, list)
        const resumed = (rest.error?.reading ?? summary).resumed
        const twice = ids.length - new Set(ids).size
        repeats += twice
        if (resumed?.mayRepeat !== true) expect(twice).toBe(0)
        if (rest.pages.length > 0) expect(resumed).not.toBeNull()
      },
    )
    await fc.assert(property, { numRuns: cases })
    // Else the property shows nothing.
    expect(repeats).toBeGreaterThan(0)
  })

  it(`are resumed from a recording that was cut at any page as if they had never stopped (${cases})`, async () => {
    const property = fc.asyncProperty(
      tolerable,
      listOptions,
      records,
      seed,
      fc.integer({ min: 1, max: 30 }),
      async (assumptions, list, contracts, ownSeed, cut) => {
        fc.pre(leadsOn(assumptions, list))
        const it = await world({ emulator: { assumptions, contracts, seed: ownSeed } })
        const whole = await it.run(readList(it.client.contracts.pages({ ...list, record: true })))
        const rest = whole.pages.slice(0, cut).flatMap(({ recorded }) => recorded ?? [])
        const { checkpoint, summary } = whole.pages[0]!
        const next = Effect.sync(() => rest.shift() ?? null)
        const recording = { ...checkpoint, startedAt: summary.startedAt, next }
        const later = (await it.another({})).contracts.pages({ ...list, record: true, recording })
        const again = await it.run(readList(later))
        expect(again.error?.message).toBeUndefined()
        // Where the first page had to be asked for again to decide, the evidence is that it was recorded.
        const lastOf = ({ pages }: typeof whole) => {
          const { cursor, ...summary } = pages.at(-1)!.summary
          return { ...summary, resumed: null, cursor: { ...cursor, evidence: null } }
        }
        expect(lastOf(again)).toEqual(lastOf(whole))
        expect(idsOf(again.records)).toEqual(idsOf(whole.records))
      },
    )
    await fc.assert(property, { numRuns: cases })
  })
})

import type { EmulatorOptions, Fault, When } from "@deedkit/emulator"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { ClientOptions } from "../src/ClientConfig.ts"
import type { ListOptions } from "../src/Records.ts"
import { flawsOf, idsOf, walked, world } from "./Setup.ts"

const cases = Number(process.env["DEEDKIT_CASES"] ?? 300)

type Assumptions = NonNullable<EmulatorOptions["assumptions"]>

/** Services that keep to the specification, or differ in ways that a walk tolerates. */
const tolerable: fc.Arbitrary<Assumptions> = fc.record(
  {
    cursorKind: fc.constantFrom("integer", "digits", "string", "bigint"),
    cursorBoundary: fc.constantFrom("exclusive", "inclusive", "next"),
    ordering: fc.constantFrom("descending", "ascending", "random", "updated"),
    ascendingPages: fc.constantFrom("sequence", "newest-first"),
    endSentinel: fc.constantFrom<null | 0 | -1 | "">(null, 0, -1, ""),
    trailingEmptyPage: fc.boolean(),
    defaultLimit: fc.integer({ min: 10, max: 60 }),
    maximumLimit: fc.integer({ min: 10, max: 60 }),
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

/** Services that no walk can trust. */
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

/** Changes of the store are left out: then there is no list that a walk could be compared with. */
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
    limit: fc.integer({ min: 10, max: 200 }),
    onInvalid: fc.constantFrom("fail", "collect"),
    readAhead: fc.constantFrom(0, 1),
  },
  { requiredKeys: [] },
)
const clientOptions: fc.Arbitrary<Partial<ClientOptions>> = fc.record({
  cursorParam: fc.constantFrom("before_id", "auto"),
  policy: fc.constantFrom("interactive", "export"),
  rate: fc.constantFrom(0, 5, undefined),
  maxBodyBytes: fc.constant(50_000),
})

const records = fc.integer({ min: 0, max: 90 })
const seed = fc.integer({ min: 1, max: 1_000 })

/** No call waits longer: six attempts, each with its limit and the longest wait that an export allows. */
const longestCallMillis = 6 * (30_000 + 15 * 60_000 + 1_000)

describe("services made at random", () => {
  it(`give every record once and a complete walk, or a typed error and an incomplete summary (${cases})`, async () => {
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
        const outcome = await it.run(walked(it.client.contracts.pages(list)))
        expect(flawsOf(outcome, idsOf(it.emulator.store.contracts))).toEqual([])
        if (outcome.error === null) complete += 1
        expect(it.elapsed()).toBeLessThanOrEqual((it.emulator.journal.entries.length + 1) * longestCallMillis)
      },
    )
    await fc.assert(property, { numRuns: cases })
    expect(complete).toBeGreaterThan(cases / 10)
    expect(complete).toBeLessThan(cases)
  })

  it(`are walked to their end whenever they do nothing but what the specification leaves open (${cases})`, async () => {
    const property = fc.asyncProperty(
      tolerable,
      listOptions,
      records,
      seed,
      async (assumptions, list, contracts, ownSeed) => {
        const it = await world({ emulator: { assumptions, contracts, seed: ownSeed } })
        const { error, pages, records: given } = await it.run(walked(it.client.contracts.pages(list)))
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

  it(`can be walked in two parts as well as in one (${cases})`, async () => {
    const property = fc.asyncProperty(
      tolerable,
      listOptions,
      records,
      seed,
      fc.integer({ min: 0, max: 5 }),
      async (assumptions, list, contracts, ownSeed, part) => {
        const it = await world({ emulator: { assumptions, contracts, seed: ownSeed } })
        const whole = await it.run(walked(it.client.contracts.pages(list)))
        expect(whole.error?.message).toBeUndefined()
        const first = whole.pages.slice(0, Math.min(part + 1, whole.pages.length))
        const from = JSON.parse(JSON.stringify(first.at(-1)?.checkpoint))
        const later = await it.another({})
        const unlimited = { ...list, limit: undefined }
        const rest = await it.run(walked(later.contracts.pages({ ...unlimited, from })))
        expect(rest.error?.message).toBeUndefined()
        const ids = [...first, ...rest.pages].flatMap((page) => idsOf(page.records))
        expect(ids.toSorted((a, b) => a - b)).toEqual(
          idsOf(it.emulator.store.contracts).toSorted((a, b) => a - b),
        )
      },
    )
    await fc.assert(property, { numRuns: cases })
  })
})

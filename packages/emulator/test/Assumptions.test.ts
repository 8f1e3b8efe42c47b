import { InvalidSetting, make } from "@deedkit/emulator"
import type { Assumptions } from "@deedkit/emulator"
import { describe, expect, it } from "vitest"
import { fromText, table } from "../src/Assumptions.ts"
import { ask, idsOf, read, statusOf, storeIds, reading } from "./asking.ts"

const emulator = (assumptions: Partial<Assumptions>, contracts = 25) => make({ contracts, assumptions })
const first = "/v1/contracts/?limit=3"

describe("the table of assumptions", () => {
  it("cites the specification in every entry and gives a default that it accepts itself", () => {
    for (const setting of Object.values(table)) {
      expect(setting.about).toMatch(/Spec: [A-Z]/)
      expect(setting.accept(setting.default)).toEqual(setting.default)
      expect(setting.accept(String(setting.default))).toEqual(setting.default)
    }
  })

  it("is read from name=value texts", () => {
    expect(
      fromText(["ordering=random", "endSentinel=-1", "requestIdHeader=null", "trailingEmptyPage=true"]),
    ).toEqual({
      ordering: "random",
      endSentinel: -1,
      requestIdHeader: null,
      trailingEmptyPage: true,
    })
    expect(fromText(["endSentinel="])).toEqual({ endSentinel: "" })
  })

  it("refuses unknown names and values with a sentence that helps", () => {
    expect(() => fromText(["ordring=random"])).toThrow(
      'there is no assumption "ordring"; did you mean "ordering"?',
    )
    expect(() => fromText(["ordering=up"])).toThrow("it takes descending | ascending | random | updated")
    expect(() => fromText(["ordering"])).toThrow("name=value")
    expect(() => emulator({ maximumLimit: 0 })).toThrow(InvalidSetting)
  })
})

describe("the cursor", () => {
  it("is before_id, the id of the last record, unless told otherwise", async () => {
    const page = await read(emulator({}), first)
    expect(page.next_before_id).toBe(page.items.at(-1)?.id)
  })

  it("is read from cursorParameter alone", async () => {
    const one = emulator({ cursorParameter: "page_token" })
    expect(idsOf(await reading(one, { parameter: "page_token" }))).toEqual(storeIds(one))
    expect(idsOf(await reading(one, { parameter: "before_id", atMost: 2 }))).toEqual([
      ...storeIds(one).slice(0, 10),
      ...storeIds(one).slice(0, 10),
    ])
  })

  it.each(["integer", "digits", "string"] as const)(
    "reads everything once with the kind %s",
    async (cursorKind) => {
      const one = emulator({ cursorKind })
      const pages = await reading(one)
      expect(idsOf(pages)).toEqual(storeIds(one))
      expect(typeof pages[0]?.next_before_id).toBe(cursorKind === "integer" ? "number" : "string")
    },
  )

  it("is a number that no double holds with the kind bigint, and refuses the rounded one", async () => {
    const one = emulator({ cursorKind: "bigint" })
    const text = await (await ask(one, first)).text()
    const exact = /"next_before_id":(\d+)\}/.exec(text)?.[1] ?? ""
    expect(exact).toMatch(/^9007199254\d{6}$/)
    expect(String(Number(exact))).not.toBe(exact)
    expect(idsOf([await read(one, `${first}&before_id=${exact}`)])).toEqual(storeIds(one).slice(3, 6))
    expect(await statusOf(one, `${first}&before_id=${Number(exact)}`)).toBe(400)
  })

  it("is the number of records before the next page with the kind position, so that a record which moves up is missed", async () => {
    const one = emulator({ cursorKind: "position" })
    expect((await read(one, first)).next_before_id).toBe(3)
    expect(idsOf(await reading(one))).toEqual(storeIds(one))
    const ids = storeIds(one)
    one.store.remove(ids[0]!)
    expect(idsOf([await read(one, `${first}&before_id=3`)])).toEqual(ids.slice(4, 7))
    expect((await read(one, `${first}&before_id=999`)).items).toEqual([])
  })

  it("is an object with the kind object", async () => {
    const page = await read(emulator({ cursorKind: "object" }), first)
    expect(page.next_before_id).toEqual({ id: page.items[2]?.id })
  })

  it("repeats the border record with cursorBoundary inclusive", async () => {
    const one = emulator({ cursorBoundary: "inclusive" })
    const [page1, page2] = await reading(one, { atMost: 2 })
    expect(page2?.items[0]).toEqual(page1?.items.at(-1))
  })

  it("names the first record of the next page with cursorBoundary next", async () => {
    const one = emulator({ cursorBoundary: "next" })
    const [page1, page2] = await reading(one, { atMost: 2 })
    expect(page1?.next_before_id).toBe(page2?.items[0]?.id)
    expect(idsOf(await reading(one))).toEqual(storeIds(one))
  })

  it.each([
    ["reject", 400],
    ["ignore", 200],
  ] as const)(
    "is answered with malformedCursor %s by %d when it cannot be read",
    async (malformedCursor, status) => {
      expect(await statusOf(emulator({ malformedCursor }), `${first}&before_id=rubbish`)).toBe(status)
    },
  )

  it("under another name is ignored, or refused with unknownParameter reject", async () => {
    const ignoring = emulator({})
    expect(idsOf([await read(ignoring, `${first}&after=1020`)])).toEqual(storeIds(ignoring).slice(0, 3))
    const rejecting = emulator({ unknownParameter: "reject" })
    expect(await statusOf(rejecting, `${first}&after=1020`)).toBe(400)
    expect(await statusOf(rejecting, `${first}&before_id=1020`)).toBe(200)
  })
})

describe("the end of a read", () => {
  it.each([[null], [0], [-1], [""]] as const)("is %j when endSentinel is", async (endSentinel) => {
    const page = await read(emulator({ endSentinel }, 2), first)
    expect(page.next_before_id).toBe(endSentinel)
  })

  it("has no member with endSentinel missing", async () => {
    expect(await read(emulator({ endSentinel: "missing" }, 2), first)).not.toHaveProperty("next_before_id")
  })

  it("is an empty page after a full one with trailingEmptyPage", async () => {
    const counts = async (trailingEmptyPage: boolean, contracts: number) =>
      (await reading(emulator({ trailingEmptyPage }, contracts))).map((page) => page.items.length)
    expect(await counts(false, 20)).toEqual([10, 10])
    expect(await counts(true, 20)).toEqual([10, 10, 0])
    expect(await counts(true, 21)).toEqual([10, 10, 1])
    expect(await counts(true, 0)).toEqual([0])
  })
})

describe("the order of items", () => {
  const ids = async (assumptions: Partial<Assumptions>) => {
    const one = emulator(assumptions)
    const readList = idsOf(await reading(one))
    expect(readList.toSorted((a, b) => a - b)).toEqual(storeIds(one).toSorted((a, b) => a - b))
    return readList
  }

  it("goes down or up by id", async () => {
    const down = await ids({ ordering: "descending" })
    expect(down).toEqual(down.toSorted((a, b) => b - a))
    expect(await ids({ ordering: "ascending" })).toEqual(down.toReversed())
  })

  it("is a shuffle with random, the same for the same seed", async () => {
    const shuffled = await ids({ ordering: "random" })
    expect(shuffled).not.toEqual(shuffled.toSorted((a, b) => a - b))
    expect(await ids({ ordering: "random" })).toEqual(shuffled)
  })

  it("begins with the latest update with updated", async () => {
    const times = (await reading(emulator({ ordering: "updated" }))).flatMap((page) =>
      page.items.map((item) => String(item["updated_at"])),
    )
    expect(times).toEqual(times.toSorted().toReversed())
  })

  it("turns each page round, newest page first, with ascendingPages newest-first", async () => {
    const one = emulator({ ordering: "ascending", ascendingPages: "newest-first" })
    const pages = await reading(one)
    const highest = Math.max(...storeIds(one))
    expect(pages[0]?.items.at(-1)?.id).toBe(highest)
    for (const page of pages) {
      const inPage = idsOf([page])
      expect(inPage).toEqual(inPage.toSorted((a, b) => a - b))
    }
    expect(new Set(idsOf(pages)).size).toBe(25)
    expect(pages[0]?.next_before_id).toBe(pages[0]?.items[0]?.id)
  })
})

describe("limit", () => {
  it("has a default and a maximum", async () => {
    const one = emulator({ defaultLimit: 7, maximumLimit: 9 })
    expect((await read(one, "/v1/contracts/")).items).toHaveLength(7)
    expect((await read(one, "/v1/contracts/?limit=9")).items).toHaveLength(9)
  })

  it("above the maximum is clamped, refused or allowed", async () => {
    const path = "/v1/contracts/?limit=20"
    expect((await read(emulator({ maximumLimit: 9 }), path)).items).toHaveLength(9)
    expect(await statusOf(emulator({ maximumLimit: 9, aboveMaximum: "reject" }), path)).toBe(400)
    expect((await read(emulator({ maximumLimit: 9, aboveMaximum: "allow" }), path)).items).toHaveLength(20)
  })

  it.each(["0", "-1", "1.5", "abc", "", "1e1"])("of %j is refused with malformedStatus", async (limit) => {
    expect(await statusOf(emulator({ malformedStatus: 422 }), `/v1/contracts/?limit=${limit}`)).toBe(422)
  })

  it("is not read without limitSupported, and refused then with unknownParameter reject", async () => {
    expect((await read(emulator({ limitSupported: false }), first)).items).toHaveLength(25)
    expect(await statusOf(emulator({ limitSupported: false, unknownParameter: "reject" }), first)).toBe(400)
  })
})

describe("errors", () => {
  it.each([
    ["flat", "application/json", /^\{"ok":false,"error":"not_found","message":/],
    ["nested", "application/json", /^\{"ok":false,"error":\{"code":"not_found"/],
    ["list", "application/json", /^\{"errors":\[\{"code":"not_found"/],
    ["problem", "application/problem+json", /^\{"type":"about:blank","title":"not_found","status":404/],
    ["text", "text/plain", /^There is no record 1\.$/],
    ["html", "text/html", /^<!doctype html>/],
    ["empty", null, /^$/],
  ] as const)("have the shape %s", async (errorShape, contentType, body) => {
    const answer = await ask(emulator({ errorShape }), "/v1/contracts/?id=1")
    expect(answer.status).toBe(404)
    expect(answer.headers.get("content-type")?.split(";")[0] ?? null).toBe(contentType)
    expect(await answer.text()).toMatch(body)
  })

  it("have the statuses that are assumed", async () => {
    const one = emulator({
      missingKeyStatus: 403,
      wrongKeyStatus: 404,
      revokedKeyStatus: 410,
      missingScopeStatus: 402,
      unknownIdStatus: 410,
      malformedStatus: 422,
      wrongMethodStatus: 404,
    })
    expect(await statusOf(one, first, null)).toBe(403)
    expect(await statusOf(one, first, "no-such-key")).toBe(404)
    expect(await statusOf(one, first, one.secrets.revoked)).toBe(410)
    expect(await statusOf(one, first, one.secrets.keysOnly)).toBe(402)
    expect(await statusOf(one, "/v1/contracts/?id=1")).toBe(410)
    expect(await statusOf(one, "/v1/contracts/?id=x")).toBe(422)
    expect((await one.fetch("http://emulator.test/v1/contracts/", { method: "POST" })).status).toBe(404)
  })
})

describe("headers", () => {
  it("name the request under requestIdHeader on success and on error, or not at all", async () => {
    const one = emulator({ requestIdHeader: "x-correlation-id" })
    const good = (await ask(one, first)).headers.get("x-correlation-id")
    const bad = (await ask(one, first, null)).headers.get("x-correlation-id")
    expect([good, bad]).toEqual(one.journal.entries.map((entry) => entry.requestId))
    expect(good).not.toBe(bad)
    const silent = await ask(emulator({ requestIdHeader: null }), first)
    expect([...silent.headers.keys()].filter((name) => name.includes("id"))).toEqual([])
  })

  it("tell what is left of the rate in the assumed family", async () => {
    const none = await ask(emulator({}), first)
    expect([...none.headers.keys()].filter((name) => name.includes("ratelimit"))).toEqual([])
    const one = emulator({ rateLimitHeaders: "x-ratelimit", rateLimit: 5 })
    await ask(one, first)
    const second = await ask(one, first)
    expect(second.headers.get("x-ratelimit-limit")).toBe("5")
    expect(second.headers.get("x-ratelimit-remaining")).toBe("3")
    const plain = await ask(emulator({ rateLimitHeaders: "ratelimit" }), first)
    expect(plain.headers.get("ratelimit-remaining")).toBe("119")
  })
})

describe("/v1/me/", () => {
  it.each([
    ["account", ["ok", "account", "user", "scopes"]],
    ["user", ["ok", "user"]],
    ["key", ["ok", "api_key"]],
    ["flat", ["ok", "id", "name", "email"]],
    ["bare", ["ok"]],
  ] as const)("has the shape %s", async (meShape, members) => {
    expect(Object.keys(await read(emulator({ meShape }), "/v1/me/"))).toEqual(members)
  })

  it("requires meScope, or any key", async () => {
    const strict = emulator({})
    expect(await statusOf(strict, "/v1/me/", strict.secrets.contractsOnly)).toBe(403)
    const open = emulator({ meScope: null })
    expect(await statusOf(open, "/v1/me/", open.secrets.noScopes)).toBe(200)
  })
})

describe("records", () => {
  it("carry the payload under payloadMember, on the retrieve form with include_data=1 alone", async () => {
    const one = emulator({ payloadMember: "contract_data" })
    const [contract] = one.store.contracts
    if (contract === undefined) throw new Error("the store is empty")
    const path = `/v1/contracts/?id=${contract.id}`
    expect((await read(one, path)).contract).toEqual(contract)
    expect((await read(one, `${path}&include_data=0`)).contract).toEqual(contract)
    expect((await read(one, `${path}&include_data=1`)).contract).toEqual({
      ...contract,
      contract_data: one.store.payloadOf(contract),
    })
    expect((await read(one, `${first}&include_data=1`)).items[0]).toEqual(contract)
  })

  it("say what listing is when there is none", async () => {
    const without = async (listingWhenNone: Assumptions["listingWhenNone"]) => {
      const pages = await reading(emulator({ listingWhenNone }, 100), { limit: 100 })
      const found = pages[0]?.items.find((item) => item["listing_id"] === null)
      expect(found).toBeDefined()
      return found ?? {}
    }
    expect(await without("null")).toHaveProperty("listing", null)
    expect(await without("absent")).not.toHaveProperty("listing")
    expect(await without("object")).toHaveProperty("listing", {
      id: 0,
      slug: "",
      title: "",
      city: "",
      area: "",
    })
  })

  it("carry a member that no table names with unknownMember", async () => {
    expect((await read(emulator({}), first)).items[0]).not.toHaveProperty("internal_reference")
    expect((await read(emulator({ unknownMember: true }), first)).items[0]).toHaveProperty(
      "internal_reference",
    )
  })

  it.each([
    [0, /:\d\dZ$/],
    [3, /:\d\d\.\d{3}Z$/],
    [6, /:\d\d\.\d{6}Z$/],
  ] as const)("have %d digits of a second's fraction", async (timestampDigits, form) => {
    const [item] = (await read(emulator({ timestampDigits }), first)).items
    expect(item?.["created_at"]).toMatch(form)
    expect(item?.["updated_at"]).toMatch(form)
  })
})

describe("the path", () => {
  it.each([
    ["required", 404],
    ["optional", 200],
    ["redirect", 301],
  ] as const)("without its last slash is answered with %s by %d", async (trailingSlash, status) => {
    const answer = await ask(emulator({ trailingSlash }), "/v1/contracts?limit=1")
    expect(answer.status).toBe(status)
    expect(answer.headers.get("location")).toBe(
      trailingSlash === "redirect" ? "http://emulator.test/v1/contracts/?limit=1" : null,
    )
  })
})

describe("touchesLastUsed", () => {
  it("writes the used key's last_used_at, and only then", async () => {
    const keyOf = (one: ReturnType<typeof emulator>) => one.store.keyOf(one.apiKey)?.last_used_at
    const quiet = emulator({})
    const before = keyOf(quiet)
    await ask(quiet, first)
    expect(keyOf(quiet)).toBe(before)
    const clock = { now: () => Date.UTC(2030, 0, 1), sleep: async () => {} }
    const touching = make({ clock, assumptions: { touchesLastUsed: true } })
    await ask(touching, first)
    expect(keyOf(touching)).toBe("2030-01-01T00:00:00Z")
  })
})

import { Contract } from "@deedkit/core"
import type { ApiKey } from "@deedkit/core"
import * as fc from "fast-check"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import * as Filter from "../../src/table/Filter.ts"
import { apiKeys } from "../../src/tables/ApiKeys.ts"
import { contracts } from "../../src/tables/Contracts.ts"

const contract: Contract.Contract = {
  id: 1204,
  listing_id: 31,
  kind: "rent",
  status: "active",
  created_at: "2026-01-31T23:59:59Z",
  updated_at: "2026-03-01T09:30:15.250Z",
  unit_id: 9007199254740993n,
  unit_label: "",
  template_id: 3,
  listing: { id: 31, slug: "sea-view", title: "Sea view = nice", city: "Athens", area: "Koukaki" },
}

const { listing: _, ...withoutListing } = contract
const bare: Contract.Contract = {
  ...withoutListing,
  id: 1205,
  listing_id: null,
  unit_id: null,
  listing: null,
}

const key: ApiKey.ApiKey = {
  id: 14,
  name: "Books",
  scopes: ["read:contracts", "read:me"],
  created_at: "2026-01-01T00:00:00Z",
  last_used_at: null,
  revoked_at: null,
}

const keeps = (record: Contract.Contract, ...texts: ReadonlyArray<string>): boolean =>
  Result.getOrThrow(Filter.parse(contracts, texts)).keeps(record)

const error = (...texts: ReadonlyArray<string>): string => {
  const parsed = Filter.parse(contracts, texts)
  return Result.isFailure(parsed) ? parsed.failure.message : "no error"
}

const now = Date.parse("2026-03-02T12:00:00Z")
const keepsNow = (text: string): boolean =>
  Result.getOrThrow(Filter.parse(contracts, [text], now)).keeps(contract)

describe("a condition with several values", () => {
  it.each([
    ["status=active,draft", true],
    ["status=draft, active", true],
    ["status=draft,ended", false],
    ["status!=draft,ended", true],
    ["status!=active,ended", false],
    ["status in (draft, 'active')", true],
    ["status NOT IN active,draft", false],
    ["id in 1203,1204", true],
    ["id=1200..1204", true],
    ["id=1205..", false],
    ["id=..1203", false],
    ["id!=1..9", true],
    ["created_at=2025-06..2026-01", true],
    ["created_at=2026-02..2026-03", false],
    ["created_at=2026-01,2026-05", true],
    ["created_at between 2026-01-31 and 2026-01-31", true],
    ["title like %view%", true],
    ["title like sea%", true],
    ["title like '%view'", false],
    ["title like view%", false],
    ["city like A_hens", true],
    ["city like A_ens", false],
    ["city like athens", true],
    ["city not like Ath%", false],
    ["city not like %z%", true],
    ["title~*view*", true],
    ["title~.*view.*", true],
    ["city~^ath", true],
    ["city~^thens", false],
    ["city~ens$", true],
    ["city~athe$", false],
    ["city~^Athens$", true],
    ["title~^Sea view = nic$", false],
    ["unit_label~^", false],
    ["city='Athens'", true],
    ["unit_label is null", true],
    ["city is not null", true],
    ["city is null", false],
    ["status=active|draft", true],
    ["status!=active|draft", false],
    ["status=[draft,active]", true],
    ["status in [draft]", false],
    ["city is empty", false],
    ["city not empty", true],
    ["city is not blank", true],
    ["unit_label is empty", true],
    ["city ilike ath%", true],
    ["city matches ^ath", true],
    ["updated_at within 7 days", true],
    ["updated_at in last 7 days", true],
    ["updated_at>last 7 days", true],
    ["updated_at>=last 7 days", true],
    ["updated_at<last 7 days", false],
    ["created_at>last 7 days", false],
    ["updated_at older than 30d", false],
    ["updated_at is newer than 30d", true],
    ["updated_at > '2026-03-01'", false],
    ['id >= "1204"', true],
    ["created_at=Jan 2026", true],
    ["status is active", true],
    ["status is not active", false],
    ["status not active", false],
    ["status is in draft,active", true],
    ["status eq active", true],
    ["status equals draft", false],
    ["status ne draft", true],
    ["id gte 1204", true],
    ["id lt 1204", false],
    ["id is not less than 1204", true],
    ["id<>1204", false],
    ["status===active", true],
    ["status!==active", false],
    ["status:active", true],
    ["updated_at:2026-03-01T09:30", true],
    ["city~=ath", true],
    ["city!~ath", false],
    ["city!~=zzz", true],
    ["city contains THE", true],
    ["city does not contain the", false],
    ["city starts with ath", true],
    ["city startswith thens", false],
    ["city does not start with ath", false],
    ["city ends with ENS", true],
    ["title contains = n", true],
    ["created_at before 2026-02", true],
    ["created_at after 2026-02", false],
    ["updated_at since 2026-03-01", true],
    ["Updated (UTC)>=2026-03", true],
    ["created_at between 2 months ago and last week", true],
  ])("%s", (text, expected) => {
    expect(keepsNow(text)).toBe(expected)
  })

  it("takes a text that has a comma itself", () => {
    const label = { ...contract, unit_label: "Flat 2, left" }
    expect(keeps(label, "unit_label=Flat 2, left")).toBe(true)
    expect(keeps(label, "unit_label!=Flat 2, left")).toBe(false)
    expect(keeps(label, "unit_label=Flat 2,right")).toBe(false)
  })

  it("is refused with the first value that is none", () => {
    expect(error("id=1,x")).toContain("it takes a number")
    expect(error("created_at=2026..soon")).toContain("it takes a date or time")
    expect(error("id>1..2")).toContain("it takes a number")
  })
})

describe("a time before now", () => {
  it.each([
    ["updated_at>7d", true],
    ["updated_at<7d", false],
    ["updated_at>27h", true],
    ["updated_at>=1d", false],
    ["updated_at=yesterday", true],
    ["updated_at=today", false],
    ["updated_at>=yesterday", true],
    ["updated_at<now", true],
    ["updated_at=2d..1d", true],
    ["created_at=29d..today", false],
  ])("%s", (text, expected) => {
    expect(keepsNow(text)).toBe(expected)
  })
})

describe("a filter", () => {
  it("keeps everything when there is not a condition", () => {
    expect(keeps(contract)).toBe(true)
    expect(Result.getOrThrow(Filter.parse(contracts, [])).texts).toEqual([])
  })

  it.each([
    ["Θεσσαλονίκη", "city=Θεσσαλονίκη", true],
    ["Θεσσαλονίκη", "city~ΘΕΣ", true],
    ["Θεσσαλονίκη", "city~θεσσαλονικη", true],
    ["Θεσσαλονίκη", "city=Θεσσαλονικη", false],
    ["İstanbul", "city~istanbul", true],
    ["ΟΔΟΣΗΜΑΝΣΗ", "city~ΟΔΟΣ", true],
  ])("compares texts as people read them: %s, %s", (city, condition, is) => {
    for (const form of ["NFC", "NFD"] as const) {
      const record = { ...contract, listing: { ...contract.listing!, city: city.normalize(form) } }
      expect(keeps(record, condition.normalize("NFC"))).toBe(is)
      expect(keeps(record, condition.normalize("NFD"))).toBe(is)
    }
  })

  it("keeps what passes every condition", () => {
    expect(keeps(contract, "status=active", "city=Athens")).toBe(true)
    expect(keeps(contract, "status=active", "city=Patras")).toBe(false)
  })

  it.each([
    ["created_at=0050", true, false],
    ["created_at=0050-07", true, false],
    ["created_at<1900", true, false],
    ["created_at>2026-03-01", false, false],
    ["created_at!=2026-03-02", true, true],
  ])("knows early years, and days that do not exist from real ones: %s", (text, early, unreal) => {
    expect([
      keeps({ ...contract, created_at: "0050-07-31T23:59:59Z" }, text),
      keeps({ ...contract, created_at: "2026-02-30T00:00:00Z" }, text),
    ]).toEqual([early, unreal])
  })

  it("says itself with the columns' full names, so that equal filters look equal", () => {
    const { texts } = Result.getOrThrow(
      Filter.parse(contracts, [" City == Athens ", "id>=7", "listing.area="]),
    )
    expect(texts).toEqual(["listing.city=Athens", "id>=7", "listing.area="])
  })

  it.each([
    ["status=active", true],
    ["status=Active", false],
    ["status!=ended", true],
    ["STATUS=active", true],
    ["title=Sea view = nice", true],
    ["title~SEA", true],
    ["title~<", false],
    ["slug!=sea-view", false],
    ["area~kouk", true],
    ["listing.area = Koukaki", true],
  ])("compares text: %s is %s", (text, kept) => {
    expect(keeps(contract, text)).toBe(kept)
  })

  it.each([
    ["unit_label=", true, true],
    ["city=", false, true],
    ["city!=", true, false],
    ["city!=Athens", false, true],
    ["city~a", true, false],
    ["listing_id=", false, true],
    ["listing_id!=31", false, true],
    ["listing_id<99", true, false],
    ["listing_id=null", false, true],
    ["listing_id!=null", true, false],
    ["unit_id=", false, true],
    ["unit_id=null", false, false],
  ])("knows empty cells: %s keeps a contract with a listing %s, one without %s", (text, full, empty) => {
    expect([keeps(contract, text), keeps(bare, text)]).toEqual([full, empty])
  })

  it.each([
    ["id=1204", true],
    ["id=01204", true],
    ["id=1204.0", true],
    ["id!=1204", false],
    ["id<1204", false],
    ["id<=1204", true],
    ["id>1203.5", true],
    ["id>=1205", false],
    ["id>-1", true],
    ["id~20", true],
    ["unit_id=9007199254740993", true],
    ["unit_id=9007199254740992", false],
    ["unit_id>9007199254740992", true],
    ["unit_id<9007199254740994", true],
    ["unit_id=1.5", false],
    ["unit_id~0993", true],
  ])("compares numbers without rounding them: %s is %s", (text, kept) => {
    expect(keeps(contract, text)).toBe(kept)
  })

  it.each([
    ["created_at=2026", true],
    ["created_at=2026-01", true],
    ["created_at=2026-01-31", true],
    ["created_at=2026-01-31T23:59", true],
    ["created_at=2026-01-31 23:59:59", true],
    ["created_at=2026-01-31T23:59:59Z", true],
    ["created_at=2026-02-01T01:59:59+02:00", true],
    ["created_at=2026-02", false],
    ["created_at!=2026-02", true],
    ["created_at>2026-01", false],
    ["created_at>=2026-01", true],
    ["created_at<=2026-01", true],
    ["created_at<2026-01", false],
    ["created_at<2026-02", true],
    ["created_at>2025", true],
    ["updated_at=2026-03-01T09:30:15", true],
    ["updated_at=2026-03-01T09:30:15.25", true],
    ["updated_at=2026-03-01T09:30:15.251", false],
    ["updated_at>2026-03-01T09:30:15", false],
    ["updated_at>2026-03-01T09:30:14", true],
    ["updated_at~T09:30", true],
  ])("takes a date as the whole span that it names: %s is %s", (text, kept) => {
    expect(keeps(contract, text)).toBe(kept)
  })

  it("compares numbers like numbers, whatever they are", () => {
    const operators = {
      "=": (a: number, b: number) => a === b,
      "<": (a: number, b: number) => a < b,
      ">=": (a: number, b: number) => a >= b,
    }
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.maxSafeInteger(), (id, wanted) => {
        for (const [operator, expected] of Object.entries(operators)) {
          expect(keeps({ ...contract, id }, `id${operator}${wanted}`)).toBe(expected(id, wanted))
        }
      }),
    )
  })

  it("finds any text again, as it is and in part", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (text) => {
        fc.pre(text.trim() !== "" && !text.trim().startsWith("="))
        const record = { ...contract, unit_label: text.trim() }
        expect(keeps(record, `unit_label=${text}`)).toBe(true)
        expect(keeps(record, `unit_label~${text}`)).toBe(true)
        expect(keeps(record, `unit_label!=${text}`)).toBe(false)
      }),
    )
  })

  it("reaches columns that are there for the asking, and members that the specification does not name", () => {
    const of = (...texts: ReadonlyArray<string>) => Result.getOrThrow(Filter.parse(apiKeys, texts)).keeps(key)
    expect([of("revoked=no"), of("revoked=TRUE"), of("revoked!=yes"), of("scopes~contracts")]).toEqual([
      true,
      false,
      true,
      true,
    ])
    const more = { ...contract, deposit: { months: 2 } } as Contract.Contract
    expect([keeps(more, "extra.deposit.months>=2"), keeps(contract, "extra.deposit.months=")]).toEqual([
      true,
      true,
    ])
    expect(Contract.extra(more)).toEqual({ deposit: { months: 2 } })
  })

  it.each([
    ["status", '"status" is not a condition: it takes a column, one of = != ~ < <= > >=, and a value'],
    ["=active", '"=active" is not a condition'],
    ["id=twelve", '"id=twelve" is not a condition: it takes a number'],
    ["id=1e3", "it takes a number"],
    ["id<", '"id<" is not a condition: it takes a value after <'],
    ["title~", "it takes a value after ~"],
    ["city>A", "it takes =, != or ~, because the column holds text"],
    ["unit_id<b", "it takes a number"],
    ["created_at=lately", "it takes a date or time in UTC"],
    ["created_at=2026-13", "it takes a date or time in UTC"],
    ["created_at=2026-02-30", "it takes a date or time in UTC"],
    ["created_at=2026-02-30T10:00", "it takes a date or time in UTC"],
    ["created_at=2026-02-10T10", "it takes a date or time in UTC"],
    ["created_at=2026-02-10T24:01", "it takes a date or time in UTC"],
    ["status=active and city=Athens", "it takes one comparison; give each as a condition of its own"],
    ["title like %a% and status=active", "it takes one comparison; give each as a condition of its own"],
    ["city~ath && status in active", "it takes one comparison; give each as a condition of its own"],
    ["status=active&kind=rent", "it takes one comparison; give each as a condition of its own"],
    ["status=active; kind=rent", "it takes one comparison; give each as a condition of its own"],
    ["status=active,kind=rent", "it takes one comparison; give each as a condition of its own"],
    ["status=active||kind=rent", "several values of one column are written as column=A,B"],
    ["not status=active", 'There is no column "not status"'],
    ["status active", "it takes a column, one of = != ~ < <= > >=, and a value"],
    ["status=active OR status = ended", "several values of one column are written as column=A,B"],
  ])("refuses %s, with what would be right", (text, words) => {
    expect(error("status=active", text)).toContain(words)
  })

  it.each([
    "title=bed and breakfast",
    "title=a;b,c=d",
    "title~sea and sun=fun",
    "title~status and city",
    "title~one or two",
  ])("takes %s for one comparison", (text) => {
    expect(Result.isSuccess(Filter.parse(contracts, [text]))).toBe(true)
  })

  it("names the nearest column of one that there is not", () => {
    expect(error("citty=Athens")).toContain('There is no column "citty". Did you mean "listing.city"?')
    expect(Filter.parse(apiKeys, ["revoked=maybe"])).toMatchObject({
      failure: {
        reason: { _tag: "FilterInvalid", text: "revoked=maybe", expected: "= or !=, and yes or no" },
      },
    })
  })
})

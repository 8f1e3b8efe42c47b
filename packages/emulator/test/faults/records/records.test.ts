import { make } from "@deedkit/emulator"
import type { Fault } from "@deedkit/emulator"
import { describe, expect, it } from "vitest"
import { idsOf, read, storeIds, reading } from "../../asking.ts"

const path = "/v1/contracts/?limit=5"
const page = async (fault: Fault | string) => {
  const emulator = make({ faults: [fault] })
  return { items: (await read(emulator, path)).items, truth: emulator.store.contracts }
}

describe("faults in records", () => {
  it("change the first record unless others are chosen, and no other", async () => {
    const { items, truth } = await page("unknown-status")
    expect(items[0]).toEqual({ ...truth[0], status: "frozen" })
    expect(items.slice(1)).toEqual(truth.slice(1, 5))
    const chosen = await page("unknown-status:records=2+4-5")
    expect(chosen.items.map((item) => item["status"] === "frozen")).toEqual([false, true, false, true, true])
  })

  it("change the record of a retrieve", async () => {
    const emulator = make({ faults: ["unknown-status:field=kind,value=barter"] })
    const id = storeIds(emulator)[3] ?? 0
    expect((await read(emulator, `/v1/contracts/?id=${id}`)).contract["kind"]).toBe("barter")
  })

  it("leave the store as it is", async () => {
    const emulator = make({ faults: ["missing-field"] })
    await read(emulator, path)
    emulator.faults.clear()
    expect((await read(emulator, path)).items).toEqual(emulator.store.contracts.slice(0, 5))
  })
})

describe("missing-field", () => {
  it("leaves a member out, inner ones too", async () => {
    expect((await page("missing-field:field=unit_label")).items[0]).not.toHaveProperty("unit_label")
    const { items } = await page("missing-field:field=listing.city")
    expect(items[0]?.["listing"]).not.toHaveProperty("city")
    expect(items[0]?.["listing"]).toHaveProperty("area")
  })
})

describe("wrong-type", () => {
  it("turns numbers into text and texts into numbers", async () => {
    const { items, truth } = await page("wrong-type")
    expect(items[0]?.["template_id"]).toBe(String(truth[0]?.template_id))
    expect(typeof (await page("wrong-type:field=status")).items[0]?.["status"]).toBe("number")
    expect((await page("wrong-type:field=listing.id")).items[0]?.["listing"]).toHaveProperty(
      "id",
      String(truth[0]?.listing_id),
    )
  })
})

describe("null-listing", () => {
  it("takes the listing and leaves its id", async () => {
    const { items, truth } = await page("null-listing")
    expect(items[0]).toEqual({ ...truth[0], listing: null })
    expect(items[0]?.["listing_id"]).not.toBeNull()
  })
})

describe("odd-timestamp", () => {
  it.each([
    ["offset", /^\d{4}-\d\d-\d\dT[\d:]{8}\+02:00$/],
    ["no-zone", /^\d{4}-\d\d-\d\dT[\d:]{8}$/],
    ["date-only", /^\d{4}-\d\d-\d\d$/],
    ["space", /^\d{4}-\d\d-\d\d [\d:]{8}$/],
    ["epoch", /^\d{10}$/],
    ["epoch-text", /^\d{13}$/],
    ["impossible", /^2024-02-30T25:61:00Z$/],
    ["rubbish", /^yesterday$/],
    ["empty", /^$/],
  ])("writes %s", async (form, written) => {
    const { items } = await page(`odd-timestamp:field=updated_at,form=${form}`)
    expect(String(items[0]?.["updated_at"])).toMatch(written)
  })

  it("keeps the moment where the form can say it", async () => {
    const { items, truth } = await page("odd-timestamp:form=offset")
    expect(Date.parse(String(items[0]?.["created_at"]))).toBe(Date.parse(truth[0]?.created_at ?? ""))
  })
})

describe("duplicate", () => {
  it("begins a page with the last records of the one before", async () => {
    const emulator = make({ contracts: 25, faults: ["duplicate:count=2"] })
    const all = storeIds(emulator)
    const pages = await reading(emulator)
    expect(idsOf(pages.slice(0, 1))).toEqual(all.slice(0, 10))
    expect(idsOf(pages.slice(1, 2))).toEqual(all.slice(8, 20))
    expect(idsOf(pages)).toHaveLength(29)
  })
})

describe("mutate", () => {
  it("inserts, updates and removes when the page is served, and no other time", async () => {
    const emulator = make({ contracts: 30, faults: ["mutate:insert=2,update=3,remove=4,from=rest,page=2"] })
    const before = new Map(emulator.store.contracts.map((contract) => [contract.id, contract]))
    await reading(emulator, { atMost: 1 })
    expect(emulator.store.contracts).toHaveLength(30)
    const seen = idsOf(await reading(emulator))
    expect(emulator.store.contracts).toHaveLength(28)
    const inserted = storeIds(emulator).filter((id) => !before.has(id))
    expect(inserted).toHaveLength(2)
    expect(seen).toHaveLength(26)
    expect(seen).not.toEqual(expect.arrayContaining(inserted))
    const updated = emulator.store.contracts.filter(
      ({ id, status }) => (before.get(id)?.status ?? status) !== status,
    )
    expect(updated).toHaveLength(3)
  })

  it("takes only records that were served with from=served", async () => {
    const emulator = make({ contracts: 30, faults: ["mutate:remove=5,from=served,page=1"] })
    const all = storeIds(emulator)
    expect(idsOf(await reading(emulator))).toEqual(all)
    expect(storeIds(emulator).slice(5)).toEqual(all.slice(10))
  })
})

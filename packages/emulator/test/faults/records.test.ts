import { make } from "@deedkit/emulator"
import type { Fault } from "@deedkit/emulator"
import { describe, expect, it } from "vitest"
import { read, storeIds } from "../asking.ts"

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

describe("wrong-record", () => {
  it("answers a retrieve with another id", async () => {
    const emulator = make({ faults: ["wrong-record"] })
    const [first, second] = emulator.store.contracts
    expect((await read(emulator, `/v1/contracts/?id=${first?.id}`)).contract.id).toBe(second?.id)
    expect((await read(emulator, `/v1/contracts/?id=${second?.id}`)).contract.id).toBe(first?.id)
  })
})

// @vitest-environment happy-dom
import * as Counter from "../Counter.ts"
import { afterEach, describe, expect, it } from "vitest"
import { act } from "preact/test-utils"
import * as ServiceLink from "../../../../src/ui/state/ServiceLink.ts"
import * as Desk from "../../desk/Desk.ts"
import { contracts, hostile, ready, connection } from "../../gallery/Worlds.ts"

afterEach(Desk.tidy)

const open = (id: number, ...rest: [state?: typeof ready, changes?: Parameters<typeof Counter.open>[1]]) =>
  Counter.open(rest[0] ?? ready, rest[1] ?? {}, { subject: { _tag: "Contract", id } })

const valueOf = (name: string): string => {
  const term = [...document.querySelectorAll("dt")].find((element) => Desk.words(element) === name)
  return Desk.words(term?.nextElementSibling ?? null)
}

describe("a contract in full", () => {
  it("shows every member of the record once, in words where the specification has them and by name where not", async () => {
    await open(1323)
    expect(Desk.words(document.querySelector(".detail-words"))).toBe("Hinterhaus 3 4#1323rentactive")
    expect([...document.querySelectorAll("dt")].map((element) => element.title)).toEqual([
      "listing.title",
      "listing.city",
      "listing.area",
      "listing.slug",
      "listing.id",
      "created_at",
      "updated_at",
      "unit_id",
      "template_id",
      "deposit_cents",
      "data",
    ])
    expect(valueOf("Slug")).toBe("olive-loft")
    expect(valueOf("data")).toBe('{"notice":{"months":3},"keys":["door","mail"],"pets":false}')
    expect(valueOf("Created")).toMatch(/2024.*ago$/)
  })

  it("shows both numbers of a listing where they differ, and in full what the heading cuts", async () => {
    const other = {
      ...hostile,
      fields: hostile.fields.map((field) =>
        field.name === "listing_id" ? { name: "listing_id", value: "7" } : field,
      ),
    }
    await open(hostile.row.id, ready, { contracts: [other] })
    const titles = [...document.querySelectorAll("dt")].map((element) => element.title)
    expect(titles).toContain("listing_id")
    expect(titles).toContain("listing.id")
    expect(valueOf("Unit")).toContain("W".repeat(4_000))
    expect(valueOf("Status")).toContain("without-end-".repeat(40))
  })

  it("names each value that can be copied", async () => {
    await open(1323)
    const names = [...document.querySelectorAll(".detail-tags button")].map((button) =>
      button.getAttribute("aria-label"),
    )
    expect(names).toEqual(["Copy: Contract #1323", "Copy: Kind rent", "Copy: Status active"])
  })

  it("leads to the pages of its listing that are linked by hand or that a pattern without a star gives", async () => {
    const links = { "https://portal.example/properties/87766707": 41_323, "https://portal.example/view/2": 7 }
    const patterns = ["!/blog/**", "/homes/:slug/**", "/homes/*/:id", "?ref=:contract", "/units/:unit"]
    await open(1323, {
      ...ready,
      accounts: [{ ...ready.accounts[0]!, links }],
      sites: [{ ...ready.sites[0]!, patterns }],
    })
    const pages = [...document.querySelectorAll<HTMLAnchorElement>(".listing-page a")]
    expect(pages.map(({ href }) => href)).toEqual([
      "https://portal.example/properties/87766707",
      "https://homes.example/homes/olive-loft",
      "https://homes.example/?ref=1323",
    ])
    expect(Desk.words(pages[0])).toBe("Open the listing on portal.example")
  })

  it("leads to the other contracts of its listing, and none of another listing", async () => {
    const first = contracts[1]!
    const second = { ...first, row: { ...first.row, id: 7, unitLabel: "Attic", status: "on_hold" } }
    await open(1323, ready, { contracts: [first, second, contracts[0]!] })
    expect([...document.querySelectorAll(".siblings li")].map((item) => Desk.words(item))).toEqual([
      "Atticrenton hold#7",
    ])
    await Desk.press("Attic")
    await Counter.settle()
    expect(Desk.words(document.querySelector(".detail h2"))).toBe("Attic")
  })

  it("stands as shapes until it comes", async () => {
    await open(1323, ready, { waiting: ["index.contract"] })
    expect(document.querySelector(".detail")?.getAttribute("aria-busy")).toBe("true")
    expect(document.querySelectorAll(".skeleton[aria-hidden] p").length).toBeGreaterThan(0)
  })

  it("leaves the listing out where there is none, and says what has no value", async () => {
    await open(1318)
    expect(document.body.textContent).toContain("No listing")
    expect(valueOf("Listing number")).toBe("none")
    expect([...document.querySelectorAll("dt")].some(({ title }) => title.startsWith("listing."))).toBe(false)
  })

  it("is shown from the index first, then asked of the service by id", async () => {
    const { asked } = await open(1323)
    expect(asked("index.contract")).toEqual([{ type: "index.contract", id: 1323 }])
    expect(asked("page.refresh")).toEqual([{ type: "page.refresh", id: 1323 }])
    expect(document.body.textContent).toContain("Synced just now")
    await Desk.press("Refresh contract")
    expect(asked("page.refresh")).toHaveLength(2)
  })

  it("stays in view with its age while the service is asked and when it refuses", async () => {
    await open(1323, ready, { service: { _tag: "UserError", message: "It failed.", advice: "Try later." } })
    expect(Desk.alerts()).toEqual(["It failed. Try later."])
    expect(Desk.words(document.querySelector(".detail-tags"))).toContain("#1323")
    expect(Desk.words(document.querySelector(".detail-age time"))).toMatch(/^Synced .*ago$/)
    expect(Desk.button("Refresh contract").disabled).toBe(false)
  })

  it("says that it is asking, and asks once", async () => {
    const { asked } = await open(1323, ready, { service: "waits" })
    expect(Desk.button("Refreshing…").disabled).toBe(true)
    expect(Desk.words(document.querySelector(".detail-tags"))).toContain("#1323")
    expect(asked("page.refresh")).toHaveLength(1)
  })

  it("is not asked of a service that cannot answer, until it can", async () => {
    const { asked, background } = await open(1323, connection({ _tag: "Offline" }))
    expect(asked("page.refresh")).toEqual([])
    background.set(ready)
    await Counter.settle()
    expect(asked("page.refresh")).toHaveLength(1)
  })

  it("says where it was looked for when there is none", async () => {
    await open(1999, connection({ _tag: "NoKey" }))
    expect(document.body.textContent).toContain("Contract 1999 is not among the saved contracts.")
    await Desk.press("Refresh contract")
    expect(document.body.textContent).toContain("The service has no contract 1999.")
  })
})

describe("taking a contract along", () => {
  it.each([
    ["Copy: Unit", "Hinterhaus 3 4"],
    ["Copy: Contract", "1323"],
    ["Copy: Status", "active"],
    ["Copy: Created", "2024-09-14T08:05:11Z"],
    ["Copy: data", '{"notice":{"months":3},"keys":["door","mail"],"pets":false}'],
  ])("copies one field as the service gave it: %s", async (title, value) => {
    await open(1323)
    await act(() => document.querySelector<HTMLElement>(`button[title="${title}"]`)!.click())
    await Desk.settle()
    expect(Counter.clipboard.text).toBe(value)
    expect(document.querySelector(".detail-said")?.textContent).toBe(title.replace("Copy", "Copied"))
  })

  it("opens it in the service by the user's template, and has no such button without one", async () => {
    await open(1323)
    expect(Desk.has("Open in the service")).toBe(false)
    await Desk.tidy()
    ServiceLink.keep("https://api.homes.example/", "https://app.homes.example/contracts/{id}?from=deedkit")
    await open(1323)
    const link = Desk.button("Open in the service") as unknown as HTMLAnchorElement
    expect(link.href).toBe("https://app.homes.example/contracts/1323?from=deedkit")
    expect(link.rel).toBe("noreferrer")
  })

  it("opens nothing by a template that came to be kept and cannot be used", async () => {
    ServiceLink.keep("https://api.homes.example/", "javascript:alert({id})")
    await open(1323)
    expect(Desk.has("Open in the service")).toBe(false)
  })

  it("copies lines for people, without what has no value", async () => {
    await open(1318)
    await Desk.press("Copy as text")
    expect(Counter.clipboard.text.split("\n")).toEqual([
      "Contract: 1318",
      "Kind: rent",
      "Status: active",
      "Created: 2024-09-14T08:05:11Z",
      "Updated: 2026-01-30T10:00:00Z",
      "Unit number: 9226",
      "Unit: Garage 7",
      "Template: 12",
    ])
    expect(document.querySelector(".detail-said")?.textContent).toBe("Copied as text.")
  })

  it("copies one row with a cell for each member", async () => {
    await open(1323)
    await Desk.press("Copy as table row")
    const cells = Counter.clipboard.text.split("\t")
    expect(cells).toHaveLength(16)
    expect(cells.slice(0, 4)).toEqual(["1323", "41323", "rent", "active"])
    expect(document.querySelector(".detail-said")?.textContent).toContain("Paste it into a spreadsheet")
  })

  it("copies the text when nothing is selected, and leaves a selection alone", async () => {
    await open(1318)
    const copy = async () => {
      const event = new ClipboardEvent("copy", {
        clipboardData: new DataTransfer(),
        bubbles: true,
        cancelable: true,
      })
      await act(() => void document.body.dispatchEvent(event))
      return event
    }
    expect((await copy()).clipboardData?.getData("text/plain")).toContain("Unit: Garage 7")
    document.getSelection()?.selectAllChildren(document.querySelector("dl")!)
    expect((await copy()).defaultPrevented).toBe(false)
  })

  it("says so when the clipboard is closed to it", async () => {
    await open(1318)
    Counter.clipboard.isLocked = true
    await Desk.press("Copy as text")
    expect(document.querySelector(".detail-said")?.textContent).toContain("Copying failed.")
  })
})

describe("the button that watches a contract", () => {
  it("watches it and says so, also when it is opened again, until it is pressed once more", async () => {
    const { background } = await open(1323)
    const isPressed = () => Desk.button("Watch").getAttribute("aria-pressed")
    expect(isPressed()).toBe("false")
    await Desk.press("Watch")
    expect(isPressed()).toBe("true")
    const { watched } = background.state()
    expect(watched.ids).toEqual([1323])
    await open(1323, { ...ready, watched })
    expect(isPressed()).toBe("true")
    await Desk.press("Watch")
    expect(isPressed()).toBe("false")
  })

  it("says so when that cannot be kept", async () => {
    await open(1323, ready, { failing: ["page.watch"] })
    await Desk.press("Watch")
    await Counter.settle()
    expect(Desk.button("Watch").getAttribute("aria-pressed")).toBe("false")
    expect(Desk.words(document.querySelector(".detail [role=alert]"))).not.toBe("")
  })

  it("is not there for a contract that nothing is known of", async () => {
    await open(4)
    await Counter.settle()
    expect(Desk.has("Watch")).toBe(false)
  })
})

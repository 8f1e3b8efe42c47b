// @vitest-environment happy-dom
import * as Desk from "../desk/Desk.ts"
import { h } from "preact"
import { afterEach, describe, expect, it } from "vitest"
import type { AppState } from "../../../src/messages/AppState.ts"
import { Options } from "../../../src/ui/options/Options.tsx"

const { full, empty } = Desk

const open = (state: AppState, answer?: Desk.Answer, wantedSite = "") =>
  Desk.mount(state, h(Options, { wantedSite }), answer)

afterEach(Desk.tidy)

describe("the address", () => {
  it("is asked of the browser before it is kept", async () => {
    const desk = await open(empty, (request) =>
      request.type === "page.setAddress" ? { ...full, keyHint: null, baseUrl: request.baseUrl } : empty,
    )
    await Desk.type("Address of the service", " api.example.com/v1/contracts/?limit=1 ")
    await Desk.press("Save address")
    expect(Desk.grants.asked).toEqual(["https://api.example.com/*"])
    expect(desk.requests).toEqual([{ type: "page.setAddress", baseUrl: "https://api.example.com/" }])
    expect(Desk.box("Address of the service").value).toBe("https://api.example.com/")
    expect(Desk.words()).toContain("Address saved.")
  })

  it("is asked for in the click itself, before anything is waited for", async () => {
    await open(empty)
    await Desk.type("Address of the service", "https://api.example.com")
    Desk.button("Save address").click()
    expect(Desk.grants.asked).toEqual(["https://api.example.com/*"])
    await Desk.settle()
  })

  it("is not kept when the browser's question was answered with no, and says so", async () => {
    const desk = await open(empty)
    Desk.grants.isAllowed = false
    await Desk.type("Address of the service", "https://api.example.com")
    await Desk.press("Save address")
    expect(desk.requests).toEqual([])
    expect(Desk.alerts().join()).toContain("The browser did not allow api.example.com.")
    expect(Desk.button("Save address").disabled).toBe(false)
  })

  it.each([
    ["", "not a complete address"],
    ["not an address", "not a complete address"],
    ["http://api.example.com", "must start with https://"],
    ["http://127.0.0.1:8080", "must start with https://"],
    ["https://me:secret@api.example.com", "Leave out the user name"],
  ])("is not asked of the browser when it cannot be used: %s", async (typed, problem) => {
    await open(empty)
    await Desk.type("Address of the service", typed)
    await Desk.press("Save address")
    expect(Desk.grants.asked).toEqual([])
    expect(Desk.alerts().join()).toContain(problem)
    expect(Desk.box("Address of the service").getAttribute("aria-invalid")).toBe("true")
  })

  it("says what is lost with another one, and only then", async () => {
    await open(full)
    expect(Desk.words()).not.toContain("belong to the old address")
    await Desk.type("Address of the service", "https://api.example.com")
    expect(Desk.words()).not.toContain("belong to the old address")
    await Desk.type("Address of the service", "https://api.other.example")
    expect(Desk.words()).toContain("The stored key and 2,500 contracts belong to the old address.")
  })

  it("shows a refusal with what can be done", async () => {
    await open(empty, () => Desk.refused("This address cannot be used."))
    await Desk.type("Address of the service", "https://api.example.com")
    await Desk.press("Save address")
    expect(Desk.alerts()).toEqual(["This address cannot be used. Do it again."])
  })
})

describe("the key", () => {
  it("goes to the background and out of the page", async () => {
    const secret = "dk_live_0123456789abcdef7f3a"
    const desk = await open({ ...full, keyHint: null, standing: { _tag: "NoKey" } }, () => full)
    await Desk.type("API key", ` ${secret}\n`)
    await Desk.press("Save key")
    expect(desk.requests).toEqual([{ type: "page.setKey", key: secret }])
    expect(document.body.innerHTML).not.toContain("0123456789")
    expect(Desk.box("Replace it").value).toBe("")
    expect(Desk.words()).toContain("••••••••7f3a")
  })

  it("is typed blind and never filled in or kept by the browser", async () => {
    await open({ ...full, keyHint: null })
    const box = Desk.box("API key")
    expect([box.type, box.getAttribute("autocomplete"), box.name]).toEqual(["password", "off", ""])
  })

  it("is not sent when nothing was typed", async () => {
    const desk = await open(full)
    await Desk.press("Save key")
    expect(desk.requests).toEqual([])
    expect(Desk.alerts()).toEqual(["Paste the key here first."])
  })

  it("is forgotten after it was asked once more", async () => {
    const desk = await open(full, () => ({ ...full, keyHint: null }))
    await Desk.press("Forget key")
    expect(desk.requests).toEqual([])
    expect(document.activeElement?.textContent).toBe("Forget the key?")
    await Desk.press("Forget it")
    expect(desk.requests).toEqual([{ type: "page.forgetKey" }])
    expect(Desk.words()).not.toContain("7f3a")
    expect(Desk.words()).not.toContain("Key saved.")
  })

  it("moves to where it is to be kept as soon as that is chosen", async () => {
    const desk = await open(full)
    await Desk.choose("Until the browser closes")
    expect(desk.requests).toEqual([{ type: "page.setSettings", settings: { keyStorage: "session" } }])
  })

  it("cannot be entered before the address that it belongs to", async () => {
    await open(empty)
    expect(Desk.has("Save key")).toBe(false)
    expect(Desk.words()).toContain("Save the address first")
  })
})

describe("the connection test", () => {
  it("shows each stage as it ends, and what they come to", async () => {
    const desk = await open(full)
    await Desk.press("Test the connection")
    expect(Desk.words(document.querySelector(".stages"))).toContain("Testing…")
    await desk.stage([{ stage: "address", outcome: "ok", message: "api.example.com answers." }])
    expect(Desk.words(document.querySelector("[data-outcome=ok]"))).toBe(
      "Address worksapi.example.com answers.",
    )
    expect(document.querySelectorAll(".stage[data-outcome=waiting]")).toHaveLength(6)
    await desk.stage(
      [
        { stage: "tls", outcome: "ok", message: "Encrypted." },
        { stage: "key", outcome: "failed", message: "The service does not accept the key." },
        ...(["contracts", "keys", "cursor", "clock"] as const).map(
          (stage) => ({ stage, outcome: "skipped", message: "Not tested." }) as const,
        ),
      ],
      true,
    )
    expect(Desk.words(document.querySelector(".verdict"))).toContain("It does not work yet.")
    expect(Desk.has("Test again")).toBe(true)
  })

  it("is forgotten when key or address change, because it tells of the old ones", async () => {
    const desk = await open(full)
    await Desk.press("Test the connection")
    await desk.stage([{ stage: "address", outcome: "ok", message: "It answers." }], true)
    expect(Desk.words()).toContain("The test was cut off.")
    await Desk.type("Replace it", "dk_other")
    await Desk.press("Save key")
    expect(document.querySelectorAll(".stage")).toHaveLength(0)
  })

  it("is given up when the page goes", async () => {
    const desk = await open(full)
    await Desk.press("Test the connection")
    expect(desk.isTesting()).toBe(true)
    await Desk.tidy()
    expect(desk.isTesting()).toBe(false)
  })
})

describe("what stands in the way", () => {
  it("is said at the top, and the grant is asked for in the click that answers it", async () => {
    const desk = await open({
      ...full,
      standing: { _tag: "NoPermission", origin: "https://api.example.com" },
    })
    const allow = document.querySelector<HTMLButtonElement>(".notice button")
    allow?.click()
    expect(Desk.grants.asked).toEqual(["https://api.example.com/*"])
    await Desk.settle()
    expect(desk.requests).toEqual([{ type: "page.setAddress", baseUrl: "https://api.example.com/" }])
  })

  it("is answered by a sync where trying again is all there is to do", async () => {
    const desk = await open({ ...full, standing: { _tag: "Offline" } })
    document.querySelector<HTMLButtonElement>(".notice button")?.click()
    await Desk.settle()
    expect(desk.requests).toEqual([{ type: "page.sync" }])
  })
})

describe("settings", () => {
  it("take effect when they are chosen", async () => {
    const desk = await open(full)
    await Desk.choose("Dark")
    await Desk.choose("Number on the toolbar button")
    const interval = Desk.box("Read all contracts again")
    interval.value = ""
    interval.dispatchEvent(new Event("change", { bubbles: true }))
    await Desk.settle()
    expect(desk.requests).toEqual([
      { type: "page.setSettings", settings: { theme: "dark" } },
      { type: "page.setSettings", settings: { toolbarCount: false } },
      { type: "page.setSettings", settings: { refreshMinutes: null } },
    ])
  })

  it("offer an interval that was set elsewhere", async () => {
    await open({ ...full, settings: { ...full.settings, refreshMinutes: 45 } })
    expect(Desk.box("Read all contracts again").value).toBe("45")
  })

  it("say that the background does not answer", async () => {
    await open(full, () => {
      throw new Error("no answer")
    })
    await Desk.choose("Dark")
    expect(Desk.alerts()).toHaveLength(1)
  })
})

describe("exporting", () => {
  it("is offered once there is something to export", async () => {
    const desk = await open(empty)
    expect(Desk.has("Export to a spreadsheet")).toBe(false)
    await desk.set(full)
    expect(Desk.button("Export to a spreadsheet").getAttribute("href")).toBe("/export.html")
  })
})

describe("clearing", () => {
  it("says what goes and asks once more", async () => {
    localStorage.setItem("theme", "dark")
    const desk = await open(full, () => empty)
    await Desk.press("Clear everything…")
    expect(desk.requests).toEqual([])
    expect([...document.querySelectorAll(".goods li")].map((item) => Desk.words(item))).toEqual([
      "The address https://api.example.com/ and the permission to reach it",
      "The key that ends in 7f3a",
      "2,500 contracts that were read",
      "1 site with its patterns and its permission",
      "All settings of the extension",
    ])
    await Desk.press("Yes, clear everything")
    expect(desk.requests).toEqual([{ type: "page.clear" }])
    expect(Desk.words(document.querySelector("#clear"))).toContain("Everything is cleared.")
    expect(localStorage.getItem("theme")).toBeNull()
    expect(Desk.box("Address of the service").value).toBe("")
  })

  it.each(["Keep it", "Escape"])("does nothing after all: %s", async (way) => {
    const desk = await open(full)
    await Desk.press("Clear everything…")
    if (way === "Escape") {
      document
        .querySelector(".confirm")
        ?.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }))
      await Desk.settle()
    } else await Desk.press(way)
    expect(desk.requests).toEqual([])
    expect(document.activeElement?.textContent).toBe("Clear everything…")
  })
})

describe("a place that the page is opened at", () => {
  const openAt = (place: string, state: AppState, wantedSite = "") => {
    history.replaceState(null, "", place)
    return open(state, undefined, wantedSite)
  }

  it("is the box of the key, ready to be typed into", async () => {
    await openAt("#key", full)
    expect(document.activeElement).toBe(Desk.box("Replace it"))
  })

  it("is the heading of what is larger", async () => {
    await openAt("#connection", full)
    expect(document.activeElement?.textContent).toBe("Connection test")
  })

  it("is the box of a new site when one is wanted", async () => {
    await openAt("#sites", full, "https://other.example")
    expect(document.activeElement).toBe(Desk.box("Address of a listing site"))
  })

  it("is the notice at the top while a grant is missing", async () => {
    await openAt("#connection", {
      ...full,
      standing: { _tag: "NoPermission", origin: "https://api.example.com" },
    })
    expect(document.activeElement).toBe(document.body)
  })
})

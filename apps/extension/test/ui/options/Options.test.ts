// @vitest-environment happy-dom
import * as Desk from "../desk/Desk.ts"
import { h } from "preact"
import { afterEach, describe, expect, it } from "vitest"
import type { AppState } from "../../../src/messages/AppState.ts"
import { Options } from "../../../src/ui/options/Options.tsx"
import * as ServiceLink from "../../../src/ui/state/ServiceLink.ts"

const { full, empty } = Desk

const open = (state: AppState, answer?: Desk.Answer, wantedSite = "") =>
  Desk.mount(state, h(Options, { wantedSite }), answer)

afterEach(Desk.tidy)

describe("the address", () => {
  it("is asked of the browser before it is kept", async () => {
    const desk = await open(empty, (request) =>
      request.type === "page.setAddress" ? { ...full, keyHint: null, baseUrl: request.baseUrl } : empty,
    )
    await Desk.type("Service address", " api.example.com/v1/contracts/?limit=1 ")
    await Desk.press("Save address")
    expect(Desk.grants.asked).toEqual(["https://api.example.com/*"])
    expect(desk.requests).toEqual([{ type: "page.setAddress", baseUrl: "https://api.example.com/" }])
    expect(Desk.box("Service address").value).toBe("https://api.example.com/")
    expect(Desk.words()).toContain("Address saved.")
  })

  it("is asked for in the click itself, before anything is waited for", async () => {
    await open(empty)
    await Desk.type("Service address", "https://api.example.com")
    Desk.button("Save address").click()
    expect(Desk.grants.asked).toEqual(["https://api.example.com/*"])
    await Desk.settle()
  })

  it("is not kept when the browser's question was answered with no, and says so", async () => {
    const desk = await open(empty)
    Desk.grants.isAllowed = false
    await Desk.type("Service address", "https://api.example.com")
    await Desk.press("Save address")
    expect(desk.requests).toEqual([])
    expect(Desk.alerts().join()).toContain("The browser did not allow api.example.com.")
    expect(Desk.button("Save address").disabled).toBe(false)
  })

  it("is not asked of the browser when it cannot be used", async () => {
    await open(empty)
    await Desk.type("Service address", "http://api.example.com")
    await Desk.press("Save address")
    expect(Desk.grants.asked).toEqual([])
    expect(Desk.alerts().join()).toContain("must start with https://")
    expect(Desk.box("Service address").getAttribute("aria-invalid")).toBe("true")
  })

  it("says what is lost with another one, and only then", async () => {
    await open(full)
    expect(Desk.words()).not.toContain("of the old one")
    await Desk.type("Service address", "https://api.example.com")
    expect(Desk.words()).not.toContain("of the old one")
    await Desk.type("Service address", "https://api.other.example")
    expect(Desk.words()).toContain("removes the key and 2,500 contracts of the old one.")
  })

  it("shows a refusal with what can be done", async () => {
    await open(empty, () => Desk.failed("This address is not valid."))
    await Desk.type("Service address", "https://api.example.com")
    await Desk.press("Save address")
    expect(Desk.alerts()).toEqual(["This address is not valid. Do it again."])
  })
})

describe("the link to a contract", () => {
  const label = "Link to a contract in the service"

  it("is kept for the service in use, shown again, and taken away by emptying it", async () => {
    await open(full)
    await Desk.type(label, " https://app.example.com/contracts/{id} ")
    await Desk.press("Save link")
    expect(Desk.words()).toContain("Saved.")
    expect(ServiceLink.of("https://api.example.com/", 17)).toBe("https://app.example.com/contracts/17")
    expect(ServiceLink.of("https://api.other.example/", 17)).toBeNull()
    await Desk.type(label, "")
    await Desk.press("Save link")
    expect(ServiceLink.of("https://api.example.com/", 17)).toBeNull()
  })

  it.each(["http://app.example.com/{id}", "https://app.example.com/contracts", "javascript:{id}"])(
    "is refused when it cannot be used: %s",
    async (typed) => {
      await open(full)
      await Desk.type(label, typed)
      await Desk.press("Save link")
      expect(Desk.alerts().join()).toContain("Enter an https address with {id} after its host.")
      expect(localStorage.getItem("link https://api.example.com/")).toBeNull()
    },
  )

  it("is not asked for before there is a service", async () => {
    await open(empty)
    expect(Desk.words()).not.toContain(label)
  })
})

describe("the key", () => {
  it("goes to the background and out of the page", async () => {
    const secret = "dk_live_0123456789abcdef7f3a"
    const desk = await open({ ...full, keyHint: null, connection: { _tag: "NoKey" } }, () => full)
    await Desk.type("API key", ` ${secret}\n`)
    await Desk.press("Save key")
    expect(desk.requests).toEqual([{ type: "page.setKey", key: secret }])
    expect(document.body.innerHTML).not.toContain("0123456789")
    expect(Desk.box("Replace the key").value).toBe("")
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
    expect(Desk.alerts()).toEqual(["Enter an API key."])
  })

  it("is forgotten after it was asked once more", async () => {
    const desk = await open(full, () => ({ ...full, keyHint: null }))
    await Desk.press("Remove key")
    expect(desk.requests).toEqual([])
    expect(document.activeElement?.textContent).toBe("Remove the key?")
    await Desk.press("Yes, remove")
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
    await Desk.press("Test connection")
    expect(Desk.words(document.querySelector(".stages"))).toContain("Testing…")
    await desk.stage([{ stage: "address", outcome: "ok", message: "api.example.com responds." }])
    expect(Desk.words(document.querySelector("[data-outcome=ok]"))).toBe(
      "Address passedapi.example.com responds.",
    )
    expect(document.querySelectorAll(".stage[data-outcome=waiting]")).toHaveLength(5)
    await desk.stage(
      [
        { stage: "tls", outcome: "ok", message: "Encrypted." },
        { stage: "key", outcome: "failed", message: "API key rejected." },
        ...(["contracts", "cursor", "clock"] as const).map(
          (stage) => ({ stage, outcome: "skipped", message: "Not tested." }) as const,
        ),
      ],
      true,
    )
    expect(Desk.words(document.querySelector(".verdict"))).toContain("The connection does not work.")
    expect(Desk.has("Test again")).toBe(true)
  })

  it("is forgotten when key or address change, because it tells of the old ones", async () => {
    const desk = await open(full)
    await Desk.press("Test connection")
    await desk.stage([{ stage: "address", outcome: "ok", message: "It answers." }], true)
    expect(Desk.words()).toContain("The test was interrupted.")
    await Desk.type("Replace the key", "dk_other")
    await Desk.press("Save key")
    expect(document.querySelectorAll(".stage")).toHaveLength(0)
  })

  it("is given up when the page goes", async () => {
    const desk = await open(full)
    await Desk.press("Test connection")
    expect(desk.isTesting()).toBe(true)
    await Desk.tidy()
    expect(desk.isTesting()).toBe(false)
  })
})

describe("what stands in the way", () => {
  it("is said at the top, and the grant is asked for in the click that answers it", async () => {
    const desk = await open({
      ...full,
      connection: { _tag: "NoPermission", origin: "https://api.example.com" },
    })
    const allow = document.querySelector<HTMLButtonElement>(".notice button")
    allow?.click()
    expect(Desk.grants.asked).toEqual(["https://api.example.com/*"])
    await Desk.settle()
    expect(desk.requests).toEqual([{ type: "page.setAddress", baseUrl: "https://api.example.com/" }])
  })

  it("is answered by a sync where trying again is all there is to do", async () => {
    const desk = await open({ ...full, connection: { _tag: "Offline" } })
    document.querySelector<HTMLButtonElement>(".notice button")?.click()
    await Desk.settle()
    expect(desk.requests).toEqual([{ type: "page.sync" }])
  })
})

describe("settings", () => {
  it("take effect when they are chosen", async () => {
    const desk = await open(full)
    await Desk.choose("Dark")
    await Desk.choose("Count on the toolbar button")
    const interval = Desk.box("Sync automatically")
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
    expect(Desk.box("Sync automatically").value).toBe("45")
  })

  it("say that the background does not answer", async () => {
    await open(full, () => {
      throw new Error("no answer")
    })
    await Desk.choose("Dark")
    expect(Desk.alerts()).toHaveLength(1)
  })
})

describe("reading", () => {
  const checked = {
    ...full,
    index: { ...full.index, head: { order: "changes" as const, readAt: "2026-03-01T14:15:00Z" } },
    next: { head: "2099-03-01T14:30:00Z", complete: null },
  }

  it("says what was read and what is read next, with a button for each", async () => {
    const desk = await open(checked)
    const facts = new Map(
      [...document.querySelectorAll("#contracts dt")].map((name) => [
        name.textContent,
        name.nextElementSibling?.querySelector("time")?.dateTime ?? name.nextElementSibling?.textContent,
      ]),
    )
    expect(facts.get("Last complete sync")).toBe(full.index.completedAt)
    expect(facts.get("Next complete sync")).toBe("when you ask for it")
    expect(facts.get("Last check for new and changed contracts")).toBe("2026-03-01T14:15:00Z")
    expect(facts.get("Next check for new and changed contracts")).toBe("2099-03-01T14:30:00Z")
    await Desk.press("Sync now")
    await Desk.press("Check for new and changed")
    expect(desk.requests).toEqual([{ type: "page.sync" }, { type: "page.readHead" }])
  })

  it("speaks of new contracts alone where the list shows no others", async () => {
    await open({ ...checked, index: { ...checked.index, head: { order: "new", readAt: null } } })
    expect(Desk.has("Check for new contracts")).toBe(true)
    expect(document.body.textContent).toContain("Next check for new contracts")
    expect(document.body.textContent).not.toContain("Last check for new contracts")
  })

  it.each([null, { order: "all" as const, readAt: null }])(
    "has one button where it is all or nothing: %o",
    async (head) => {
      await open({ ...checked, index: { ...checked.index, head } })
      expect(Desk.has("Check for")).toBe(false)
      expect(document.body.textContent).toContain("Next complete sync")
    },
  )
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
      "The address https://api.example.com/ and the permission to access it",
      "The key ending in 7f3a",
      "2,500 saved contracts",
      "1 site with its patterns and its permission",
      "All settings",
    ])
    await Desk.press("Clear all data")
    expect(desk.requests).toEqual([{ type: "page.clear" }])
    expect(Desk.words(document.querySelector("#clear"))).toContain("Everything was cleared.")
    expect(localStorage.getItem("theme")).toBeNull()
    expect(Desk.box("Service address").value).toBe("")
  })

  it.each(["Cancel", "Escape"])("does nothing after all: %s", async (way) => {
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
    expect(document.activeElement).toBe(Desk.box("Replace the key"))
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
      connection: { _tag: "NoPermission", origin: "https://api.example.com" },
    })
    expect(document.activeElement).toBe(document.body)
  })
})

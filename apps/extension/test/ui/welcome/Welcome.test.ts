// @vitest-environment happy-dom
import * as Desk from "../desk/Desk.ts"
import { h } from "preact"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { AppState } from "../../../src/messages/AppState.ts"
import type { TestStage } from "../../../src/ui/state/TestWords.ts"
import { Welcome } from "../../../src/ui/welcome/Welcome.tsx"

const { empty, full } = Desk
const withAddress: AppState = { ...empty, baseUrl: "https://api.example.com/", connection: { _tag: "NoKey" } }
const withKey: AppState = { ...withAddress, keyHint: "7f3a", connection: { _tag: "Ready" } }

let closed = 0
const open = (state: AppState, step = "", answer?: Desk.Answer) => {
  history.replaceState(null, "", `#${step}`)
  return Desk.mount(state, h(Welcome, { onClose: () => void closed++ }), answer)
}

const stages = (outcome: TestStage["outcome"]): ReadonlyArray<TestStage> =>
  (["address", "tls", "key", "contracts", "cursor", "clock"] as const).map((stage) => ({
    stage,
    outcome: stage === "contracts" ? outcome : "ok",
    message: `About ${stage}.`,
  }))

const place = (): string => Desk.words(document.querySelector(".welcome-place"))
const title = (): string => Desk.words(document.querySelector("h1"))

beforeEach(() => {
  closed = 0
})
afterEach(Desk.tidy)

describe("the first steps", () => {
  it("lead from nothing to the first sync, one thing to do at a time", async () => {
    const desk = await open(empty, "", (request, state) => {
      if (request.type === "page.setAddress") return withAddress
      if (request.type === "page.setKey") return withKey
      if (request.type === "page.addSite") return { ...withKey, sites: full.sites }
      return state
    })
    expect([place(), title()]).toEqual(["Step 1 of 4", "Where are your contracts?"])
    expect(Desk.has("Back")).toBe(false)
    await Desk.type("Service address", "https://api.example.com")
    await Desk.press("Allow and continue")

    expect([place(), title()]).toEqual(["Step 2 of 4", "Add an API key"])
    expect(document.activeElement?.tagName).toBe("H1")
    await Desk.type("API key", "dk_live_0123456789abcdef7f3a")
    await Desk.press("Save and test")
    expect(desk.isTesting()).toBe(true)
    await desk.stage(stages("ok"), true)
    await Desk.settle()
    expect(document.activeElement?.textContent).toBe("Continue")
    await Desk.press("Continue")

    expect([place(), title()]).toEqual(["Step 3 of 4", "Where are your listings?"])
    await Desk.type("Address of a listing site", "homes.example")
    await Desk.press("Allow site")
    await Desk.press("Continue")

    expect(place()).toBe("Step 4 of 4")
    await desk.set({
      ...withKey,
      sync: { _tag: "Syncing", startedAt: "", pages: 3, records: 300, expected: null, waiting: null },
    })
    expect(Desk.words()).toContain("300contracts synced")
    expect(Desk.words()).toContain("The sync continues in the background")
    await desk.set(full)
    expect(title()).toBe("Your contracts are synced")
    expect(Desk.words()).toContain("Setup is complete. You can close this tab.")
    const [site] = full.sites
    expect(document.querySelector<HTMLAnchorElement>(`a[href="${site!.origin}"]`)?.textContent).toBe(
      `Open ${new URL(site!.origin).host}`,
    )
    await Desk.press("Close tab")
    expect(closed).toBe(1)
    expect(Desk.grants.asked).toEqual(["https://api.example.com/*", "https://homes.example/*"])
  })

  it("say which step it is to those who do not see it", async () => {
    await open(withAddress, "key")
    expect(Desk.words(document.querySelector("[aria-current=step]"))).toBe("2Key")
  })

  it("stay where they are after a reload", async () => {
    await open(withKey, "sites")
    expect(place()).toBe("Step 3 of 4")
  })

  it("go back, and past what can wait", async () => {
    await open(withAddress, "key")
    await Desk.press("I have no key yet")
    expect(place()).toBe("Step 3 of 4")
    await Desk.press("Not now")
    expect(place()).toBe("Step 4 of 4")
    await Desk.press("Back")
    await Desk.press("Back")
    await Desk.press("Back")
    expect(place()).toBe("Step 1 of 4")
    expect(Desk.box("Service address").value).toBe("https://api.example.com/")
  })

  it("do not go past the address, because nothing works without", async () => {
    await open(empty)
    expect([...document.querySelectorAll("button")].map((button) => Desk.words(button))).toEqual([
      "Allow and continue",
    ])
  })
})

describe("a step that does not work out", () => {
  it("stays at the address when it was denied", async () => {
    await open(empty)
    Desk.grants.isAllowed = false
    await Desk.type("Service address", "https://api.example.com")
    await Desk.press("Allow and continue")
    expect(place()).toBe("Step 1 of 4")
    expect(Desk.alerts().join()).toContain("The browser did not allow api.example.com.")
  })

  it("shows what is wrong with the key, and takes another one", async () => {
    const desk = await open(withAddress, "key", () => withKey)
    await Desk.type("API key", "dk_wrong")
    await Desk.press("Save and test")
    await desk.stage(stages("failed"), true)
    expect(Desk.words()).toContain("About contracts.")
    expect(Desk.has("Continue anyway")).toBe(true)
    await Desk.type("Replace the key", "dk_right")
    await Desk.press("Save and test")
    expect(desk.requests).toEqual([
      { type: "page.setKey", key: "dk_wrong" },
      { type: "page.setKey", key: "dk_right" },
    ])
  })

  it("leads from the last screen back to the key that is missing", async () => {
    await open(withAddress, "sync")
    document.querySelector<HTMLButtonElement>(".notice button")?.click()
    await Desk.settle()
    expect(place()).toBe("Step 2 of 4")
  })

  it("says what a sync waits for", async () => {
    const until = new Date(Date.now() + 60_000).toISOString()
    await open(
      {
        ...withKey,
        sync: {
          _tag: "Syncing",
          startedAt: "",
          pages: 3,
          records: 300,
          expected: 2_500,
          waiting: { reason: "rate-limited", until },
        },
      },
      "sync",
    )
    expect(Desk.words(document.querySelector(".first-sync-wait"))).not.toBe("")
    expect(document.querySelector("progress")?.getAttribute("value")).toBe("0.12")
  })

  it("starts the sync again where that is what there is to do", async () => {
    const desk = await open(withKey, "sync")
    document.querySelector<HTMLButtonElement>(".notice button")?.click()
    await Desk.settle()
    expect(desk.requests).toEqual([{ type: "page.sync" }])
  })
})

// @vitest-environment happy-dom
import * as Counter from "./Counter.ts"
import * as Desk from "../desk/Desk.ts"
import { afterEach, describe, expect, it } from "vitest"
import type { AppState } from "../../../src/messages/AppState.ts"
import { locked, withLock } from "../gallery/LockScenes.ts"
import { contracts, ready } from "../gallery/Worlds.ts"

afterEach(Desk.tidy)

const unlockedBy = (state: AppState) => ({
  answers: { "page.unlock": state },
  contracts,
})
const select = async (value: string): Promise<void> => {
  const choice = Desk.box("Current account") as unknown as HTMLSelectElement
  choice.value = value
  choice.dispatchEvent(new Event("change", { bubbles: true }))
  await Counter.settle()
}
const opened = async (...given: Parameters<typeof Counter.open>) => {
  const counter = await Counter.open(...given)
  await Desk.waitFor(() => document.querySelector(".unlock, .account-bar") !== null)
  return counter
}

describe("the locked popup", () => {
  it("shows nothing of the index, no search and no site, and has the focus in the box", async () => {
    await opened(locked, {}, { tab: "https://homes.example/homes/olive-loft" })
    expect(document.querySelector("[role=option], .lookup, .site-bar, .header-facts")).toBeNull()
    expect(Desk.words()).toContain("Enter your passphrase to see your contracts.")
    expect(Desk.box("Passphrase").type).toBe("password")
    expect(Desk.box("Passphrase").getAttribute("autocomplete")).toBe("off")
    expect(document.activeElement).toBe(Desk.box("Passphrase"))
  })

  it("hands the passphrase over once, drops it, and shows the contracts that come", async () => {
    const { asked, background } = await opened(locked, unlockedBy(ready))
    await Desk.type("Passphrase", "correct horse")
    await Desk.press("Unlock")
    expect(asked("page.unlock")).toEqual([{ type: "page.unlock", passphrase: "correct horse" }])
    background.set(ready)
    await Desk.waitFor(() => Counter.rows().length > 0)
    expect(document.querySelector(".unlock")).toBeNull()
    expect(document.documentElement.outerHTML).not.toContain("correct horse")
  })

  it("says what a wrong passphrase costs, with an empty box", async () => {
    const error = { _tag: "UserError", message: "Wrong passphrase.", advice: "Try again." }
    await opened(locked, { answers: { "page.unlock": error } })
    await Desk.type("Passphrase", "wrong")
    await Desk.press("Unlock")
    expect(Desk.alerts().join()).toContain("Wrong passphrase. Try again.")
    expect(Desk.box("Passphrase").value).toBe("")
  })

  it("asks nothing without a passphrase, and nothing while there is to wait", async () => {
    const { asked, background } = await opened(locked)
    await Desk.press("Unlock")
    const waitUntil = new Date(Date.now() + 60_000).toISOString()
    background.set({ ...locked, lock: { ...locked.lock, waitUntil } })
    await Counter.settle()
    expect(Desk.button("Unlock").disabled).toBe(true)
    await Desk.type("Passphrase", "correct horse")
    document.querySelector("form")?.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }))
    await Counter.settle()
    expect(asked("page.unlock")).toEqual([])
  })

  it("clears everything for who has forgotten it, and only after it was asked once more", async () => {
    const { asked } = await opened(locked)
    await Desk.press("Forgot passphrase?")
    expect(Desk.words()).toContain("The passphrase cannot be recovered.")
    expect(asked("page.clear")).toEqual([])
    await Desk.press("Clear all data")
    expect(asked("page.clear")).toHaveLength(1)
  })

  it("locks at once by its button, and takes everything away when the state says so", async () => {
    const { asked, background } = await opened(withLock)
    expect(Counter.rows().length).toBeGreaterThan(0)
    await Desk.press("Lock now")
    expect(asked("page.lock")).toHaveLength(1)
    background.set(locked)
    await Desk.waitFor(() => document.querySelector(".unlock") !== null)
    expect(Counter.rows()).toEqual([])
  })
})

describe("accounts in the popup", () => {
  const two: AppState = {
    ...ready,
    accounts: [
      { id: "first", name: "", baseUrl: "https://api.homes.example/" },
      { id: "second", name: "Lettings", baseUrl: null },
    ],
  }

  it("are not there while there is one, and no lock", async () => {
    await Counter.open(ready)
    await Counter.settle()
    expect(document.querySelector(".account-bar")).toBeNull()
  })

  it("are chosen by their names, and the rows are those of the other one then", async () => {
    const { asked, background } = await opened(two)
    const choice = Desk.box("Current account") as unknown as HTMLSelectElement
    expect([...choice.options].map(({ text }) => text)).toEqual(["api.homes.example", "Lettings"])
    expect(choice.value).toBe("first")
    const searches = asked("page.search").length
    await select("second")
    expect(asked("page.switchAccount")).toEqual([{ type: "page.switchAccount", id: "second" }])
    background.set({ ...two, account: "second" })
    await Counter.settle()
    expect(asked("page.search").length).toBeGreaterThan(searches)
  })

  it("leave the contract that was looked at when another one is used", async () => {
    const { background } = await opened(two, {}, { subject: { _tag: "Contract", id: 1324 } })
    await Desk.waitFor(() => document.querySelector(".detail") !== null)
    background.set({ ...two, account: "second" })
    await Desk.waitFor(() => document.querySelector(".detail") === null)
    expect(Counter.isDetail()).toBe(false)
  })
})

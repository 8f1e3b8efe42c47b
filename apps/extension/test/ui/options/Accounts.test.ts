// @vitest-environment happy-dom
import * as Desk from "../desk/Desk.ts"
import { h, render } from "preact"
import { afterEach, describe, expect, it, onTestFinished } from "vitest"
import type { AppState } from "../../../src/messages/AppState.ts"
import { Options } from "../../../src/ui/options/Options.tsx"
import { BackgroundContext } from "../../../src/ui/state/Live.ts"

const { full } = Desk
const two: AppState = {
  ...full,
  accounts: [...full.accounts, { id: "second", name: "Lettings", baseUrl: null }],
}
const open = (state: AppState, answer?: Desk.Answer) =>
  Desk.mount(state, h(Options, { wantedSite: "" }), answer)
const section = (): string => Desk.words(document.querySelector("#accounts"))

afterEach(Desk.tidy)

describe("a link to the accounts", () => {
  it("has the focus with the first content, so that it is not taken from who types already", async () => {
    const { background } = await open(full)
    await Desk.tidy()
    location.hash = "#accounts"
    onTestFinished(() => void (location.hash = ""))
    const children = h(Options, { wantedSite: "" })
    render(h(BackgroundContext.Provider, { value: background, children }), document.body)
    // No frame is painted between microtasks.
    for (let turn = 0; turn < 100 && document.getElementById("account-new") === null; turn++)
      await Promise.resolve()
    expect(document.activeElement?.textContent).toBe("Accounts")
    await Desk.settle()
  })
})

describe("accounts in the options", () => {
  it("are one at first, called by its address, which cannot be removed", async () => {
    await open(full)
    expect(section()).toContain("api.example.comCurrent")
    expect(Desk.has("Remove account")).toBe(false)
  })

  it("are added by a name, while the one in use stays in use", async () => {
    const desk = await open(full, () => two)
    await Desk.type("Name of the new account", "Lettings")
    await Desk.press("Add account")
    expect(desk.requests).toEqual([{ type: "page.addAccount", name: "Lettings" }])
    expect(section()).toContain("api.example.comCurrent")
    expect(section()).toContain("Switch to it to set its address and key.")
    expect(Desk.box("Service address").value).toBe("https://api.example.com/")
  })

  it("are used by a button, and the address shown is that of the one in use", async () => {
    const desk = await open(two, () => ({ ...two, account: "second", baseUrl: null }))
    expect(Desk.box("Service address").value).toBe("https://api.example.com/")
    await Desk.press("Switch Lettings")
    expect(desk.requests).toEqual([{ type: "page.switchAccount", id: "second" }])
    expect(Desk.box("Service address").value).toBe("")
  })

  it("get another name", async () => {
    const desk = await open(full)
    const box = document.querySelector<HTMLInputElement>("#account-first")!
    box.value = "Homes"
    box.dispatchEvent(new Event("input", { bubbles: true }))
    await Desk.settle()
    box.closest("form")!.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }))
    await Desk.settle()
    expect(desk.requests).toEqual([{ type: "page.renameAccount", id: "first", name: "Homes" }])
  })

  it("are removed after it was said what goes, and asked once more", async () => {
    const desk = await open(two)
    const [, second] = document.querySelectorAll(".account-card")
    second!.querySelector<HTMLButtonElement>(".button-danger")!.click()
    await Desk.settle()
    expect(Desk.words(second)).toContain("Remove Lettings?Removes its key and all its saved contracts")
    expect(desk.requests).toEqual([])
    await Desk.press("Yes, remove")
    expect(desk.requests).toEqual([{ type: "page.removeAccount", id: "second" }])
  })
})

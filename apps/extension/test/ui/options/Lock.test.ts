// @vitest-environment happy-dom
import * as Desk from "../desk/Desk.ts"
import { h } from "preact"
import { afterEach, describe, expect, it } from "vitest"
import type { AppState } from "../../../src/messages/AppState.ts"
import { Options } from "../../../src/ui/options/Options.tsx"
import { locked, withLock } from "../gallery/LockScenes.ts"

const { full } = Desk
const open = (state: AppState, answer?: Desk.Answer) =>
  Desk.mount(state, h(Options, { wantedSite: "" }), answer)
const section = (): string => Desk.words(document.querySelector("#lock"))
const submit = async (within: string): Promise<void> => {
  document
    .querySelector(within)
    ?.closest("form")
    ?.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }))
  await Desk.settle()
}
const choose = async (value: string): Promise<void> => {
  const choice = Desk.box("Lock automatically") as unknown as HTMLSelectElement
  choice.value = value
  choice.dispatchEvent(new Event("change", { bubbles: true }))
  await Desk.settle()
}

afterEach(Desk.tidy)

describe("the lock in the options", () => {
  it("says what is encrypted and what is not, and what forgetting means", async () => {
    await open(full)
    expect(section()).toContain("The passphrase encrypts the API keys of all accounts.")
    expect(section()).toContain("Saved contracts are not encrypted:")
    expect(section()).toContain("you must clear everything and start over")
  })

  it("sets a passphrase that was typed twice, and keeps nothing of it on the page", async () => {
    const desk = await open(full, () => withLock)
    await Desk.type("Repeat new passphrase", "correct horse")
    document.querySelector<HTMLInputElement>("#passphrase-next")!.value = "correct horse"
    document.querySelector("#passphrase-next")!.dispatchEvent(new Event("input", { bubbles: true }))
    await Desk.settle()
    await submit("#passphrase-next")
    expect(desk.requests).toEqual([
      { type: "page.setPassphrase", passphrase: "correct horse", current: null },
    ])
    expect(
      [...document.querySelectorAll<HTMLInputElement>("input[type=password]")].map(({ value }) => value),
    ).not.toContain("correct horse")
  })

  it.each([
    ["short", "short", "too short"],
    ["correct horse", "correct house", "do not match"],
  ])("asks nothing for %s and %s", async (next, again, problem) => {
    const desk = await open(full)
    await Desk.type("Repeat new passphrase", again)
    document.querySelector<HTMLInputElement>("#passphrase-next")!.value = next
    document.querySelector("#passphrase-next")!.dispatchEvent(new Event("input", { bubbles: true }))
    await Desk.settle()
    await submit("#passphrase-next")
    expect(desk.requests).toEqual([])
    expect(section()).toContain(problem)
  })

  it("locks at once, and after the time that is chosen", async () => {
    const desk = await open(withLock)
    await choose("5")
    await choose("")
    await Desk.press("Lock now")
    expect(desk.requests).toEqual([
      { type: "page.setLockAfter", minutes: 5 },
      { type: "page.setLockAfter", minutes: null },
      { type: "page.lock" },
    ])
  })

  it("changes and removes a passphrase with the one that there is only", async () => {
    const desk = await open(withLock)
    await submit("#passphrase-remove")
    await submit("#passphrase-next")
    expect(desk.requests).toEqual([])
    const remove = document.querySelector<HTMLInputElement>("#passphrase-remove")!
    remove.value = "correct horse"
    remove.dispatchEvent(new Event("input", { bubbles: true }))
    await Desk.settle()
    await submit("#passphrase-remove")
    expect(desk.requests).toEqual([{ type: "page.removePassphrase", current: "correct horse" }])
    expect(remove.value).toBe("")
  })

  it("is all that the page shows while it is locked", async () => {
    const desk = await open(locked, () => withLock)
    expect(document.querySelectorAll("main section")).toHaveLength(1)
    expect(document.querySelector("nav")?.hidden).toBe(true)
    await Desk.type("Passphrase", "correct horse")
    await Desk.press("Unlock")
    expect(desk.requests).toEqual([{ type: "page.unlock", passphrase: "correct horse" }])
    expect(document.querySelector("#lock")).not.toBeNull()
  })
})

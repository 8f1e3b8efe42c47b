// @vitest-environment happy-dom
/** What the browser says about deleting saved data, and when it is asked not to. */
import * as Desk from "../desk/Desk.ts"
import type { ComponentChild } from "preact"
import { h, render } from "preact"
import { act } from "preact/test-utils"
import { afterEach, describe, expect, it } from "vitest"
import type { AppState } from "../../../src/messages/AppState.ts"
import { Options } from "../../../src/ui/options/Options.tsx"
import { Popup } from "../../../src/ui/popup/Popup.tsx"
import { Welcome } from "../../../src/ui/welcome/Welcome.tsx"

const { full, storage } = Desk
const unread: AppState = { ...full, index: { ...full.index, contracts: 0, completedAt: null } }

/** Closes the page that is open, and opens another one in a new tab. */
const open = async (state: AppState, page: ComponentChild): Promise<Desk.Desk> => {
  await act(() => render(null, document.body))
  return Desk.mount(state, page)
}
const options = () => open(full, h(Options, { wantedSite: "" }))
const welcome = (state = full, step = "sync") => {
  history.replaceState(null, "", `#${step}`)
  return open(state, h(Welcome, { onClose: () => {} }))
}
const said = (): string => Desk.words(document.querySelector(".protect p"))
const hint = "If the browser asks to store data persistently, allow it."

afterEach(Desk.tidy)

describe("the options", () => {
  it("say that saved data is protected, and offer nothing", async () => {
    storage.persisted = () => Promise.resolve(true)
    await options()
    expect(said()).toBe("Protected: the browser does not delete saved data when disk space is low.")
    expect(document.querySelector(".protect button")).toBeNull()
  })

  it("say that the browser may delete it, what that would take, and ask only after a click", async () => {
    await options()
    expect(said()).toContain("The browser can delete saved data when disk space is low.")
    expect(said()).toContain("you would have to enter the key and the settings again")
    expect(storage.asked).toBe(0)
    storage.persist = () => Promise.resolve(true)
    await Desk.press("Protect saved data")
    expect(storage.asked).toBe(1)
    expect(said()).toContain("Protected:")
  })

  it("say that the browser declined the request, and still what it may do", async () => {
    await options()
    await Desk.press("Protect saved data")
    expect(said()).toContain("The browser declined the request. The browser can delete saved data")
    expect(Desk.button("Protect saved data").disabled).toBe(false)
  })

  it("wait for a browser that asks its user, and resume everything else", async () => {
    let answer = (_isAllowed: boolean): void => {}
    storage.persist = () =>
      new Promise((resolve) => {
        answer = resolve
      })
    const desk = await options()
    await Desk.press("Protect saved data")
    expect(Desk.button("Waiting for the browser").disabled).toBe(true)
    await Desk.choose("Dark")
    expect(desk.requests).toHaveLength(1)
    answer(true)
    await Desk.settle()
    expect(said()).toContain("Protected:")
  })

  it.each([
    ["says nothing of it", () => Promise.reject(new TypeError("no storage"))],
    [
      "knows no such thing",
      () => {
        throw new TypeError("persisted is not a function")
      },
    ],
  ])("say that they do not know where the browser %s", async (_what, persisted) => {
    storage.persisted = persisted
    await options()
    expect(said()).toContain("This browser does not report whether it can delete saved data")
    expect(document.querySelector(".protect button")).toBeNull()
  })
})

describe("the browser is asked by itself", () => {
  it("once the first read is complete, in the first steps, and never again", async () => {
    const desk = await welcome(unread)
    await desk.set({
      ...unread,
      sync: { _tag: "Syncing", startedAt: "", pages: 1, records: 100, expected: null, waiting: null },
    })
    expect(storage.asked).toBe(0)
    await desk.set(full)
    await Desk.settle()
    expect(storage.asked).toBe(1)
    await desk.set({ ...full, index: { ...full.index, completedAt: "2026-03-02T00:00:00Z" } })
    for (let visit = 0; visit < 3; visit++) await welcome()
    await options()
    expect(storage.asked).toBe(1)
  })

  it("with a word about its question, as long as it waits for its user", async () => {
    let answer = (_isAllowed: boolean): void => {}
    storage.persist = () =>
      new Promise((resolve) => {
        answer = resolve
      })
    await welcome()
    expect(Desk.words()).toContain(hint)
    answer(false)
    await Desk.settle()
    expect(Desk.words()).not.toContain(hint)
    expect(Desk.words()).toContain("You can close this tab.")
  })

  it("not where saved data is protected already, nor where it does not say", async () => {
    storage.persisted = () => Promise.resolve(true)
    await welcome()
    storage.persisted = () => Promise.reject(new Error("no storage"))
    await welcome()
    expect(storage.asked).toBe(0)
  })

  it("not before there is anything to protect, and not in the popup", async () => {
    for (const step of ["address", "key", "sites"]) await welcome(full, step)
    await welcome({ ...unread, connection: { _tag: "WrongKey" } })
    await open(full, h(Popup, { subject: { _tag: "Page" } }))
    await options()
    expect(storage.asked).toBe(0)
  })

  it("anew when everything was cleared, with what was remembered of it", async () => {
    await welcome()
    expect(localStorage.length).toBe(1)
    await options()
    await Desk.press("Clear everything…")
    await Desk.press("Clear all data")
    expect(localStorage.length).toBe(0)
    await welcome()
    expect(storage.asked).toBe(2)
  })
})

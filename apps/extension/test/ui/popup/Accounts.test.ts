// @vitest-environment happy-dom
import * as Counter from "./Counter.ts"
import * as Desk from "../desk/Desk.ts"
import { afterEach, describe, expect, it } from "vitest"
import type { AppState } from "../../../src/messages/AppState.ts"
import { ready } from "../gallery/Worlds.ts"

afterEach(Desk.tidy)

const select = async (value: string): Promise<void> => {
  const choice = Desk.box("Current account") as unknown as HTMLSelectElement
  choice.value = value
  choice.dispatchEvent(new Event("change", { bubbles: true }))
  await Counter.settle()
}
const opened = async (...given: Parameters<typeof Counter.open>) => {
  const counter = await Counter.open(...given)
  await Desk.waitFor(() => document.querySelector(".account-bar") !== null)
  return counter
}

describe("accounts in the popup", () => {
  const two: AppState = {
    ...ready,
    accounts: [
      { id: "first", name: "", baseUrl: "https://api.homes.example/" },
      { id: "second", name: "Lettings", baseUrl: null },
    ],
  }

  it("are not there while there is one", async () => {
    await Counter.open(ready)
    await Counter.settle()
    expect(document.querySelector(".account-bar")).toBeNull()
  })

  it("are chosen by their names, and the rows are those of the other one then", async () => {
    const { asked, background } = await opened(two)
    const choice = Desk.box("Current account") as unknown as HTMLSelectElement
    expect([...choice.options].map(({ text }) => text)).toEqual(["api.homes.example", "Lettings"])
    expect(choice.value).toBe("first")
    const searches = asked("index.search").length
    await select("second")
    expect(asked("page.switchAccount")).toEqual([{ type: "page.switchAccount", id: "second" }])
    background.set({ ...two, account: "second" })
    await Counter.settle()
    expect(asked("index.search").length).toBeGreaterThan(searches)
  })

  it("leave the contract that was looked at when another one is used", async () => {
    const { background } = await opened(two, {}, { subject: { _tag: "Contract", id: 1324 } })
    await Desk.waitFor(() => document.querySelector(".detail") !== null)
    background.set({ ...two, account: "second" })
    await Desk.waitFor(() => document.querySelector(".detail") === null)
    expect(Counter.isDetail()).toBe(false)
  })
})

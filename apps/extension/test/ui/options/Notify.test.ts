// @vitest-environment happy-dom
import * as Desk from "../desk/Desk.ts"
import { h } from "preact"
import { act } from "preact/test-utils"
import { afterEach, describe, expect, it } from "vitest"
import { Notify } from "../../../src/ui/options/Notify.tsx"
import { setNotifies } from "../desk/DeskBrowser.ts"

const name = "Notify me when watched contracts change"
const denied = "The browser did not allow notifications."
const box = (): HTMLInputElement => Desk.box(name)
const click = async (): Promise<void> => {
  await act(() => box().click())
  await Desk.settle()
}
const open = () => Desk.mount(Desk.full, h(Notify, {}))

afterEach(Desk.tidy)

describe("the switch for notifications", () => {
  it("is off until it is turned on, which asks the browser in the click itself", async () => {
    const { requests } = await open()
    expect([box().checked, box().disabled]).toEqual([false, false])
    box().click()
    expect(Desk.grants.asked).toEqual(["notifications"])
    await Desk.settle()
    expect(box().checked).toBe(true)
    expect(Desk.grants.notifies).toBe(true)
    expect(Desk.words()).not.toContain(denied)
    expect(requests).toEqual([])
  })

  it("gives the permission back when it is turned off", async () => {
    Desk.grants.notifies = true
    await open()
    expect(box().checked).toBe(true)
    await click()
    expect([box().checked, Desk.grants.notifies]).toEqual([false, false])
    expect(Desk.grants.asked).toEqual([])
    expect(Desk.words()).not.toContain(denied)
  })

  it("stays off where the browser or its user says no, and says so until it is asked again", async () => {
    Desk.grants.isAllowed = false
    await open()
    await click()
    expect(box().checked).toBe(false)
    expect(Desk.words()).toContain(denied)
    Desk.grants.isAllowed = true
    await click()
    expect(box().checked).toBe(true)
    expect(Desk.words()).not.toContain(denied)
  })

  it("follows what is allowed outside of the page", async () => {
    await open()
    await act(() => setNotifies(true))
    await Desk.settle()
    expect(box().checked).toBe(true)
    await act(() => setNotifies(false))
    await Desk.settle()
    expect(box().checked).toBe(false)
  })
})

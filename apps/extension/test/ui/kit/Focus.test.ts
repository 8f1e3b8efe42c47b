// @vitest-environment happy-dom
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest"
import * as Focus from "../../../src/ui/kit/Focus.ts"

const press = (type: "keydown" | "pointerdown"): boolean =>
  document.body.dispatchEvent(new Event(type, { bubbles: true }))

beforeAll(() => Focus.keep())
beforeEach(() => press("keydown"))
afterEach(() => document.body.replaceChildren())

/** Lets what was changed be noticed, and two frames pass. */
const frames = async (): Promise<void> => {
  for (let turn = 0; turn < 4; turn++) await new Promise((go) => requestAnimationFrame(go))
}

/** Buttons with these names, one after the other. */
const buttons = (...names: ReadonlyArray<string>): ReadonlyArray<HTMLButtonElement> =>
  names.map((name) => {
    const button = document.body.appendChild(document.createElement("button"))
    button.textContent = name
    return button
  })

const at = (): string | null =>
  document.activeElement === document.body ? null : (document.activeElement?.textContent ?? null)

it("comes back to a button that was disabled for a while", async () => {
  const [ask] = buttons("Ask", "Other")
  ask!.focus()
  ask!.blur()
  ask!.disabled = true
  await frames()
  expect(at()).toBeNull()
  ask!.disabled = false
  await frames()
  expect(at()).toBe("Ask")
})

it("moves to what comes after an element that is gone, and back where nothing does", async () => {
  const [, second, third] = buttons("First", "Second", "Third")
  second!.focus()
  second!.remove()
  await frames()
  expect(at()).toBe("Third")
  third!.remove()
  await frames()
  expect(at()).toBe("First")
})

it("leaves it where the page puts it", async () => {
  const [opener, , question] = buttons("Clear", "Next", "Question")
  opener!.focus()
  opener!.remove()
  requestAnimationFrame(() => question!.focus())
  await frames()
  expect(at()).toBe("Question")
})

it("leaves it nowhere for who points", async () => {
  const [button] = buttons("Button", "Next")
  button!.focus()
  press("pointerdown")
  button!.remove()
  await frames()
  expect(at()).toBeNull()
})

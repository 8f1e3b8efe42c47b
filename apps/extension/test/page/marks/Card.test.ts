// @vitest-environment happy-dom
import { textOf } from "../Browser.ts"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import * as Card from "../../../src/page/marks/Card.ts"
import * as Shadow from "../../../src/page/marks/Shadow.ts"
import { detail } from "../Facts.ts"

let end: AbortController
let asked: Array<string>
let known: ReturnType<typeof detail> | null
let place: number

const badge = () => document.querySelector<HTMLElement>("[data-deedkit=badge]")!
const card = () => document.querySelector("[data-deedkit=card]")
const link = () => document.querySelector("a")!
const wait = (millis: number) => vi.advanceTimersByTimeAsync(millis)

beforeEach(() => {
  vi.useFakeTimers()
  end = new AbortController()
  asked = []
  known = detail()
  place = 0
  document.body.innerHTML = '<a href="/blue">Blue</a> <a href="/other">Other</a> <p>text</p>'
  const { host } = Shadow.make("badge")
  host.getBoundingClientRect = () => new DOMRect(place, 0, 10, 10)
  link().prepend(host)
  // happy-dom knows no `:focus-visible`; here everything with the focus has it.
  vi.spyOn(Element.prototype, "closest").mockImplementation(function (this: Element, selector: string) {
    return selector === "a:focus-visible" && this.localName === "a" ? this : null
  })
  const source: Card.CardSource = {
    referenceOf: (element) => (element === host || element === link() ? "blue" : null),
    detail: (reference) => {
      asked.push(reference)
      return Promise.resolve(known)
    },
  }
  Card.make(source, end.signal)
})
afterEach(() => {
  end.abort()
  card()?.remove()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** An event as the browser sends it, or as a script does. */
const dispatch = (target: EventTarget, type: string, members: object = {}) => {
  const event = new Event(type, { bubbles: true, cancelable: true })
  for (const [name, value] of Object.entries({ isTrusted: true, ...members })) {
    Object.defineProperty(event, name, { value })
  }
  target.dispatchEvent(event)
}
/** The pointer at a place of the screen, over an element. */
const point = (target: EventTarget, screenX: number, members: object = {}) =>
  dispatch(target, "pointermove", { screenX, screenY: 7, clientX: screenX, clientY: 7, ...members })
const paragraph = () => document.querySelector("p")!

describe("the card", () => {
  it("opens for a pointer that is moved onto a badge and rests there, and closes when it leaves", async () => {
    point(paragraph(), 1)
    point(badge(), 2)
    await wait(140)
    expect(asked).toEqual([])
    await wait(20)
    expect(asked).toEqual(["blue"])
    expect(textOf(card())).toContain("Bright flat")
    point(paragraph(), 3)
    point(paragraph(), 4)
    await wait(260)
    expect(card()).toBeNull()
  })

  it("stays while the pointer is on its badge, and goes with Escape and with what is scrolled", async () => {
    const open = async () => {
      point(paragraph(), 1)
      point(badge(), 2)
      await wait(200)
      expect(card()).not.toBeNull()
    }
    await open()
    point(badge(), 3)
    await wait(5_000)
    expect(card()).not.toBeNull()
    dispatch(document.body, "keydown", { key: "Escape" })
    expect(card()).toBeNull()
    await open()
    dispatch(document, "scroll")
    expect(card()).toBeNull()
  })

  it("does not open for a pointer that only passes", async () => {
    point(paragraph(), 1)
    point(badge(), 2)
    await wait(100)
    point(paragraph(), 3)
    await wait(1_000)
    expect(asked).toEqual([])
  })

  it.each([
    ["events of a script", () => [1, 2, 3].forEach((at) => point(badge(), at, { isTrusted: false }))],
    [
      "a pointer at rest that the page moves a badge below",
      () => [1, 1, 1].forEach((at) => point(badge(), at)),
    ],
    ["the first event of a page, which a pointer at rest has, too", () => point(badge(), 5)],
    [
      "events that say that the pointer is over it, and no move",
      () => {
        dispatch(badge(), "pointerover", { screenX: 1, screenY: 1 })
        dispatch(badge(), "pointerenter", { screenX: 2, screenY: 1 })
        dispatch(badge(), "mousemove", { screenX: 3, screenY: 1 })
      },
    ],
    ["a press", () => ["pointerdown", "mousedown", "click"].forEach((type) => dispatch(badge(), type))],
    ["a focus that a script sets", () => dispatch(link(), "focusin")],
    [
      "a Tab key that a script makes",
      () => {
        dispatch(document.body, "keydown", { key: "Tab", isTrusted: false })
        dispatch(link(), "focusin")
      },
    ],
    [
      "another key",
      () => {
        dispatch(document.body, "keydown", { key: "a" })
        dispatch(link(), "focusin")
      },
    ],
  ])("does not open for %s", async (_what, act) => {
    act()
    await wait(1_000)
    expect(asked).toEqual([])
    expect(card()).toBeNull()
  })

  it("does not open at a badge that the page moves while the pointer rests on it", async () => {
    point(paragraph(), 1)
    point(badge(), 2)
    await wait(100)
    place = 40
    await wait(1_000)
    expect(asked).toEqual([])
  })

  it("opens at a link that the Tab key brings the focus to, and closes when the focus leaves it", async () => {
    dispatch(document.body, "keydown", { key: "Tab" })
    dispatch(link(), "focusin")
    await wait(0)
    expect(asked).toEqual(["blue"])
    expect(textOf(card())).toContain("Bright flat")
    point(paragraph(), 1)
    point(paragraph(), 2)
    await wait(1_000)
    expect(card()).not.toBeNull()
    dispatch(link(), "focusout")
    await wait(260)
    expect(card()).toBeNull()
  })

  it("does not open where a script sets the focus while it hears of the Tab key, or after it has refused the key", async () => {
    const focus = () => dispatch(link(), "focusin")
    document.body.addEventListener("keydown", focus, { once: true })
    dispatch(document.body, "keydown", { key: "Tab" })
    await wait(1_000)
    document.body.addEventListener("keydown", (event) => event.preventDefault(), { once: true })
    dispatch(document.body, "keydown", { key: "Tab" })
    focus()
    await wait(1_000)
    expect(asked).toEqual([])
  })

  it("does not open for a focus that comes long after the Tab key, or second after it", async () => {
    dispatch(document.body, "keydown", { key: "Tab" })
    await wait(200)
    dispatch(link(), "focusin")
    dispatch(document.body, "keydown", { key: "Tab" })
    dispatch(document.querySelectorAll("a")[1]!, "focusin")
    dispatch(link(), "focusin")
    await wait(1_000)
    expect(asked).toEqual([])
  })

  it("says that there is nothing to show where that is refused", async () => {
    known = null
    dispatch(document.body, "keydown", { key: "Tab" })
    dispatch(link(), "focusin")
    await wait(0)
    expect(textOf(card())).toBe("Contracts could not be loaded. Try again in a moment.")
  })

  it("has nothing left in it when it is closed", async () => {
    dispatch(document.body, "keydown", { key: "Tab" })
    dispatch(link(), "focusin")
    await wait(0)
    const host = card()
    dispatch(document.body, "keydown", { key: "Escape" })
    expect(textOf(host)).toBe("")
  })
})

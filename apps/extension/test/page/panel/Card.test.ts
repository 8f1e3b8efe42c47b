// @vitest-environment happy-dom
import "../Browser.ts"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import * as Card from "../../../src/page/panel/Card.ts"
import { fact } from "../Facts.ts"

let end: AbortController
let asked: Array<string>
let isRefused: boolean
let place: number
/** What the pointer is over. */
let over: EventTarget | null
/** Where the card is drawn: at its mark or its link. */
let drawn: Element | null
let places: number

const badge = () => document.querySelector<HTMLElement>("i")!
const link = () => document.querySelector("a")!
const wait = (millis: number) => vi.advanceTimersByTimeAsync(millis)

beforeEach(() => {
  vi.useFakeTimers()
  end = new AbortController()
  asked = []
  isRefused = false
  place = 0
  over = drawn = null
  places = 0
  document.body.innerHTML = '<a href="/blue">Blue</a> <a href="/other">Other</a> <p>text</p><i></i>'
  const box = badge()
  box.getBoundingClientRect = () => new DOMRect(place, 0, 10, 10)
  // happy-dom knows no `:focus-visible`; here everything with the focus has it.
  vi.spyOn(Element.prototype, "closest").mockImplementation(function (this: Element, selector: string) {
    return selector === ":focus-visible" ? this : null
  })
  const listing = { reference: "blue", fact: fact() }
  const source: Card.CardSource = {
    marks: {
      at: () => (over === box ? { box, listing } : null),
      anchorOf: (element) => element,
      listingOf: (element) => (element === link() ? listing : null),
    },
    load: (reference) => {
      asked.push(reference)
      const draw = (element: Element) => {
        drawn = element
        return { isAt: () => over === card, place: () => void places++, remove: () => void (drawn = null) }
      }
      return Promise.resolve(isRefused ? null : draw)
    },
  }
  Card.make(source, end.signal)
})
afterEach(() => {
  end.abort()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** The card, as something that the pointer can be over. */
const card = new EventTarget()
/** An event as the browser sends it, or as a script does. */
const dispatch = (target: EventTarget, type: string, members: object = {}) => {
  const event = new Event(type, { bubbles: true, cancelable: true })
  for (const [name, value] of Object.entries({ isTrusted: true, ...members })) {
    Object.defineProperty(event, name, { value })
  }
  target.dispatchEvent(event)
}
/** The pointer at a place of the screen, over an element. */
const point = (target: EventTarget, screenX: number, members: object = {}) => {
  over = target
  const at = { screenX, screenY: 7, clientX: screenX, clientY: 7, ...members }
  dispatch(document.body, "pointermove", at)
}
const paragraph = () => document.querySelector("p")!

describe("the card", () => {
  it("opens for a pointer that is moved onto a badge and rests there, and closes when it leaves", async () => {
    point(paragraph(), 1)
    point(badge(), 2)
    await wait(140)
    expect(asked).toEqual([])
    await wait(20)
    expect(asked).toEqual(["blue"])
    expect(drawn).not.toBeNull()
    point(paragraph(), 3)
    point(paragraph(), 4)
    await wait(260)
    expect(drawn).toBeNull()
  })

  it("stays while the pointer is on its badge, and goes with Escape and with what is scrolled", async () => {
    const open = async () => {
      point(paragraph(), 1)
      point(badge(), 2)
      await wait(200)
      expect(drawn).not.toBeNull()
    }
    await open()
    point(badge(), 3)
    await wait(5_000)
    expect(drawn).toBe(badge())
    point(paragraph(), 4)
    point(card, 5)
    await wait(5_000)
    expect(drawn).not.toBeNull()
    dispatch(document.body, "keydown", { key: "Escape" })
    expect(drawn).toBeNull()
    await open()
    dispatch(document, "scroll")
    expect(drawn).toBeNull()
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
    expect(drawn).toBeNull()
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
    expect(drawn).not.toBeNull()
    point(paragraph(), 1)
    point(paragraph(), 2)
    await wait(1_000)
    expect(drawn).not.toBeNull()
    dispatch(link(), "focusout")
    await wait(260)
    expect(drawn).toBeNull()
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

  it("is drawn at its link again when the page is scrolled below the keyboard", async () => {
    dispatch(document.body, "keydown", { key: "Tab" })
    dispatch(link(), "focusin")
    await wait(0)
    expect(drawn).toBe(link())
    dispatch(document, "scroll")
    expect(places).toBe(1)
    expect(drawn).not.toBeNull()
  })

  it("is not drawn where nothing is answered, or an answer comes too late", async () => {
    isRefused = true
    dispatch(document.body, "keydown", { key: "Tab" })
    dispatch(link(), "focusin")
    await wait(0)
    expect(drawn).toBeNull()
    isRefused = false
    dispatch(document.body, "keydown", { key: "Tab" })
    dispatch(link(), "focusin")
    dispatch(document.body, "keydown", { key: "Escape" })
    await wait(0)
    expect(drawn).toBeNull()
    expect(asked).toEqual(["blue", "blue"])
  })
})

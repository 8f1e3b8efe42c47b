// @vitest-environment happy-dom
import { textOf } from "../Browser.ts"
import { beforeEach, describe, expect, it } from "vitest"
import * as Panel from "../../../src/page/panel/Panel.ts"
import * as Place from "../../../src/page/panel/Place.ts"
import { fact, makeChannel } from "../Facts.ts"

let root: ShadowRoot
beforeEach(() => {
  document.body.innerHTML = "<div></div>"
  root = document.querySelector("div")!.attachShadow({ mode: "closed" })
})

const box = () => root.querySelector<HTMLElement>(".panel")
const corner = () => box()?.dataset["corner"]
const pill = () => box()!.querySelector<HTMLElement>("button.line")!
const named = (label: string) =>
  [...box()!.querySelectorAll("button")].find(({ ariaLabel }) => ariaLabel === label)!
/** An event of the browser itself, or of a script. */
const dispatch = (target: EventTarget, type: string, members: object = {}) => {
  const event = new Event(type, { bubbles: true, cancelable: true })
  for (const [name, value] of Object.entries({ isTrusted: true, ...members })) {
    Object.defineProperty(event, name, { value })
  }
  target.dispatchEvent(event)
}
const pointer = (target: EventTarget, type: string, x: number, y: number, members: object = {}) =>
  dispatch(target, type, { pointerId: 1, button: 0, clientX: x, clientY: y, ...members })

const open = (over: Partial<Panel.Chosen> = {}) => {
  const background = makeChannel()
  let chosen: Panel.Chosen = { pill: true, ...over }
  const panel = Panel.make(background.channel, root, () => chosen)
  panel.show("blue", fact(), false)
  return {
    ...background,
    panel,
    choose: (next: Panel.Chosen) => {
      chosen = next
    },
    places: () => background.askedFor("listing.place").map(({ place }) => place),
  }
}

describe("where the panel stands", () => {
  it.each(Array.from({ length: 8 }, (_, kept) => kept))("is one number, and that number: %s", (kept) => {
    expect(Place.write(Place.read(kept))).toBe(kept)
  })

  it("is the lower right corner until it is moved, and the next one for each press of its button", () => {
    const { places } = open()
    const corners = [corner()]
    for (let presses = 0; presses < 4; presses++) {
      dispatch(named("Move to the next corner"), "click")
      corners.push(corner())
    }
    expect(corners).toEqual(["lower right", "lower left", "upper left", "upper right", "lower right"])
    expect(places()).toEqual([1, 3, 2, 0])
  })

  it("is where an arrow key leads from the pill, and the key does nothing else", () => {
    const { places } = open()
    const corners = ["ArrowUp", "ArrowLeft", "ArrowDown", "ArrowRight"].map((key) => {
      dispatch(pill(), "keydown", { key })
      return corner()
    })
    expect(corners).toEqual(["upper right", "upper left", "lower left", "lower right"])
    dispatch(pill(), "keydown", { key: "ArrowUp", isTrusted: false })
    dispatch(pill(), "keydown", { key: "a" })
    expect(corner()).toBe("lower right")
    expect(places()).toHaveLength(4)
  })

  it("is the corner next to where it was dropped, and a drag does not open it", () => {
    const { askedFor, places } = open()
    pointer(pill(), "pointerdown", innerWidth - 50, innerHeight - 20)
    pointer(window, "pointermove", 90, 40)
    expect(box()!.style.translate).not.toBe("")
    pointer(window, "pointermove", 10, 10, { pointerId: 2 })
    pointer(window, "pointerup", 90, 40)
    dispatch(pill(), "click", { detail: 1 })
    expect(corner()).toBe("upper left")
    expect(box()!.style.translate).toBe("")
    expect(places()).toEqual([3])
    expect(askedFor("listing.detail")).toEqual([])
    // A key that presses it is no end of that drag, and a press without a move is no drag.
    dispatch(pill(), "click", { detail: 0 })
    expect(pill().ariaExpanded).toBe("true")
    pointer(pill(), "pointerdown", 90, 40)
    pointer(window, "pointermove", 92, 41)
    pointer(window, "pointerup", 92, 41)
    dispatch(pill(), "click", { detail: 1 })
    expect(pill().ariaExpanded).toBe("false")
    expect(places()).toHaveLength(1)
  })

  it("stays where it is when a script drags it, and when a drag is broken off", () => {
    const { places } = open()
    for (const last of ["pointerup", "pointercancel"]) {
      const isTrusted = last === "pointercancel"
      pointer(pill(), "pointerdown", 900, 700, { isTrusted })
      pointer(window, "pointermove", 90, 40, { isTrusted })
      pointer(window, last, 90, 40, { isTrusted })
    }
    expect([corner(), box()!.style.translate, places()]).toEqual(["lower right", "", []])
  })

  it("is what was kept for the site, and stays what it is while the index changes", () => {
    const { choose, panel } = open({ place: 2 })
    expect(corner()).toBe("upper right")
    dispatch(pill(), "keydown", { key: "ArrowLeft" })
    panel.show("blue", fact({ count: 2 }), true)
    expect(corner()).toBe("upper left")
    choose({ pill: true, place: 0 })
    panel.show("blue", fact({ count: 2 }), true)
    expect(corner()).toBe("lower right")
  })

  it("leaves the pill where it is while the panel opens and closes, and with it the focus", () => {
    open()
    const watch = new MutationObserver(() => {})
    watch.observe(box()!, { childList: true })
    dispatch(pill(), "click")
    dispatch(pill(), "click")
    const changed = watch
      .takeRecords()
      .flatMap((record) => Array.from(record.addedNodes).concat(...record.removedNodes))
    expect(changed.length).toBeGreaterThan(0)
    expect(changed).not.toContain(pill().parentElement)
  })

  it("keeps an open panel open, with what it says", async () => {
    open()
    dispatch(pill(), "click")
    await Promise.resolve()
    await Promise.resolve()
    const before = textOf(box())
    expect(before).toContain("Bright flat")
    dispatch(named("Move to the next corner"), "click")
    expect(textOf(box())).toBe(before)
    dispatch(pill(), "keydown", { key: "Escape" })
    expect(textOf(box())).toBe("1 contract 1 active")
  })
})

describe("Escape", () => {
  it.each(["Refresh", "Open in Deedkit"])(
    "closes the open panel from its button %s, and leaves the focus on the pill",
    (name) => {
      open()
      dispatch(pill(), "click")
      const button = box()!.querySelector<HTMLElement>(`[data-name="${name}"]`)!
      button.focus()
      dispatch(button, "keydown", { key: "Escape", isTrusted: false })
      dispatch(button, "keydown", { key: "ArrowUp" })
      expect(pill().ariaExpanded).toBe("true")
      expect(corner()).toBe("lower right")
      dispatch(button, "keydown", { key: "Escape" })
      expect(pill().ariaExpanded).toBe("false")
      expect(textOf(box())).toBe("1 contract 1 active")
      expect(root.activeElement).toBe(pill())
    },
  )
})

describe("a panel that is closed", () => {
  it("is gone until its site has it again, also for other listings and for what has to wait", () => {
    const { choose, panel, places } = open({ place: 1 })
    dispatch(named("Close on this site"), "click", { isTrusted: false })
    expect(box()).not.toBeNull()
    dispatch(named("Close on this site"), "click")
    expect(box()).toBeNull()
    expect(places()).toEqual([5])
    panel.show("red", fact(), false)
    panel.rest(true)
    panel.raise()
    expect(box()).toBeNull()
    choose({ pill: true, place: 0 })
    panel.show("red", fact(), true)
    expect(corner()).toBe("lower right")
  })

  it.each([
    ["was closed before", { place: 4 }],
    ["is hidden on every site", { pill: false }],
  ] as const)("is not there where it %s", (_why, over) => {
    const { panel } = open(over)
    panel.rest(true)
    expect(root.childElementCount).toBe(0)
  })
})

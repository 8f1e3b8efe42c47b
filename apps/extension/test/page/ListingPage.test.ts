// @vitest-environment happy-dom
import { rootOf, textOf } from "./Browser.ts"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { attach } from "../../src/page/ListingPage.ts"
import { fact, makeChannel } from "./Facts.ts"
import type { Answers } from "./Facts.ts"

let end: AbortController
beforeEach(() => {
  vi.useFakeTimers()
  end = new AbortController()
})
afterEach(() => {
  end.abort()
  vi.useRealTimers()
})

const badges = () => [...document.querySelectorAll("a [data-deedkit=badge]")]
const panel = () => document.querySelector("[data-deedkit=panel]")
const settle = () => vi.advanceTimersByTimeAsync(60)
/** An event of the browser itself, or of a script. */
const dispatch = (target: EventTarget, type: string, members: object = { isTrusted: true }) => {
  const event = new Event(type, { bubbles: true })
  for (const [name, value] of Object.entries(members)) Object.defineProperty(event, name, { value })
  target.dispatchEvent(event)
}

const open = async (html: string, over: Partial<Answers> = {}) => {
  document.body.innerHTML = html
  history.replaceState(null, "", "/")
  const background = makeChannel({ known: { blue: fact(), red: fact() }, ...over })
  const rewritten = vi.fn<() => void>()
  attach(background.channel, end.signal, rewritten)
  await settle()
  const move = async (path: string) => {
    history.pushState(null, "", path)
    dispatch(window, "popstate")
    await settle()
  }
  return { ...background, move, rewritten }
}

const two = '<a href="/blue">Blue</a> <a href="/red">Red</a>'

describe("a page of a listing site", () => {
  it("is left without a fact, and asks anew when it is shown again", async () => {
    const { answers, askedFor } = await open(two)
    expect(badges()).toHaveLength(2)
    dispatch(window, "pagehide")
    expect(document.querySelector("[data-deedkit]")).toBeNull()
    dispatch(window, "pageshow", { persisted: true })
    await settle()
    expect(badges()).toHaveLength(2)
    dispatch(window, "pagehide")
    answers.start = null
    dispatch(window, "pageshow", { persisted: true })
    await settle()
    expect(badges()).toEqual([])
    expect(askedFor("listing.start")).toHaveLength(3)
  })

  it("keeps its badges where a lookup is refused, and asks again after a minute", async () => {
    const { answers, tell } = await open(two)
    await vi.advanceTimersByTimeAsync(10_000)
    answers.known = null
    tell({ type: "listing.changed" })
    await settle()
    expect(badges()).toHaveLength(2)
    answers.known = { blue: fact({ count: 3 }) }
    await vi.advanceTimersByTimeAsync(60_000)
    expect(badges().map(textOf)).toEqual(["3 active"])
  })

  it("shows what is in open shadow roots, and follows what is added there", async () => {
    document.body.innerHTML = ""
    const host = document.createElement("div")
    const inside = host.attachShadow({ mode: "open" })
    inside.innerHTML = '<p><a href="/blue">Blue</a></p>'
    const { askedFor } = await open("")
    document.body.append(host)
    await settle()
    inside.querySelector("p")!.insertAdjacentHTML("beforeend", '<a href="/red">Red</a>')
    await settle()
    expect([...inside.querySelectorAll("[data-deedkit=badge]")]).toHaveLength(2)
    expect(askedFor("listing.lookup").flatMap(({ references }) => references)).toEqual(["blue", "red"])
  })

  it("draws nothing in areas and drawings, where nothing would be seen", async () => {
    await open('<map><area href="/blue"></map><svg><a href="/red"><circle/></a></svg>')
    expect(document.querySelectorAll("[data-deedkit=badge]")).toHaveLength(0)
  })

  it("says that the rest follows where it has asked for too much, and continues by itself", async () => {
    const { answers, askedFor } = await open(two)
    const links = Array.from({ length: 3 }, (_, at) => `<a href="/green-${at}">x</a>`)
    answers.known = "later"
    document.body.insertAdjacentHTML("beforeend", links.join(""))
    await settle()
    expect(badges()).toHaveLength(2)
    expect(textOf(panel())).toMatch(
      /^This page has many links\. Deedkit looks up 1,000 a minute; .* follow\.$/,
    )
    expect(rootOf(panel()).querySelector("[role=status]")).not.toBeNull()
    answers.known = { "green-1": fact() }
    await vi.advanceTimersByTimeAsync(60_000)
    expect(badges()).toHaveLength(3)
    expect(panel()).toBeNull()
    expect(askedFor("listing.lookup").at(-1)?.references).toEqual(["green-0", "green-1", "green-2"])
  })

  it("shows nothing where it may not begin, and tries once more if it was on", async () => {
    const { answers, askedFor, tell } = await open(two)
    await vi.advanceTimersByTimeAsync(10_000)
    const { start } = answers
    answers.start = null
    tell({ type: "listing.changed" })
    await settle()
    expect(badges()).toEqual([])
    answers.start = start
    await vi.advanceTimersByTimeAsync(60_000)
    expect(badges()).toHaveLength(2)
    answers.start = null
    tell({ type: "listing.changed" })
    await vi.advanceTimersByTimeAsync(600_000)
    expect(badges()).toEqual([])
    const tries = askedFor("listing.start").length
    await vi.advanceTimersByTimeAsync(600_000)
    expect(askedFor("listing.start")).toHaveLength(tries)
  })

  it("hears at once that nothing may be shown any more, however much was just asked", async () => {
    const links = Array.from({ length: 1_000 }, (_, at) => `<a href="/home-${at}">x</a>`)
    const { answers, tell } = await open(two + links.join(""))
    answers.known = null
    answers.start = null
    tell({ type: "listing.changed" })
    await settle()
    expect(badges()).toEqual([])
  })

  it("asks in a minute for no more than is answered, though it hears of changes and moves all the time", async () => {
    const links = Array.from(
      { length: 1_200 },
      (_, at) => `<a href="/town-${at}/street-${at}/home-${at}">x</a>`,
    )
    const { askedFor, move, tell } = await open(two + links.join(""))
    for (let at = 1; at < 60; at++) {
      await move(`/page-${at}`)
      if (at % 5 === 0) tell({ type: "listing.changed" })
      await vi.advanceTimersByTimeAsync(940)
    }
    const asked = askedFor("listing.lookup").reduce((sum, { references }) => sum + references.length, 0)
    expect(asked).toBeLessThan(20_000)
    expect(asked).toBeGreaterThan(3_600)
    expect(badges()).toHaveLength(2)
  })

  it("stands a page that moves ten times a second, each time to a listing that was not seen yet", async () => {
    const { asked, move } = await open(two)
    for (let at = 1; at < 600; at++) {
      await move(`/homes/home-${at}`)
      await vi.advanceTimersByTimeAsync(40)
    }
    expect(asked.length).toBeLessThan(1_000)
    expect(badges()).toHaveLength(2)
  })

  it("follows each move with what is known, and asks for what is not", async () => {
    const { askedFor, move } = await open(two)
    await move("/blue")
    expect(panel()).not.toBeNull()
    expect(badges()).toHaveLength(1)
    await move("/red")
    await move("/")
    expect(panel()).toBeNull()
    expect(badges()).toHaveLength(2)
    expect(askedFor("listing.start")).toHaveLength(1)
  })

  it("begins when a page that was loaded ahead is shown", async () => {
    Object.defineProperty(document, "prerendering", { value: true, configurable: true })
    const { asked } = await open(two)
    expect(asked).toEqual([])
    Reflect.deleteProperty(document, "prerendering")
    dispatch(document, "prerenderingchange")
    await settle()
    expect(badges()).toHaveLength(2)
  })

  it.each(["mailto:a@b", "#", null])("takes the badge from a link that leads to %s now", async (href) => {
    await open(two)
    const link = document.querySelector("a")!
    if (href === null) link.removeAttribute("href")
    else link.setAttribute("href", href)
    await settle()
    expect(badges()).toHaveLength(1)
    expect(link.querySelector("[data-deedkit]")).toBeNull()
  })

  it("leaves a card open when the index changes, and closes it when the page moves", async () => {
    const { move, tell } = await open(two)
    const card = () => document.querySelector("[data-deedkit=card]")
    for (const screenX of [1, 2]) {
      dispatch(badges()[0]!, "pointermove", { isTrusted: true, screenX, screenY: 1 })
    }
    await vi.advanceTimersByTimeAsync(200)
    expect(textOf(card())).toContain("Bright flat")
    tell({ type: "listing.changed" })
    await settle()
    expect(card()).not.toBeNull()
    await move("/elsewhere")
    expect(card()).toBeNull()
  })

  it("shows no detail at an address that it is moved to, nor at the next one once a panel was opened", async () => {
    const { askedFor, move } = await open(two)
    const pill = () => rootOf(panel()).querySelector("button")!
    await move("/blue")
    dispatch(pill(), "click", { isTrusted: false })
    await settle()
    expect(textOf(panel())).toBe("1 contract 1 active")
    expect(askedFor("listing.detail")).toEqual([])
    dispatch(pill(), "click")
    await settle()
    expect(textOf(panel())).toContain("Bright flat")
    expect(askedFor("listing.detail")).toEqual([{ type: "listing.detail", reference: "blue" }])
    await move("/red")
    expect(textOf(panel())).toBe("1 contract 1 active")
    await move("/blue")
    expect(textOf(panel())).toBe("1 contract 1 active")
    expect(askedFor("listing.detail")).toHaveLength(1)
  })

  it("heeds its buttons only when they are pressed by a person", async () => {
    const { askedFor, move } = await open(two)
    await move("/blue")
    dispatch(rootOf(panel()).querySelector("button")!, "click")
    const button = rootOf(panel()).querySelector("[data-name=Refresh]")!
    dispatch(button, "click", { isTrusted: false })
    expect(askedFor("listing.refresh")).toEqual([])
    dispatch(button, "click")
    expect(askedFor("listing.refresh")).toHaveLength(1)
  })

  it("says when the page has been written anew, which took its listeners", async () => {
    const { rewritten } = await open(two)
    expect(rewritten).not.toHaveBeenCalled()
    const root = document.documentElement
    const other = root.cloneNode(true)
    root.remove()
    document.append(other)
    await settle()
    expect(rewritten).toHaveBeenCalledOnce()
  })

  it("loses what earlier versions left, and its own elements when it ends", async () => {
    await open(
      `<deedkit-panel></deedkit-panel><p data-deedkit="card"></p>${two}<deedkit-badge></deedkit-badge>`,
    )
    expect(document.querySelectorAll("deedkit-panel, deedkit-badge, p")).toHaveLength(0)
    end.abort()
    expect(document.body.innerHTML).toBe(two)
  })
})

// @vitest-environment happy-dom
import { ownRoot, rowHeight, textOf } from "./Browser.ts"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { parsePatterns } from "../../src/address/Reference.ts"
import { attach } from "../../src/page/ListingPage.ts"
import { details } from "../../src/page/panel/Details.ts"
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

const inRoot = (selector: string) => [...(ownRoot()?.querySelectorAll<HTMLElement>(selector) ?? [])]
/** The marks that stand somewhere. */
const badges = () => inRoot(".mark.spot").filter(({ style }) => style.transform !== "")
/** The places without a mark. */
const blank = () => inRoot(".spot:not(.mark)").filter(({ style }) => style.transform !== "")
const panel = () => inRoot(".panel")[0] ?? null
const settle = () => vi.advanceTimersByTimeAsync(200)
/** An event of the browser itself, or of a script. */
const dispatch = (target: EventTarget, type: string, members: object = { isTrusted: true }) => {
  const event = new Event(type, { bubbles: true })
  for (const [name, value] of Object.entries(members)) Object.defineProperty(event, name, { value })
  target.dispatchEvent(event)
}

const open = async (html: string, over: Partial<Answers> = {}) => {
  while (document.body.nextSibling !== null) document.body.nextSibling.remove()
  document.body.innerHTML = html
  history.replaceState(null, "", "/")
  const background = makeChannel({ known: { blue: fact(), red: fact() }, details, ...over })
  const rewritten = vi.fn<() => void>()
  attach(background.channel, end.signal, rewritten)
  await settle()
  const move = async (path: string) => {
    history.pushState(null, "", path)
    dispatch(window, "popstate")
    await vi.advanceTimersByTimeAsync(60)
  }
  return { ...background, move, rewritten }
}

const two = '<a href="/blue">Blue</a> <a href="/red">Red</a>'

describe("a page of a listing site", () => {
  it("reads out a badge with the name of its listing, not with the number of its picture", async () => {
    await open('<a href="/blue" aria-label="Blue door">1/10</a> <a href="/red">Red</a>')
    expect(badges().map(({ ariaLabel }) => ariaLabel?.split(":")[0])).toEqual(["Blue door", "Red"])
  })

  it("is left without a fact, and asks anew when it is shown again", async () => {
    const { answers, askedFor } = await open(two)
    expect(badges()).toHaveLength(2)
    dispatch(window, "pagehide")
    expect(ownRoot()).toBeNull()
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

  it("asks a background that does not answer again after two seconds, and then ever later", async () => {
    const { answers, askedFor } = await open(two, { known: null })
    const tries = async (seconds: number): Promise<number> => {
      const before = askedFor("listing.lookup").length
      await vi.advanceTimersByTimeAsync(seconds * 1_000)
      return askedFor("listing.lookup").length - before
    }
    expect(await tries(2)).toBe(1)
    expect(await tries(60)).toBe(4)
    expect(await tries(600)).toBe(10)
    answers.known = { blue: fact(), red: fact() }
    await tries(60)
    expect(badges()).toHaveLength(2)
    expect(await tries(600)).toBe(0)
  })

  it("looks links up in open shadow roots, follows what is added there, and adds nothing", async () => {
    document.body.innerHTML = ""
    const host = document.createElement("div")
    const inside = host.attachShadow({ mode: "open" })
    inside.innerHTML = '<p><a href="/blue">Blue</a></p>'
    const { askedFor } = await open("")
    document.body.append(host)
    await settle()
    inside.querySelector("p")!.insertAdjacentHTML("beforeend", '<a href="/red">Red</a>')
    await settle()
    expect(inside.querySelectorAll(":not(p,a)")).toHaveLength(0)
    expect(askedFor("listing.lookup").flatMap(({ references }) => references)).toEqual(["blue", "red"])
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
    expect(panel()!.querySelector("[role=status]")).not.toBeNull()
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
    const asked = [...askedFor("listing.start"), ...askedFor("listing.lookup")].reduce(
      (sum, { references }) => sum + (references?.length ?? 0),
      0,
    )
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
    expect(badges()[0]?.ariaLabel).toMatch(/^Red: /)
  })

  it("leaves a card open when the index changes, and closes it when the page moves", async () => {
    const { move, tell } = await open(two)
    const card = () => inRoot(".area")[0] ?? null
    vi.spyOn(badges()[0]!, "getBoundingClientRect").mockReturnValue(new DOMRect(10, 10, 108, 20))
    for (const screenX of [1, 2]) {
      dispatch(document.body, "pointermove", {
        isTrusted: true,
        screenX,
        screenY: 1,
        clientX: 15,
        clientY: 15,
      })
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
    const pill = () => panel()!.querySelector("button")!
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
    dispatch(panel()!.querySelector("button")!, "click")
    const button = panel()!.querySelector("[data-name=Refresh]")!
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

  it("loses its own element when it ends, and never one of the page's, however that is named", async () => {
    const html = `<deedkit-panel></deedkit-panel><p data-deedkit="card"></p>${two}`
    await open(html)
    end.abort()
    expect(document.body.innerHTML).toBe(html)
    expect(document.documentElement.lastChild).toBe(document.body)
  })

  it("stands behind the body alone, without an attribute, also where no link leads to a listing", async () => {
    await open("<p>Nothing</p>", { known: {} })
    expect(ownRoot()?.host.outerHTML).toBe("<div></div>")
    expect(document.body.innerHTML).toBe("<p>Nothing</p>")
    expect([...badges(), ...blank()]).toEqual([])
  })

  it("has a place of one size at every card, with contracts or without", async () => {
    await open(`${two} <a href="/green">Green</a>`)
    expect(badges()).toHaveLength(2)
    expect(blank()).toHaveLength(1)
    expect(blank()[0]?.outerHTML).not.toMatch(/data-|aria-|role/)
  })

  it("comes back where the page takes it out or elsewhere, and rests for five seconds after twenty times", async () => {
    await open(two)
    const host = ownRoot()!.host
    for (let times = 0; times < 20; times++) {
      if (times % 2 === 0) host.remove()
      else document.body.append(host)
      await settle()
      expect(host.parentNode).toBe(document.documentElement)
    }
    host.remove()
    await settle()
    expect(host.isConnected).toBe(false)
    await vi.advanceTimersByTimeAsync(5_000)
    document.body.append(document.createElement("p"))
    await settle()
    expect(host.parentNode).toBe(document.documentElement)
  })

  it("marks links of its own origin alone, and those of a listing, not of a part of it", async () => {
    await open(
      '<p><a href="https://elsewhere.example/blue">Blue</a></p><p><a href="/red/photos">Photos</a></p>',
    )
    expect(badges()).toEqual([])
  })

  it("gives a card one mark, however many of its links lead to the listing", async () => {
    const card = (slug: string) =>
      `<div><a href="/homes/${slug}"><img alt=""></a><h3><a href="/homes/${slug}">A home</a></h3><a href="/agents/anna">Anna</a><a href="/homes/${slug}#map">Map</a></div>`
    await open(card("blue") + card("green") + card("red"), {
      known: { "homes/blue": fact(), "homes/red": fact() },
    })
    expect(badges()).toHaveLength(2)
    expect(badges().map(({ ariaLabel }) => ariaLabel?.slice(0, 8))).toEqual(["A home: ", "A home: "])
  })

  it("leaves the links of a page alone when what is added to it has none, and erases the mark of a card that goes", async () => {
    await open('<p><a href="/blue">Blue</a></p> <p><a href="/red">Red</a> <a href="/red">Map</a></p>')
    const [blue, , map] = document.querySelectorAll("a")
    const looked = vi.spyOn(map!, "getRootNode")
    for (let at = 0; at < 5; at++) {
      document.body.append(document.createElement("p"))
      await settle()
    }
    expect(looked).not.toHaveBeenCalled()
    expect(badges()).toHaveLength(2)
    blue!.replaceWith(document.createElement("i"))
    await settle()
    expect(looked).not.toHaveBeenCalled()
    expect(badges().map(({ ariaLabel }) => ariaLabel?.slice(0, 4))).toEqual(["Red:"])
    document.body.insertAdjacentHTML("beforeend", '<a href="/blue">Blue</a>')
    await settle()
    expect(looked).toHaveBeenCalled()
    expect(badges()).toHaveLength(2)
  })

  it("draws no mark where something of the page lies over the card", async () => {
    await open(two)
    const menu = document.createElement("menu")
    const { elementFromPoint } = Object.assign(document)
    Object.assign(document, {
      elementFromPoint: (x: number, y: number) => (y < rowHeight ? menu : elementFromPoint(x, y)),
    })
    document.body.append(menu)
    await settle()
    Object.assign(document, { elementFromPoint })
    expect(badges().map(({ ariaLabel }) => ariaLabel?.slice(0, 4))).toEqual(["Red:"])
  })

  it("shows nothing of a detail where its part of the script cannot be had", async () => {
    const { move } = await open(two, { details: undefined })
    await move("/blue")
    expect(panel()).toBeNull()
    expect(badges()).toHaveLength(1)
  })

  it("asks again for the part that shows details, after a background that could not bring it", async () => {
    const { answers, askedFor } = await open(two, { details: undefined })
    const before = askedFor("listing.loadDetails").length
    answers.details = details
    await vi.advanceTimersByTimeAsync(10_000)
    expect(askedFor("listing.loadDetails").slice(before)).toHaveLength(1)
  })

  it("shows its badges after one answer, and asks for what shows details with the first of them alone", async () => {
    const first = async (html: string, known: Answers["known"]) => {
      const { asked } = await open(html, { known })
      end.abort()
      end = new AbortController()
      return asked.map((request) => request.type)
    }
    const nothing = '<a href="https://elsewhere.example/blue">Blue</a><a href="#top">Top</a><p>Text</p>'
    expect(await first(nothing, { blue: fact() })).toEqual(["listing.start"])
    expect(await first(two, {})).toEqual(["listing.start"])
    expect(await first(two, { blue: fact() })).toEqual(["listing.start", "listing.loadDetails"])
  })

  it("asks once more where patterns of the user decide what a link names", async () => {
    const patterns = parsePatterns(["/homes/:id"])
    const start = { patterns, hasLinks: false, theme: "system", pill: true } as const
    const { askedFor } = await open('<a href="/homes/41001">Blue</a>', { start, known: { "41001": fact() } })
    expect(badges()).toHaveLength(1)
    expect(askedFor("listing.start")[0]?.references).not.toContain("41001")
    expect(askedFor("listing.lookup")[0]?.references).toContain("41001")
  })
})

// @vitest-environment happy-dom
import { ownRoot, say, scrolledTo } from "../Browser.ts"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { isTabAnswer, mostCards } from "../../../src/messages/TabMessage.ts"
import type { PageCards } from "../../../src/messages/TabMessage.ts"
import { attach } from "../../../src/page/ListingPage.ts"
import { details } from "../../../src/page/panel/Details.ts"
import { fact, makeChannel } from "../Facts.ts"

let end: AbortController
beforeEach(() => {
  vi.useFakeTimers()
  end = new AbortController()
  scrolledTo.length = 0
})
afterEach(() => {
  end.abort()
  vi.useRealTimers()
})

const settle = () => vi.advanceTimersByTimeAsync(200)

const known = { "homes/blue": fact(), "homes/red": fact({ count: 2 }) }

const open = async (html: string, facts: typeof known | object = known) => {
  for (const left of document.querySelectorAll("html > div")) left.remove()
  document.body.innerHTML = html
  history.replaceState(null, "", "/")
  const background = makeChannel({ known: { ...facts }, details })
  attach(background.channel, end.signal, () => {})
  await settle()
  return background
}

const ask = () => say({ type: "tab.cards" }) as PageCards | undefined
const titles = () => ask()?.cards.map(({ title }) => title)
const idOf = (title: string) => ask()!.cards.find((card) => card.title === title)!.id
const frames = () => [...(ownRoot()?.querySelectorAll<HTMLElement>(".frame") ?? [])]

const card = (slug: string, title: string) => `<li><h3><a href="/homes/${slug}">${title}</a></h3></li>`
const three = `<ul>${card("blue", "Blue")}${card("green", "Green")}${card("red", "Red")}</ul>`

describe("asked by the popup for the listings of a page", () => {
  it("gives those with contracts, and those without whose links have the same form, in the order of the page", async () => {
    await open(`<nav><a href="/about">About</a></nav>${three}<p><a href="/agents/anna">Anna</a></p>`)
    expect(ask()).toEqual({
      cards: [
        { id: 1, title: "Blue", references: ["homes/blue"] },
        { id: 2, title: "Green", references: ["homes/green"] },
        { id: 3, title: "Red", references: ["homes/red"] },
      ],
      total: 3,
    })
  })

  it("gives each listing once, by the heading of its card, however many links lead to it", async () => {
    const links = `<a href="/homes/blue"><img alt="A picture"></a><h3>The blue door</h3><a href="/homes/blue#map">Map</a>`
    await open(`<div>${links}</div><div><a href="/homes/red"><img alt="Red, from the street"></a></div>`)
    expect(titles()).toEqual(["The blue door", "Red, from the street"])
  })

  it("keeps the order of the page and the numbers of listings when cards come before others", async () => {
    await open(three)
    const before = idOf("Blue")
    document.querySelector("ul")!.insertAdjacentHTML("afterbegin", card("white", "White"))
    await settle()
    expect(titles()).toEqual(["White", "Blue", "Green", "Red"])
    expect(idOf("Blue")).toBe(before)
    document.querySelector("li")!.remove()
    expect(titles()).toEqual(["Blue", "Green", "Red"])
  })

  it("calls no listing by the number of its picture", async () => {
    await open(`<ul><li><a href="/homes/blue">1 / 10</a><img alt="Blue door"></li>${card("red", "Red")}</ul>`)
    expect(titles()).toEqual(["Blue door", "Red"])
  })

  it("takes links around the site for listings only where they have contracts", async () => {
    const around = `<a href="/homes/blue">Blue</a>, <a href="/homes/offers">Offers</a>`
    await open(`<nav>${around}</nav><ul>${card("red", "Red")}</ul><footer>${around}</footer>`)
    expect(titles()).toEqual(["Blue", "Red"])
  })

  it("knows no listing where none has a contract, and is not there where nothing needed it", async () => {
    await open(three, {})
    expect(ask()).toBeUndefined()
  })

  it.each([
    ["the content script of a site", { url: "https://homes.example/", origin: "https://homes.example" }],
    ["another extension", { id: "another" }],
    ["a page that wears the extension's name", { origin: "https://homes.example" }],
    ["a sender without an address", { url: undefined }],
  ])("answers nothing to %s", async (_, sender) => {
    await open(three)
    expect(say({ type: "tab.cards" }, sender)).toBeUndefined()
    expect(say({ type: "tab.show", id: 1 }, sender)).toBeUndefined()
    expect(scrolledTo).toEqual([])
  })

  it.each([
    null,
    "tab.cards",
    { type: "tab.cards", extra: 1 },
    { type: "tab.show" },
    { type: "tab.show", id: "1" },
    { type: "tab.show", id: 0 },
    { type: "listing.changed" },
  ])("answers nothing to what is no request: %j", async (message) => {
    await open(three)
    ask()
    expect(say(message)).toBeUndefined()
    expect(scrolledTo).toEqual([])
  })

  it("gives nothing any more when the site is switched off, and is silent when its time has ended", async () => {
    const { tell } = await open(three)
    tell({ type: "listing.off" })
    expect(ask()).toEqual({ cards: [], total: 0 })
    end.abort()
    expect(ask()).toBeUndefined()
  })

  it("cuts what the page says, and gives no more than so many listings and names", async () => {
    const long = `\u202e${"W".repeat(5_000)}\n`
    const query = Array.from({ length: 40 }, (_, at) => `slug=home-${at}`).join("&")
    const many = Array.from({ length: mostCards + 20 }, (_, at) => card(`home-${at}`, `Home ${at}`)).join("")
    await open(`<ul>${card(`blue?${query}`, long)}${many}</ul>`)
    const { cards, total } = ask()!
    expect(isTabAnswer["tab.cards"]({ cards, total })).toBe(true)
    expect(total).toBe(mostCards + 21)
    expect(cards).toHaveLength(mostCards)
    expect(cards[0]!.title).toMatch(/^W{59}…$/)
    expect(cards[0]!.references).toHaveLength(8)
  })

  it("reads titles of cards whose forms have fields that are named like what is asked", async () => {
    const fields = `<input name="textContent"><input name="querySelectorAll">`
    await open(`<form>${fields}<h3><a href="/homes/blue">Blue</a></h3></form><ul>${card("red", "Red")}</ul>`)
    expect(titles()).toEqual(["Blue", "Red"])
  })
})

describe("told by the popup to show a listing", () => {
  it("scrolls to its card and draws a frame around it for a moment", async () => {
    await open(three)
    expect(say({ type: "tab.show", id: idOf("Green") })).toBe(true)
    expect(scrolledTo).toEqual([document.querySelectorAll("li")[1]])
    expect(frames()).toHaveLength(1)
    expect(frames()[0]!.style.transform).toBe("translate(0.0px,40.0px)")
    say({ type: "tab.show", id: idOf("Red") })
    expect(frames()).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(frames()).toEqual([])
  })

  it("changes nothing of the page, and sends it no event", async () => {
    await open(three)
    const before = document.documentElement.outerHTML
    const records: Array<MutationRecord> = []
    const observer = new MutationObserver((added) => records.push(...added))
    observer.observe(document, { attributes: true, characterData: true, childList: true, subtree: true })
    const heard: Array<string> = []
    const types = [
      "focusin",
      "toggle",
      "beforetoggle",
      "click",
      "pointerover",
      "transitionrun",
      "animationstart",
    ]
    for (const type of types) window.addEventListener(type, () => heard.push(type), true)
    ask()
    say({ type: "tab.show", id: idOf("Green") })
    await vi.advanceTimersByTimeAsync(2_000)
    observer.disconnect()
    expect(records).toEqual([])
    expect(heard).toEqual([])
    expect(document.documentElement.outerHTML).toBe(before)
  })

  it("finds the card that stands for the listing now, where the page has put another one in its place", async () => {
    await open(three)
    const id = idOf("Blue")
    const list = document.querySelector("ul")!
    list.innerHTML = card("red", "Red") + card("blue", "Blue")
    await settle()
    expect(say({ type: "tab.show", id })).toBe(true)
    expect(scrolledTo.map(({ textContent }) => textContent)).toEqual(["Blue"])
  })

  it("says so when there is no card of it any more", async () => {
    await open(three)
    const id = idOf("Green")
    document.querySelectorAll("li")[1]!.remove()
    expect(say({ type: "tab.show", id })).toBe(false)
    expect(say({ type: "tab.show", id: 9_999 })).toBe(false)
    expect(scrolledTo).toEqual([])
    expect(frames()).toEqual([])
  })

  it("takes the frame away with the card that it is around", async () => {
    await open(three)
    say({ type: "tab.show", id: idOf("Green") })
    document.querySelectorAll("li")[1]!.remove()
    await vi.advanceTimersByTimeAsync(100)
    expect(frames()).toEqual([])
  })
})

/**
 * Marks on pages as sites build them: each card that is seen has one mark, in its place, nothing else has one, and the page stays as it is, but
 * for one element behind its body.
 */
import { createServer } from "node:http"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { afterAll, expect } from "vitest"
import { it, scenario } from "../../BrowserTest.ts"
import { until } from "../../browsers/Driver.ts"
import type { Tab } from "../../browsers/Driver.ts"
import * as Marks from "../../Marks.ts"
import { isKnown, mostListings, pageKinds, slugOf } from "./PageKinds.ts"
import type { World } from "../../World.ts"

const listings = Array.from({ length: mostListings }, (_, at) => at + 1)
/** Waits until whatever comes after a moment has come. Runs in the page. */
const settle = () =>
  new Promise<void>((resolve) => {
    let left = 24
    const step = () => (left-- > 0 ? requestAnimationFrame(step) : resolve())
    step()
  })

/** Compares the cards of a page with the marks on it. Runs beside the content script. */
const judge = (blank: ReadonlyArray<string>) => {
  type Opener = { readonly openOrClosedShadowRoot?: ShadowRoot | null }
  type Dom = { readonly openOrClosedShadowRoot: (host: Element) => ShadowRoot }
  const { dom } = (globalThis as unknown as { chrome: { dom?: Dom } }).chrome
  const host = document.documentElement.lastElementChild!
  const root = dom?.openOrClosedShadowRoot(host) ?? (host as Opener).openOrClosedShadowRoot
  const middleOf = (mark: Element) => {
    const { height, left, top, width } = mark.getBoundingClientRect()
    return { x: left + width / 2, y: top + height / 2 }
  }
  const marks = [...(root?.querySelectorAll<HTMLElement>(".spot.mark") ?? [])]
    .filter((mark) => mark.checkVisibility())
    .map(middleOf)
    .filter(({ x, y }) => x > 0 && y > 0 && x < innerWidth && y < innerHeight)
  const faults: Array<string> = []
  const cards = [...document.querySelectorAll<HTMLElement>("[data-card]")]
  /** The card that a mark stands on, or else beside. */
  const cardOf = ({ x, y }: { readonly x: number; readonly y: number }): Element | undefined => {
    const hit = document.elementFromPoint(x, y)?.closest("[data-card]")
    const isBeside = (card: Element): boolean => {
      const { bottom, left, right, top } = card.getBoundingClientRect()
      return x > left - 12 && x < right + 12 && y > top - 12 && y < bottom + 12
    }
    return hit ?? cards.find(isBeside)
  }
  const owners = marks.map((mark) => ({ mark, card: cardOf(mark) }))
  let right = 0
  for (const card of cards) {
    const name = card.dataset["card"]!
    const { bottom, left, right: end, top } = card.getBoundingClientRect()
    const has = owners.filter((owner) => owner.card === card).length
    const isOf = ([x, y]: readonly [number, number]): boolean => {
      const hit =
        x < 0 || y < 0 || x >= innerWidth || y >= innerHeight ? null : document.elementFromPoint(x, y)
      return hit !== null && (card.contains(hit) || hit === card)
    }
    const inset = Math.min(4, (end - left) / 3)
    const shape = card.namespaceURI !== "http://www.w3.org/1999/xhtml"
    const points = shape
      ? [[(left + end) / 2, (top + bottom) / 2] as const]
      : [
          [left + inset, top + inset] as const,
          [end - inset, top + inset] as const,
          [left + inset, bottom - inset] as const,
          [end - inset, bottom - inset] as const,
          [(left + end) / 2, (top + bottom) / 2] as const,
        ]
    const isTurned =
      getComputedStyle(card).transform.includes("matrix") && card.style.transform.includes("rotate")
    const seen = isTurned ? (isOf(points[4]!) ? points.length : 0) : points.filter(isOf).length
    if (blank.includes(name)) {
      if (has > 0) faults.push(`${name} has no contract and ${has} marks`)
    } else if (seen === points.length) {
      if (has === 1) right++
      else faults.push(`${name} has ${has} marks`)
    } else if (seen === 0 && has > 0) faults.push(`${name} is not seen and has ${has} marks`)
  }
  for (const { card, mark } of owners) {
    if (card === undefined) faults.push(`a mark at ${Math.round(mark.x)}, ${Math.round(mark.y)}`)
  }
  return { right, faults }
}

/** What a page finds of itself: whether it is as the server sent it, what stands behind its body, and what it would be without that. */
const inspect = async () => {
  const sent = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html")
  const root = document.documentElement
  const copy = root.cloneNode(true) as Element
  const added = [...copy.children].slice(2)
  for (const one of added) one.remove()
  const host = root.lastElementChild!
  const sizes = () => [root.scrollWidth, root.scrollHeight].join()
  const size = sizes()
  const isHost = host !== document.body
  if (isHost) host.remove()
  const alone = sizes()
  if (isHost) root.append(host)
  const { shifts } = window as unknown as { readonly shifts: ReadonlyArray<number> }
  return {
    added: added.map(({ outerHTML }) => outerHTML),
    isAsSent: copy.outerHTML === sent.documentElement.outerHTML,
    isAsLarge: size === alone,
    shift: shifts.reduce((sum, one) => sum + one, 0),
  }
}

scenario("on a page that is", () => {
  let world: World
  let tab: Tab
  let origin: string
  let close: () => void
  it.beforeAll(async ({ enter }) => {
    world = await enter({ contracts: 10 })
    for (const number of listings.filter(isKnown)) {
      const listing = { id: 90_000 + number, slug: slugOf(number), title: "A home", city: "Athens", area: "" }
      world.emulator.store.insert({ status: "active", kind: "rent", listing, listing_id: listing.id })
    }
    const server = createServer(({ url = "" }, response) => {
      const kind = pageKinds[decodeURIComponent(url.slice(1))]
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" })
      response.end(kind?.html ?? "")
    })
    await once(server.listen(0, "127.0.0.1"), "listening")
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    close = () => {
      server.closeAllConnections()
      server.close()
    }
    await world.setUp()
    await world.ask({ type: "page.addSite", origin })
    tab = await world.driver.open(`${origin}/`)
  }, 120_000)
  afterAll(async () => {
    await world?.close()
    close?.()
  })

  it.for(Object.entries(pageKinds))(
    "%s: each card has one mark, and the page stays as it is",
    async ([name, kind]) => {
      const url = `${origin}/${encodeURIComponent(name)}`
      const blank = listings.filter((number) => !isKnown(number)).map(slugOf)
      const judged = () => Marks.inTab(world.page, url, judge, blank)
      /** Marks come after a moment: no fault is left then, and none comes. */
      const settled = (when: string) =>
        until(`the marks ${when}`, judged, ({ faults }) => faults.length === 0, 8_000)
      await tab.goTo(url)
      await tab.evaluate(settle)
      const { right } = await settled("at first")
      expect(right, `marks of ${name}`).toBeGreaterThanOrEqual(kind.least ?? 1)
      const found = await tab.evaluate(inspect)
      expect(found).toEqual({
        added: ["<div></div>"],
        isAsSent: kind.isScripted !== true,
        isAsLarge: true,
        shift: kind.shifts === true ? expect.any(Number) : 0,
      })
      if (kind.act !== undefined) {
        await tab.run(`(() => { ${kind.act} })()`)
        await tab.evaluate(settle)
        await settled("afterwards")
      }
      expect(tab.errors).toEqual([])
    },
  )

  it("grown below its cards: marks move in no frame", async () => {
    const url = `${origin}/${encodeURIComponent(Object.keys(pageKinds)[0]!)}`
    await tab.goTo(url)
    await until(
      "the marks",
      () => Marks.look(world.page, url),
      ({ badges }) => badges.length > 0,
    )
    // Until nothing moves, and nobody looks.
    await tab.evaluate(settle)
    const places = await Marks.inTab(world.page, url, async () => {
      type Opener = { readonly openOrClosedShadowRoot?: ShadowRoot | null }
      type Dom = { readonly openOrClosedShadowRoot: (host: Element) => ShadowRoot }
      const { dom } = (globalThis as unknown as { chrome: { dom?: Dom } }).chrome
      const host = document.documentElement.lastElementChild!
      const root = dom?.openOrClosedShadowRoot(host) ?? (host as Opener).openOrClosedShadowRoot
      const placeNow = () => root!.querySelector(".spot.mark")!.getBoundingClientRect().top
      const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
      const before = placeNow()
      const sheet = new CSSStyleSheet()
      sheet.replaceSync("body::after { content: ''; display: block; height: 900px }")
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
      const { scrollHeight } = document.documentElement
      // The second frame starts with what the first has painted.
      await nextFrame()
      const seen = []
      for (let frames = 0; frames < 12; frames++) {
        await nextFrame()
        seen.push(Math.round(placeNow() - before))
      }
      return { scrollHeight, seen }
    })
    expect(places.scrollHeight).toBeGreaterThan(900)
    expect(places.seen).toEqual(Array.from({ length: 12 }, () => 0))
  })
})

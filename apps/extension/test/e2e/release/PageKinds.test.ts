/** Marks on pages of every kind, and on some that are looked at more closely. `scenarios/PageKinds.test.ts` has one kind of each mechanism. */
import { afterAll, expect } from "vitest"
import { it, scenario } from "../BrowserTest.ts"
import { until } from "../browsers/Driver.ts"
import * as Marks from "../Marks.ts"
import { eachStaysAsItIs } from "../kinds/EachKind.ts"
import { settle } from "../kinds/Judge.ts"
import { pageKinds } from "../kinds/PageKinds.ts"
import * as Site from "../kinds/Site.ts"

/** Cards that lead to two listings each: with a contract for the first, the second, both, and none. */
const twoListings = `<!DOCTYPE html><link rel="icon" href="data:,"><style>body{margin:0}.c{position:relative;height:200px;width:500px}.c a{position:absolute;top:20px;left:0;width:300px;height:24px}.c a+a{top:120px}</style>${(
  [
    [1, 5],
    [10, 2],
    [3, 4],
    [15, 20],
  ] as const
)
  .map(
    ([one, two]) => `<div class="c"><a href="/a/home-${one}">One</a><a href="/b/home-${two}">Two</a></div>`,
  )
  .join("")}`

const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"><a href="/homes/home-1"><circle cx="150" cy="150" r="40"/></a></svg>`

eachStaysAsItIs(Object.keys(pageKinds))

scenario("on a page that is looked at closely", () => {
  let site: Site.Site
  it.beforeAll(async ({ enter }) => {
    const short = pageKinds["cards of the server"]!.html.replaceAll("Bright loft number", "Loft")
    const others: { readonly [path: string]: string } = { two: twoListings, short, "drawing.svg": drawing }
    site = await Site.open(enter, async (path) => others[path] ?? pageKinds[path]?.html ?? "")
  }, 120_000)
  afterAll(() => site?.close())

  it("addresses that are recycled: a mark is read out with the words that stand there now", async () => {
    const { origin, tab } = site
    await tab.goTo(`${origin}/${encodeURIComponent("addresses that are recycled")}`)
    await until("the marks", tab.readOut, (names) =>
      names.some((name) => name.startsWith("Bright loft number 1: ")),
    )
    await tab.run(
      `document.querySelectorAll("h3 a").forEach((a, at) => { a.href = "/homes/home-" + (101 + at); a.textContent = "Villa " + (101 + at) })`,
    )
    await until(
      "the words",
      tab.readOut,
      (names) =>
        names.some((name) => name.startsWith("Villa 101: 1 ")) &&
        !names.some((name) => name.startsWith("Bright loft number 1: ")),
    )
  })

  it("two listings in one card: the place says nothing of which of them has a contract", async () => {
    const { origin, tab, world } = site
    const url = `${origin}/two`
    const places = async (): Promise<string> => {
      const { badges, blank } = await Marks.look(world.page, url)
      expect([badges.length, blank]).toEqual([3, 1])
      return badges.map(({ left, top }) => `${left},${top % 200}`).join(" ")
    }
    await tab.goTo(url)
    await until(
      "the marks",
      () => Marks.look(world.page, url),
      ({ badges }) => badges.length === 3,
    )
    const [first, ...others] = (await places()).split(" ")
    expect(others).toEqual([first, first])
    expect(await tab.readOut()).toEqual(expect.arrayContaining([expect.stringMatching(/^Two: 1 /)]))
  })

  it("texts that change in place: a mark makes way", async () => {
    const { origin, tab, world } = site
    const url = `${origin}/short`
    await tab.goTo(url)
    const first = () => Marks.look(world.page, url).then(({ badges }) => badges[0]?.left ?? 0)
    const before = await until("the marks", first, (left) => left > 0)
    const end = await tab.run(`(() => {
      const words = document.querySelector("h3 a").firstChild
      words.nodeValue = "Bright loft 1"
      const range = document.createRange()
      range.selectNodeContents(words)
      return range.getBoundingClientRect().right
    })()`)
    expect(await until("the mark", first, (left) => left !== before)).toBeGreaterThan(Number(end))
  })

  it.for(["what has the role of a link", "areas of a picture"])(
    "%s: the Tab key opens the card",
    async (name) => {
      const { origin, tab, world } = site
      const url = `${origin}/${encodeURIComponent(name)}`
      await tab.goTo(url)
      const look = () => Marks.look(world.page, url)
      await until("the marks", look, ({ badges }) => badges.length > 0)
      await tab.press("Tab")
      await until("the card", look, ({ card }) => card !== null)
    },
  )

  it("a drawing that is opened by itself: it stays as it is", async () => {
    const { origin, tab } = site
    await tab.goTo(`${origin}/drawing.svg`)
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    const drawn = await tab.run(`new XMLSerializer().serializeToString(document)`)
    expect(drawn).toContain(drawing)
    expect(tab.errors).toEqual([])
  })

  it("a lid that lies over half of its cards: no frame shows a mark on it", async () => {
    const { origin, tab, world } = site
    const url = `${origin}/${encodeURIComponent(Object.keys(pageKinds)[0]!)}`
    await tab.goTo(url)
    await until(
      "the marks",
      () => Marks.look(world.page, url),
      ({ badges }) => badges.length > 0,
    )
    const seen = await Marks.inTab(world.page, url, async () => {
      type Opener = { readonly openOrClosedShadowRoot?: ShadowRoot | null }
      type Dom = { readonly openOrClosedShadowRoot: (host: Element) => ShadowRoot }
      const { dom } = (globalThis as unknown as { chrome: { dom?: Dom } }).chrome
      const host = document.documentElement.lastElementChild!
      const root = dom?.openOrClosedShadowRoot(host) ?? (host as Opener).openOrClosedShadowRoot
      const cards = Array.from(
        { length: 16 },
        (_, at) => `<p style="height:40px;margin:0"><a href="/homes/home-${at + 1}">Home ${at + 1}</a></p>`,
      )
      document.body.innerHTML = `<div style="position:fixed;inset:0 0 auto;height:320px;background:silver">Lid</div>${cards.join("")}`
      /** Whether the mark and what it stands in are drawn. */
      const isDrawn = (mark: Element): boolean => mark.checkVisibility({ opacityProperty: true })
      let onLid = 0
      let below = 0
      for (let frames = 0; frames < 90; frames++) {
        await new Promise((resolve) => requestAnimationFrame(resolve))
        // What the extension's own callback of this frame did is painted with it.
        await Promise.resolve()
        for (const mark of root!.querySelectorAll(".spot.mark")) {
          const { bottom, top } = mark.getBoundingClientRect()
          if (bottom < 0 || !isDrawn(mark)) continue
          if (top < 310) onLid++
          else below++
        }
      }
      return { onLid, below: below > 0 }
    })
    expect(seen).toEqual({ onLid: 0, below: true })
  })

  it("areas of a picture: a mark is read out with the words of its area", async () => {
    const { origin, tab } = site
    await tab.goTo(`${origin}/${encodeURIComponent("areas of a picture")}`)
    await until("the marks", tab.readOut, (names) => names.some((name) => name.startsWith("Loft 1: 1 ")))
  })

  it("grown below its cards: marks move in no frame", async () => {
    const { origin, tab, world } = site
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

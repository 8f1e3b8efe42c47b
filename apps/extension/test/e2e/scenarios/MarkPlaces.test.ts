/** Where badges are on cards that look alike: at one place, and on nothing that the page itself shows there. */
import { afterAll, expect } from "vitest"
import { it, scenario } from "../BrowserTest.ts"
import { until } from "../browsers/Driver.ts"
import * as Site from "../kinds/Site.ts"
import * as Marks from "../Marks.ts"

const picture = `<img width="240" height="150" alt="" src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='240' height='150'%3E%3Crect width='100%25' height='100%25' fill='%23bcd'/%3E%3C/svg%3E">`
const numbers = [1, 2, 3, 4, 6, 7, 8, 9]

/** A card whose picture has a label without a text in its lower left corner, and a counter in its upper one. */
const labelled = (number: number, title: string): string => {
  const address = `/homes/${Site.slugOf(number)}`
  return `<article data-card="${number}"><a class="picture" href="${address}">${picture}<i class="energy"></i><b class="count">1/${number}</b></a><h3><a href="${address}">${title}</a></h3></article>`
}

const short = "Loft"
const long = "A bright loft with two balconies, close to the sea"

const pages: { readonly [path: string]: string } = {
  "short and long titles": numbers
    .map((number) => labelled(number, number % 2 === 0 ? short : long))
    .join(""),
  "short titles": numbers.map((number) => labelled(number, short)).join(""),
}

/** For each mark its distance from its card's corner, and whether it is on a label. */
const judge = () => {
  type Opener = { readonly openOrClosedShadowRoot?: ShadowRoot | null }
  type Dom = { readonly openOrClosedShadowRoot: (host: Element) => ShadowRoot }
  const { dom } = (globalThis as unknown as { chrome: { dom?: Dom } }).chrome
  const host = document.documentElement.lastElementChild!
  const root = dom?.openOrClosedShadowRoot(host) ?? (host as Opener).openOrClosedShadowRoot
  const marks = [...(root?.querySelectorAll(".spot.mark") ?? [])].map((mark) => mark.getBoundingClientRect())
  const labels = [...document.querySelectorAll(".energy, .count")].map((label) =>
    label.getBoundingClientRect(),
  )
  const cards = [...document.querySelectorAll("[data-card]")].map((card) => card.getBoundingClientRect())
  const found = cards.flatMap((card) =>
    marks
      .filter(
        ({ left, top }) => left >= card.left && left < card.right && top >= card.top && top < card.bottom,
      )
      .map(({ left, top }) => `${Math.round(left - card.left)} ${Math.round(top - card.top)}`),
  )
  const onLabels = marks.filter((mark) =>
    labels.some(
      ({ bottom, left, right, top }) =>
        left < mark.right && right > mark.left && top < mark.bottom && bottom > mark.top,
    ),
  )
  return { found, onLabels: onLabels.length }
}

/** Cards without a picture, whose titles leave no room for a badge, but for the first, which is wider than the window. */
const wide = numbers
  .map(
    (number, at) =>
      `<article data-card="${number}" style="${at === 0 ? "width:3000px" : "width:180px;height:90px"}"><h3 style="white-space:nowrap"><a href="/homes/${Site.slugOf(number)}">Bright loft ${number}</a></h3></article>`,
  )
  .join("")

/** Cards whose titles leave no room for a badge, each with the empty space of an advertisement below it. */
const advertised = numbers
  .map(
    (number) =>
      `<div style="width:240px"><div data-card="${number}"><h3 style="white-space:nowrap"><a href="/homes/${Site.slugOf(number)}">A bright loft by the sea</a></h3><p>Porto</p></div><div style="height:200px"></div></div>`,
  )
  .join("")

const rows: { readonly [path: string]: string } = { wide, advertised }

scenario("on cards that look alike", () => {
  let site: Site.Site
  it.beforeAll(async ({ enter }) => {
    site = await Site.open(enter, async (path) =>
      path in rows
        ? `<!DOCTYPE html><title>Homes</title><style>body{margin:0;font:16px/1.4 sans-serif}h3{margin:4px 0}</style>${rows[path]}`
        : `<!DOCTYPE html><title>Homes</title><style>body{margin:0;font:16px/1.4 sans-serif;display:grid;grid-template-columns:repeat(4,260px)}article{width:240px}.picture{position:relative;display:block}.energy{position:absolute;left:6px;bottom:6px;width:60px;height:24px;background:#2a7}.count{position:absolute;left:6px;top:6px;font-size:13px}h3{margin:4px 0;font-size:16px}</style>${pages[path] ?? ""}`,
    )
  }, 120_000)
  afterAll(() => site?.close())

  it.for(Object.keys(pages))("is at one place of each card, and on no label: %s", async (path) => {
    const { origin, tab, world } = site
    const url = `${origin}/${encodeURIComponent(path)}`
    await tab.goTo(url)
    const { found, onLabels } = await until(
      "a mark on each card",
      () => Marks.inTab(world.page, url, judge),
      ({ found }) => found.length === numbers.length,
    )
    expect([...new Set(found)]).toHaveLength(1)
    expect(onLabels).toBe(0)
  })

  it.for([
    ["is in the window on a card that is wider than it", "wide", 1_000],
    ["is in the card where an empty space follows it", "advertised", 2_600],
  ] as const)("%s", async ([, path, height]) => {
    const { origin, tab, world } = site
    const url = `${origin}/${path}`
    await tab.goTo(url)
    await tab.resize(1280, height)
    await until(
      "a mark on each card",
      () => Marks.inTab(world.page, url, judge),
      ({ found }) => found.length === numbers.length,
    )
  })
})

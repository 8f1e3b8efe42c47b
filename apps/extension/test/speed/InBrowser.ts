/** What people wait for in a browser that has a large index: lookups, searches, the popup, badges, and the writing of the index itself. */
import type { Asked } from "../../src/index/PageIndex.ts"
import { until } from "../e2e/browsers/Driver.ts"
import type { Tab } from "../e2e/browsers/Driver.ts"
import type { World } from "../e2e/World.ts"
import { millis } from "./Finding.ts"
import type { Finding, Findings } from "./Finding.ts"
import type { Millis, Speed } from "./inside.ts"

const lookedUp = 1_000
const manyTimes = 20
const manyMarks = 2_000
const scrolledCards = 600
const scrolledSteps = 100

type Call = <Name extends keyof Speed>(
  name: Name,
  ...given: Parameters<Speed[Name]>
) => Promise<Awaited<ReturnType<Speed[Name]>>>

interface Place {
  readonly world: World
  /** A page of the extension. */
  readonly page: Tab
  /** Runs something in a page of the extension. */
  readonly inPage: Call
  /** Runs something in the tab that shows the site. */
  readonly inSite: Call
  /** Slugs of the listings that have a contract. */
  readonly slugs: ReadonlyArray<string>
  readonly found: { [name: string]: Finding }
}

const measureLookups = async ({ found, inPage, inSite, slugs, world }: Place): Promise<void> => {
  /** Every other one is a listing, as on a page. */
  const references = slugs.slice(0, lookedUp / 2).flatMap((slug, at) => [slug, `page-of-no-listing-${at}`])
  found["lookup, warm"] = millis(...(await inPage("lookups", references, manyTimes)))
  const site = await world.driver.open(world.site)
  await inSite("ask", references, 1)
  found["lookup, warm, from a page and back"] = millis(...(await inSite("ask", references, 8)))
  const killed: Array<number> = []
  for (let round = 0; round < 8; round++) {
    await world.driver.killBackground()
    killed.push(...(await inSite("ask", references, 1)))
  }
  found["lookup, background killed"] = millis(...killed)
  await site.close()
}

/** The work of the page's main thread, apart from what the tab does in any case, such as taking the script in. */
const measureMainThread = async ({ found, inSite, slugs, world }: Place): Promise<void> => {
  const site = await world.driver.open(world.site)
  const half = slugs.slice(0, lookedUp / 2)
  const work = async (count: number): Promise<number> => {
    const before = await site.use()
    await inSite("readAndAsk", half, count)
    return (await site.use()).millis - before.millis
  }
  // The page and its content script make themselves ready first.
  await work(3)
  const worked: Array<number> = []
  for (let round = 0; round < 5; round++) worked.push(((await work(3)) - (await work(0))) / 3)
  found["1,000 links read and answered, main thread of the page"] = millis(...worked)
  await site.close()
}

const query = (text: string, counts = true): Asked => ({
  text,
  counts,
  limit: 50,
})

const measureSearches = async ({ found, inPage, page, world }: Place): Promise<void> => {
  const { listing, unit_label: unit } = world.emulator.store.contracts.find(
    (contract) => contract.listing != null,
  )!
  const [word = "", other = ""] = listing!.title.split(" ")
  const typed: Array<number> = []
  for (let round = 0; round < 5; round++) {
    await page.run("void ((globalThis.isOver = true), setTimeout(() => location.reload()))")
    await until(
      "the page that measures",
      () =>
        page
          .run("globalThis.speed !== undefined && globalThis.isOver === undefined && document.readyState")
          .catch(() => null),
      (state) => state === "complete",
    )
    typed.push(...(await inPage("searchTyped", query(word))))
  }
  found["free text, the first of a popup that has shown its rows"] = millis(...typed)
  const looks: Array<readonly [name: string, looks: Millis]> = [
    ["query, latest updates", await inPage("search", query("", false), manyTimes)],
    ["query, counts of everything", await inPage("search", query(""), manyTimes)],
    ["query, unit", await inPage("search", query(`unit:${unit.slice(0, 2)}`), manyTimes)],
    ["query, city", await inPage("search", query(`city:${listing!.city.slice(0, 3)}`), manyTimes)],
    ["query, status", await inPage("search", query("status:active"), manyTimes)],
    ["query, id", await inPage("search", query(`#${world.emulator.store.contracts[7]!.id}`), manyTimes)],
    ["free text, one word", await inPage("search", query(word), manyTimes)],
    ["free text, two words", await inPage("search", query(`${word} ${other}`), manyTimes)],
    ["free text, listing", await inPage("search", query(`listing:${word}`), manyTimes)],
    ["free text, nothing found", await inPage("search", query("qqxyz"), manyTimes)],
  ]
  for (const [name, taken] of looks) found[name] = millis(...taken)
}

const measureFill = async ({ found, inPage }: Place): Promise<void> => {
  const { millis: taken, rows, transactions } = await inPage("fill")
  found["fill"] = { unit: "rows/s", figures: [(1_000 * rows) / taken] }
  found["fill, transaction"] = millis(...transactions)
}

const measurePages = async ({ found, inSite, slugs, world }: Place): Promise<void> => {
  await world.ask({ type: "page.switchSite", origin: world.site, isOn: false })
  const site = await world.driver.open(world.site)
  const half = slugs.slice(0, lookedUp / 2)
  found["scan of 1,000 links"] = millis(...(await inSite("scan", half, manyTimes)))
  const { cards, drawn, scrolled } = await inSite("draw", half, manyTimes)
  found["cards of 1,000 links"] = millis(...cards)
  found["marks in view, first frame"] = millis(...drawn)
  found["marks in view, frame of a scrolled page"] = millis(...scrolled)
  const grown: Array<number> = []
  for (let round = 0; round < 5; round++) {
    await inSite("hold", manyMarks, false)
    const before = await site.use()
    await inSite("hold", manyMarks, true)
    grown.push(((await site.use()).bytes - before.bytes) / 1_000_000)
  }
  found[`memory of ${manyMarks.toLocaleString("en")} marks in a page`] = { unit: "MB", figures: grown }
  /** The main thread's work while the page scrolls, in milliseconds. */
  const scrolling = async (isMarked: boolean): Promise<number> => {
    await inSite("hold", scrolledCards, isMarked)
    await inSite("scroll", scrolledSteps)
    const before = await site.use()
    await inSite("scroll", scrolledSteps)
    return (await site.use()).millis - before.millis
  }
  const ratios: Array<number> = []
  for (let round = 0; round < 5; round++) {
    const alone = await scrolling(false)
    ratios.push((await scrolling(true)) / alone)
  }
  found[`a page of ${scrolledCards} cards scrolled with marks, over the page alone`] = {
    unit: "times",
    figures: ratios,
  }
  await site.close()
}

/** Times that the processor is slower where it stands for a slow machine. */
const slow = 4

const measurePopup = async ({ found, inPage, page }: Place): Promise<void> => {
  const measureAt = async (name: string, isPainted: boolean): Promise<void> => {
    const popup: Array<number> = []
    const blank: Array<number> = []
    for (let round = 0; round < manyTimes; round++) {
      popup.push(...(await inPage("show", "/popup.html", "[role=option]", 1, isPainted)))
      blank.push(...(await inPage("show", "/blank.html", "p", 1, isPainted)))
    }
    found[name] = millis(...popup)
    found[`${name}, over a blank page`] = millis(...popup.map((each, at) => each - blank[at]!))
  }
  await measureAt("popup, first rows", false)
  await page.slowDown(slow)
  await measureAt("popup, first rows painted, 4x slower processor", true)
  await page.slowDown(1)
}

export const parts = {
  lookups: async (place: Place): Promise<void> => {
    await measureLookups(place)
    await measureMainThread(place)
  },
  searches: measureSearches,
  popup: measurePopup,
  pages: measurePages,
  fill: measureFill,
}

/** Measures parts, by their names. */
export const measure = async (world: World, names: ReadonlyArray<string>): Promise<Findings> => {
  const page = await world.driver.open(`${world.driver.origin}/speed.html`)
  const inPage: Call = async (name, ...given) =>
    (await page.run(`speed.${name}(...${JSON.stringify(given)})`)) as never
  const inSite: Call = async (name, ...given) => (await inPage("inTab", world.site, name, given)) as never
  const { contracts } = world.emulator.store
  const slugs = [...new Set(contracts.flatMap(({ listing }) => (listing == null ? [] : [listing.slug])))]
  const found: { [name: string]: Finding } = {}
  for (const [name, part] of Object.entries(parts)) {
    if (names.includes(name)) await part({ world, page, inPage, inSite, slugs, found })
  }
  return found
}

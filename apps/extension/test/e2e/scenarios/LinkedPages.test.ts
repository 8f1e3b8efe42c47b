/** Linking pages of a portal to listings by hand: a site whose addresses carry its own numbers, and fragments behind them. */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, onTestFinished } from "vitest"
import { it, scenario } from "../BrowserTest.ts"
import { until } from "../browsers/Driver.ts"
import type { Tab } from "../browsers/Driver.ts"
import * as Marks from "../Marks.ts"
import { openSide } from "../Side.ts"
import { said, textOf } from "../Words.ts"

/** Numbers of the portal, which the service does not know. */
const numbers = Array.from({ length: 12 }, (_, at) => 87_766_701 + at)

const card = (number: number): string =>
  `<li style="height: 120px"><a href="/properties/${number}#/?channel=RES_LET"><h2>Flat ${number}</h2></a>
   <p>£1,200 a month</p></li>`

/** A portal with results, and a page for each of its properties. */
const listenPortal = async (titleOf: (path: string) => string, cards = numbers.map(card)) => {
  const server = createServer(({ url = "/" }, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" })
    const list = url.startsWith("/properties/") ? cards.slice(0, 3) : cards
    response.end(`<!doctype html><title>${titleOf(url)}</title><h1>Flats</h1><ul>${list.join("")}</ul>`)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const typed = (side: Tab) =>
  side.evaluate(() => document.querySelector<HTMLInputElement>(".link-page input")?.value ?? null)

scenario("a page of a portal", () => {
  it("is linked to a listing in the popup, has its contracts then, and so have links to it", async ({
    world,
  }) => {
    const here = await world("with-index")
    const { ask, driver, emulator, page } = here
    const { listing } = emulator.store.contracts.find((contract) => contract.listing != null)!
    const count = emulator.store.contracts.filter((contract) => contract.listing?.id === listing!.id).length
    const portal = await listenPortal((url) =>
      url.startsWith("/properties/")
        ? `${listing!.title} to let in ${listing!.city} | Portal`
        : "Flats | Portal",
    )
    await ask({ type: "page.addSite", origin: portal })
    const own = `${portal}/properties/${numbers[4]}`
    await driver.open(own)
    const side = await openSide(here, own)
    await side.show()
    await side.click("button", said("linkTitle"))
    await until(
      "a suggestion",
      () => typed(side),
      (text) => (text ?? "") !== "",
    )
    await until(
      "the listing of that title",
      () => side.evaluate(() => document.querySelector(".link-page [aria-selected=true]")?.textContent ?? ""),
      (text) => text.includes(`#${listing!.id}`),
    )
    await side.press("Enter")
    await until("what undoes it", () => side.has("button", said("linkUndo")), Boolean)
    const { panel } = await Marks.shown(page, own, (marks) => marks.panel !== null)
    expect(panel?.text).toMatch(new RegExp(`^${count} contracts? `))

    const results = await driver.open(`${portal}/`)
    await results.resize(1280, 2_000)
    // The marks of a window that has just grown come with its next frames.
    const marked = await Marks.shown(
      page,
      `${portal}/`,
      ({ badges, blank }) => badges.length > 0 && badges.length + blank >= numbers.length,
    )
    expect(marked.badges.map(({ path }) => path)).toEqual([`/properties/${numbers[4]}`])
    expect(marked.blank).toBe(numbers.length - 1)

    await side.show()
    await side.click("button", said("linkUndo"))
    await Marks.shown(page, own, (marks) => marks.panel === null)
    await results.show()
    await Marks.shown(page, `${portal}/`, ({ badges }) => badges.length === 0)
  })

  it("has several of its cards linked in one go, and none before", async ({ world }) => {
    const here = await world("new", { contracts: 10 })
    const { driver, emulator, page } = here
    const titles = ["Olive tree loft", "Blue harbour villa", "Sunny garden studio"]
    for (const [at, title] of titles.entries()) {
      const listing = { id: 90_001 + at, slug: `own-${at}`, title, city: "Athens", area: "" }
      emulator.store.insert({ status: "active", kind: "rent", listing, listing_id: listing.id })
    }
    await here.setUp()
    const cardOf = (title: string, at: number) =>
      `<li style="height: 120px"><a href="/properties/8776670${at}#/"><i>1/9</i></a><h2><a href="/properties/8776670${at}#/">${title}</a></h2><a href="/agents/anna-${at}">Anna</a></li>`
    const portal = await listenPortal(() => "Flats | Portal", ["Cellar", ...titles, "Old mill"].map(cardOf))
    await here.ask({ type: "page.addSite", origin: portal })
    const results = await driver.open(`${portal}/`)
    await results.resize(1280, 2_000)
    const side = await openSide(here, `${portal}/`)
    await side.show()
    await until("the offer", () => side.has("button", said("linkCards")), Boolean)
    await side.click("button", said("linkCards"))
    const press = said("linkCardsDo_other", "3")
    await until("the cards", () => side.has("button", press), Boolean)
    expect((await Marks.look(page, `${portal}/`)).badges).toEqual([])
    await side.click("button", press)
    await results.show()
    const { badges } = await Marks.shown(page, `${portal}/`, ({ badges }) => badges.length === 3)
    expect(badges.map(({ path }) => path)).toEqual([1, 2, 3].map((at) => `/properties/8776670${at}`))
    await side.show()
    await side.click("button", said("linkCardsUndo"))
    await results.show()
    await Marks.shown(page, `${portal}/`, ({ badges }) => badges.length === 0)
  })

  it("has badges by one click where its links carry the service's numbers, and none before", async ({
    world,
  }) => {
    const here = await world("with-index")
    const { driver, emulator, page } = here
    const ids = [
      ...new Set(emulator.store.contracts.flatMap(({ listing }) => (listing == null ? [] : [listing.id]))),
    ].slice(0, 9)
    const cardOf = (id: number, at: number) =>
      `<li style="height: 120px"><a href="/s-anzeige/nice-flat-${at % 4}/${id}-203-2${at}"><h2>Flat ${at}</h2></a></li>`
    const portal = await listenPortal(() => "Flats | Portal", [...ids, 900_000_001, 900_000_002].map(cardOf))
    await here.ask({ type: "page.addSite", origin: portal })
    const results = await driver.open(`${portal}/`)
    await results.resize(1280, 2_000)
    const side = await openSide(here, `${portal}/`)
    await side.show()
    await until(
      "the offer",
      () => textOf(side),
      (text) => text.includes(said("looksLike_other", "9")),
    )
    expect((await Marks.look(page, `${portal}/`)).badges).toEqual([])
    await side.click("button", said("siteShow"))
    await results.show()
    const { badges, blank } = await Marks.shown(page, `${portal}/`, ({ badges }) => badges.length > 8)
    expect(badges.map(({ path }) => path)).toEqual(
      ids.map((id, at) => `/s-anzeige/nice-flat-${at % 4}/${id}-203-2${at}`),
    )
    expect(blank).toBe(2)
    await side.show()
    await until(
      "the way to the listings",
      () => textOf(side),
      (text) => text.includes(said("onPageListings_other", "11")),
    )
    expect((await here.ask({ type: "page.state" })).sites.at(-1)?.patterns).toEqual(["/s-anzeige/*/:id-*"])
  })
})

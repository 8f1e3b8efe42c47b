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
import { said } from "../Words.ts"

const numbers = Array.from({ length: 12 }, (_, at) => 87_766_701 + at)

const card = (number: number): string =>
  `<li style="height: 120px"><a href="/properties/${number}#/?channel=RES_LET"><h2>Flat ${number}</h2></a>
   <p>£1,200 a month</p></li>`

/** A portal with results, and a page for each of its properties. */
const listenPortal = async (titleOf: (path: string) => string) => {
  const server = createServer(({ url = "/" }, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" })
    const list = url.startsWith("/properties/") ? numbers.slice(0, 3) : numbers
    response.end(
      `<!doctype html><title>${titleOf(url)}</title><h1>Flats</h1><ul>${list.map(card).join("")}</ul>`,
    )
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
    const marked = await Marks.shown(page, `${portal}/`, ({ badges }) => badges.length > 0)
    expect(marked.badges.map(({ path }) => path)).toEqual([`/properties/${numbers[4]}`])
    expect(marked.blank).toBe(numbers.length - 1)

    await side.show()
    await side.click("button", said("linkUndo"))
    await Marks.shown(page, own, (marks) => marks.panel === null)
    await results.show()
    await Marks.shown(page, `${portal}/`, ({ badges }) => badges.length === 0)
  })
})

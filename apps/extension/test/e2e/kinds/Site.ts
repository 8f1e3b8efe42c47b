/**
 * A site of a test's own beside a service that has a contract for most of its listings: `home-1` to `home-120`, but for every fifth one. The
 * extension knows all of them, and was allowed on the site.
 */
import { createServer } from "node:http"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import type { EmulatorOptions } from "@deedkit/emulator"
import type { Tab } from "../browsers/Driver.ts"
import type { World } from "../World.ts"

/** The largest number of a listing of the site. */
const mostListings = 120

/** Whether a listing has contracts. */
const isKnown = (number: number): boolean => number % 5 !== 0
export const slugOf = (number: number): string => `home-${number}`

const listings = Array.from({ length: mostListings }, (_, at) => at + 1)
/** Slugs of listings without a contract. */
export const blank = listings.filter((number) => !isKnown(number)).map(slugOf)

export interface Site {
  readonly world: World
  readonly origin: string
  /** Shows a page of the site. */
  readonly tab: Tab
  readonly close: () => Promise<void>
}

/** Opens a site that answers each path with a page, or with a script or a drawing where the path ends like one. */
export const open = async (
  enter: (options: EmulatorOptions) => Promise<World>,
  answer: (path: string) => Promise<string>,
): Promise<Site> => {
  const world = await enter({ contracts: 10 })
  for (const number of listings.filter(isKnown)) {
    const listing = { id: 90_000 + number, slug: slugOf(number), title: "A home", city: "Athens", area: "" }
    world.emulator.store.insert({ status: "active", kind: "rent", listing, listing_id: listing.id })
  }
  const server = createServer(async ({ url = "" }, response) => {
    const path = decodeURIComponent(url.slice(1))
    const ending = /\.(?:js|svg)$/.exec(path)?.[0]
    const type = ending === ".js" ? "text/javascript" : ending === ".svg" ? "image/svg+xml" : "text/html"
    const body = await answer(path)
    response.writeHead(200, { "content-type": `${type}; charset=utf-8` })
    response.end(body)
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await world.setUp()
  await world.ask({ type: "page.addSite", origin })
  return {
    world,
    origin,
    tab: await world.driver.open(`${origin}/`),
    close: async () => {
      await world.close()
      server.closeAllConnections()
      server.close()
    },
  }
}

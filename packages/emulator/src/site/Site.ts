/**
 * A web site with listing pages, for programs that work on such pages: an index whose cards load while it is scrolled, a page for
 * each listing, navigation without page loads, and a strict policy. It is not part of the service or its specification; no request to it
 * is counted, journalled or affected by a fault.
 */
import type { Emulator } from "../server/Emulator.ts"
import { picture, script, style } from "./Assets.ts"
import { page } from "./Html.ts"
import * as Listings from "./Listings.ts"
import * as Pages from "./Pages.ts"

/** The resources that the site lets its own pages load; it allows nothing else. */
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'"

const types = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
} as const

const reply = (type: keyof typeof types, body: string, status = 200): Response =>
  new Response(body, {
    status,
    headers: {
      "content-type": types[type],
      "content-security-policy": policy,
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    },
  })

const moduleOf = (value: object): Response => reply("js", `export default ${JSON.stringify(value)}`)

/** Answers requests to the site, always with the current contents of the store. */
export const site =
  ({ store }: Pick<Emulator, "store">) =>
  (request: Request): Response => {
    const url = new URL(request.url)
    const { pathname, searchParams } = url
    if (pathname === "/site.js") return reply("js", script)
    if (pathname === "/site.css") return reply("css", style)
    if (pathname === "/picture.svg")
      return reply("svg", picture(Math.trunc(Number(searchParams.get("id"))) || 0))
    const listings = Listings.of(store)
    if (pathname === "/cards.js") return moduleOf(Pages.cards(listings, searchParams))
    if (pathname === "/page.js") {
      const { html, title } = Pages.view(listings, inside(url, searchParams.get("path") ?? "/"))
      return moduleOf({ title, html })
    }
    const { html, status, title } = Pages.view(listings, url)
    return reply("html", page(title, html), status)
  }

/** The address of a path within the site; the index for a path that leads out of it. */
const inside = ({ origin }: URL, path: string): URL => {
  const url = URL.parse(path, origin)
  return url?.origin === origin ? url : new URL(origin)
}

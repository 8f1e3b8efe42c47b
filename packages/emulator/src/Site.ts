/**
 * A web site with listing pages, for programs that work on such pages: an index whose cards load while it is scrolled, a page for each listing,
 * navigation without page loads, and a strict policy. Links are written in the ways that sites write them: from the root, relative, absolute, and
 * by id in a parameter. It is not part of the service or its specification; no request to it is counted, journalled or affected by a fault.
 */
import type { Emulator } from "./Emulator.ts"
import { picture, script, style } from "./SiteAssets.ts"
import type { Store } from "./Store.ts"
import type { Contract, Listing } from "./Wire.ts"

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
    const listings = listingsOf(store)
    if (pathname === "/cards.js") return moduleOf(cards(listings, searchParams))
    if (pathname === "/page.js") {
      const { html, title } = view(listings, inside(url, searchParams.get("path") ?? "/"))
      return moduleOf({ title, html })
    }
    const { html, status, title } = view(listings, url)
    return reply("html", page(title, html), status)
  }

/** The address of a path within the site; the index for a path that leads out of it. */
const inside = ({ origin }: URL, path: string): URL => {
  const url = URL.parse(path, origin)
  return url?.origin === origin ? url : new URL(origin)
}

/** The part of a page that changes when the address does. */
interface View {
  readonly status: 200 | 404
  readonly title: string
  /** HTML of the main part. */
  readonly html: string
}

/** Cards of one page of the index, and the query of the next page; null after the last. */
interface Cards {
  readonly html: string
  readonly next: string | null
}

const cardsPerPage = 24
const mostCardsPerPage = 5000
const nearbyCount = 6

const whole = (text: string | null, otherwise: number): number => {
  const value = Number(text ?? otherwise)
  return Number.isSafeInteger(value) && value > 0 ? value : otherwise
}

/** The cards that `page` and `per` of a query select; by default the first 24. */
const cards = ({ all }: Listings, query: URLSearchParams): Cards => {
  const number = whole(query.get("page"), 1)
  const size = Math.min(mostCardsPerPage, whole(query.get("per"), cardsPerPage))
  const next = number * size < all.length
  return {
    html: all
      .slice((number - 1) * size, number * size)
      .map(card)
      .join(""),
    next: next ? `?page=${number + 1}${size === cardsPerPage ? "" : `&per=${size}`}` : null,
  }
}

const card = ({ area, city, id, slug, title }: Listing): string =>
  `<li><img src="/picture.svg?id=${id}" alt=""><h2><a href="/homes/${segment(slug)}">${escape(title === "" ? "A home" : title)}</a></h2><p>${escape(`${area}, ${city}`)}</p></li>\n`

/** The page at an address. Absolute links are written with the origin of the address. */
const view = (listings: Listings, url: URL): View => {
  if (url.pathname === "/") return index(listings, url.searchParams)
  if (url.pathname === "/about") return about
  if (url.pathname === "/tour") return tour(listings, url)
  const listing = listingAt(listings, url.pathname)
  return listing === undefined ? nothing : home(listings, listing, url)
}

const listingAt = (listings: Listings, path: string): Listing | undefined => {
  const [, encoded] = /^\/homes\/([^/]+)(?:\/photos)?$/.exec(path) ?? []
  if (encoded === undefined) return undefined
  try {
    return listings.bySlug(decodeURIComponent(encoded))
  } catch {
    return undefined
  }
}

const index = (listings: Listings, query: URLSearchParams): View => {
  const { html, next } = cards(listings, query)
  const more = next === null ? "" : `<a rel="next" href="/${escape(next)}">More homes</a>`
  return {
    status: 200,
    title: "Homes",
    html: `<h1>${listings.all.length} homes</h1><ul class="cards">${html}</ul>${more}`,
  }
}

const home = (listings: Listings, listing: Listing, url: URL): View => {
  const path = `/homes/${segment(listing.slug)}`
  const at = listings.all.indexOf(listing)
  const near = listings.all.slice(at + 1, at + 1 + nearbyCount)
  return {
    status: 200,
    title: `${listing.title} | Homes`,
    html: `<article class="home"><h1>${escape(listing.title)}</h1><img src="/picture.svg?id=${listing.id}" alt="">
<dl><dt>City</dt><dd>${escape(listing.city)}</dd><dt>Area</dt><dd>${escape(listing.area)}</dd></dl>
<p><a href="#top">Top</a> <a href="${path}/photos">Photos</a> <a href="/tour?listing=${listing.id}">Book a tour</a> <a href="mailto:homes@example.test">Write to us</a></p></article>
<h2>Near it</h2><ul class="near">${near
      .map(
        ({ slug, title }) => `<li><a href="${url.origin}/homes/${segment(slug)}">${escape(title)}</a></li>`,
      )
      .join("")}</ul>`,
  }
}

/** A page that names its listing only by id. */
const tour = (listings: Listings, url: URL): View => {
  const listing = listings.byId(Number(url.searchParams.get("listing")))
  if (listing === undefined) return nothing
  return {
    status: 200,
    title: "Book a tour | Homes",
    html: `<h1>Book a tour</h1><p>${escape(listing.title)}</p><p><a href="/">All homes</a></p>`,
  }
}

const about: View = {
  status: 200,
  title: "About | Homes",
  html: "<h1>About</h1><p>Made-up listings of the emulator.</p>",
}

const nothing: View = {
  status: 404,
  title: "Not found | Homes",
  html: '<h1>Not found</h1><p><a href="/">All homes</a></p>',
}

/** One in this many listings has no contract. */
const vacantEvery = 4
const firstVacantId = 800_000_000

/** The listings of the site, in the order in which the store lists their contracts. */
interface Listings {
  readonly all: ReadonlyArray<Listing>
  /** Spec: Contract, embedded listing summary. */
  readonly bySlug: (slug: string) => Listing | undefined
  readonly byId: (id: number) => Listing | undefined
}

const known = new WeakMap<ReadonlyArray<Contract>, Listings>()

/** The listings as the store has them now; the same ones for as long as no contract changes. */
const listingsOf = ({ contracts }: Pick<Store, "contracts">): Listings => {
  const before = known.get(contracts)
  if (before !== undefined) return before
  const listings = listingsFrom(contracts)
  known.set(contracts, listings)
  return listings
}

const listingsFrom = (contracts: ReadonlyArray<Contract>): Listings => {
  const bySlug = new Map<string, Listing>()
  for (const { listing } of contracts) {
    if (listing == null || listing.slug === "" || bySlug.has(listing.slug)) continue
    bySlug.set(listing.slug, listing)
    if (bySlug.size % vacantEvery === 0) {
      const vacant = vacantBeside(listing, bySlug.size / vacantEvery)
      bySlug.set(vacant.slug, vacant)
    }
  }
  const all = [...bySlug.values()]
  const byId = new Map(all.map((listing) => [listing.id, listing]))
  return { all, bySlug: (slug) => bySlug.get(slug), byId: (id) => byId.get(id) }
}

/** A listing that no contract names, in the same area as a listing with contracts. */
const vacantBeside = ({ area, city }: Listing, number: number): Listing => ({
  id: firstVacantId + number,
  slug: `vacant-home-${number}`,
  title: `Vacant home no. ${number}`,
  city,
  area,
})

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

/** A text between tags or within quotes. NUL and lone surrogates, which HTML cannot hold, become U+FFFD. */
export const escape = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[&<>"']/g, (mark) => entities[mark] ?? mark)
    .replaceAll("\0", "\uFFFD")

/** A text as one segment of a path, or as the value of a parameter. A lone surrogate becomes U+FFFD. */
const segment = (text: string): string => encodeURIComponent(text.toWellFormed())

/** A page with this main part. */
const page = (title: string, main: string): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<link rel="stylesheet" href="/site.css">
<link rel="icon" href="/picture.svg?id=0">
<script type="module" src="/site.js"></script>
</head>
<body>
<header><a href="/">Homes</a> <a href="/about">About</a></header>
<main>${main}</main>
</body>
</html>
`

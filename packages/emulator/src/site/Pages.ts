/**
 * The pages of the listing web site as HTML: cards, a page for each listing, and navigation. Links are written in the ways
 * that sites write them: from the root, relative, absolute, and by id in a parameter.
 */
import type { Listing } from "../wire/Wire.ts"
import { escape, segment } from "./Html.ts"
import type { Listings } from "./Listings.ts"

/** The part of a page that changes when the address does. */
export interface View {
  readonly status: 200 | 404
  readonly title: string
  /** HTML of the main part. */
  readonly html: string
}

/** Cards of one page of the index, and the query of the next page; null after the last. */
export interface Cards {
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
export const cards = ({ all }: Listings, query: URLSearchParams): Cards => {
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
export const view = (listings: Listings, url: URL): View => {
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

import { make, site } from "@deedkit/emulator"
import type { EmulatorOptions, Listing } from "@deedkit/emulator"
import { listenSite } from "@deedkit/emulator/node"
import { describe, expect, it } from "vitest"
import { texts } from "../src/Hurting.ts"
import { escape } from "../src/Site.ts"

const origin = "http://homes.test"
const open = (options: EmulatorOptions = {}) => {
  const emulator = make(options)
  const answer = site(emulator)
  const get = async (path: string) => {
    const response = answer(new Request(new URL(path, origin)))
    return { response, text: await response.text() }
  }
  /** What a module of the site exports. */
  const load = async (path: string): Promise<Record<string, string | null>> =>
    JSON.parse((await get(path)).text.replace(/^export default /, ""))
  return { emulator, get, load }
}

const slugsIn = (html: string | null | undefined) =>
  [...(html ?? "").matchAll(/href="(?:http:\/\/homes\.test)?\/homes\/([^"/]+)"/g)].map(([, slug]) =>
    decodeURIComponent(slug ?? ""),
  )
const listingsOf = (emulator: ReturnType<typeof make>) =>
  emulator.store.contracts.flatMap(({ listing }): ReadonlyArray<Listing> => (listing ? [listing] : []))

describe("the listing web site", () => {
  it("shows every listing that has a contract once, and others that have none", async () => {
    const { emulator, get } = open({ contracts: 100 })
    const shown = slugsIn((await get("/?per=5000")).text)
    const contracted = new Set(listingsOf(emulator).map(({ slug }) => slug))
    expect(new Set(shown).size).toBe(shown.length)
    expect(shown.filter((slug) => contracted.has(slug))).toHaveLength(contracted.size)
    const vacant = shown.filter((slug) => !contracted.has(slug))
    expect(vacant.length).toBe(Math.floor(shown.length / 4))
    expect((await get(`/homes/${vacant[0]}`)).response.status).toBe(200)
  })

  it("gives equal pages for equal options, and follows the store", async () => {
    const [one, two] = [open({ contracts: 30 }), open({ contracts: 30 })]
    expect((await one.get("/")).text).toBe((await two.get("/")).text)
    one.emulator.store.insert({ listing: { id: 5, slug: "new-one", title: "New", city: "A", area: "B" } })
    expect(slugsIn((await one.get("/?per=5000")).text)).toContain("new-one")
    expect((await one.get("/tour?listing=5")).text).toContain("<p>New</p>")
  })

  it("continues the cards page by page until none is left out", async () => {
    const { get, load } = open({ contracts: 120 })
    const whole = slugsIn((await get("/?per=5000")).text)
    const { text } = await get("/")
    const seen = slugsIn(text)
    let [, next] = /rel="next" href="\/([^"]+)"/.exec(text) as unknown as [string, string | null]
    while (next != null) {
      const cards = await load(`/cards.js${next}`)
      seen.push(...slugsIn(cards["html"]))
      next = cards["next"] ?? null
    }
    expect(seen).toEqual(whole)
  })

  it("gives the same content to a page load and to navigation by script", async () => {
    const { emulator, get, load } = open({ contracts: 40 })
    const slug = listingsOf(emulator)[3]?.slug
    for (const path of ["/", "/about", `/homes/${slug}`, `/homes/${slug}/photos`, "/nowhere"]) {
      const { html, title } = await load(`/page.js?path=${encodeURIComponent(path)}`)
      const { text } = await get(path)
      expect(text).toContain(`<main>${html}</main>`)
      expect(text).toContain(`<title>${escape(title ?? "-")}</title>`)
    }
  })

  it("answers every kind of request with a policy that allows its own files alone", async () => {
    const { get } = open({ contracts: 5 })
    for (const path of ["/", "/site.js", "/site.css", "/picture.svg?id=3", "/cards.js", "/page.js", "/x"]) {
      const { headers } = (await get(path)).response
      expect(headers.get("content-security-policy")).toBe(
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'",
      )
      expect(headers.get("x-content-type-options")).toBe("nosniff")
    }
    expect((await get("/")).text).not.toMatch(/<style|style=|<script>|\son\w+=/)
  })

  it("shows texts that hurt as text, and leads to each of their listings", async () => {
    const { emulator, get } = open({ contracts: texts.length, hurting: true })
    const { text } = await get("/?per=5000")
    expect(text).not.toContain("<script>alert")
    expect(text).toContain("&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;")
    expect(text).not.toContain("\0")
    for (const { slug, title } of listingsOf(emulator)) {
      const page = await get(`/homes/${encodeURIComponent(slug)}`)
      expect(page.response.status).toBe(200)
      expect(page.text).toContain(`<h1>${escape(title)}</h1>`)
    }
  })

  it("answers 404 for listings that it does not have and for paths that are none", async () => {
    const { get } = open({ contracts: 5 })
    for (const path of ["/homes/nope", "/homes/%E0%A4%A", "/tour?listing=x", "/homes/", "/v1/contracts/"]) {
      expect((await get(path)).response.status).toBe(404)
    }
    expect((await get("/page.js?path=//elsewhere.test/about")).text).toContain("cards")
  })

  it("writes a lone surrogate of a slug as the mark for what cannot be read", async () => {
    const { emulator, get } = open({ contracts: 0 })
    emulator.store.insert({ listing: { id: 1, slug: "a\uD800", title: "", city: "", area: "" } })
    expect((await get("/")).text).toContain('href="/homes/a%EF%BF%BD">A home</a>')
  })

  it("listens on a port of its own, and leaves no entry in the journal", async () => {
    const { emulator } = open({ contracts: 3, faults: ["drop"] })
    const server = await listenSite(emulator)
    expect(await (await fetch(`${server.url}/`)).text()).toContain('<ul class="cards">')
    await server.close()
    expect(emulator.journal.entries).toEqual([])
  })
})

/** Records that hurt, beside the listings that they belong to: nothing of them becomes markup, and none of them moves a page. */
import { expect } from "vitest"
import { it, scenario } from "../BrowserTest.ts"
import { until } from "../browsers/Driver.ts"
import type { Tab } from "../browsers/Driver.ts"
import * as Marks from "../Marks.ts"
import type { World } from "../World.ts"

const script = `<img src=x onerror="document.title='hurt'"><script>document.title='hurt'</script>`
const long = "W".repeat(10_000)
const listing = { id: 700_001, slug: "a-home-that-hurts", title: long, city: script, area: "Área" }
const hurting = [
  { kind: script, status: script, unit_label: script },
  { kind: long, status: long, unit_label: long },
  { kind: "\u202Etner", status: "\u2067evitca", unit_label: "\u202E3 tinU" },
  { kind: "rent", status: "constructor", unit_label: "__proto__" },
]
const path = `/homes/${listing.slug}`

/** Adds the records, and opens the page that lists all of their listings. */
const openHurting = async ({ driver, emulator, site }: World): Promise<Tab> => {
  const { insert } = emulator.store
  insert({ ...hurting[0], listing: null, listing_id: null })
  insert({ ...hurting[0], listing: { ...listing, slug: "../../etc/passwd" }, listing_id: 700_002 })
  for (const fields of hurting) insert({ ...fields, listing, listing_id: listing.id })
  return driver.open(`${site}/?per=200`)
}
const options = { contracts: 120, hurting: true }
/** Brings the card of a listing into the window. */
const scrollTo = (tab: Tab) =>
  tab.evaluate(
    (href) => document.querySelector(`li:has(a[href="${href}"])`)!.scrollIntoView({ block: "center" }),
    path,
  )

scenario("with records that hurt", () => {
  /** The page as its own author made it, and how wide it is. */
  const pageAsMade = (tab: Tab) =>
    tab.evaluate(() => {
      const copy = document.documentElement.cloneNode(true) as Element
      for (const host of copy.querySelectorAll("html > div")) {
        host.previousSibling?.remove()
        host.remove()
      }
      const { clientWidth, scrollWidth } = document.documentElement
      return { html: copy.outerHTML, isTooWide: scrollWidth > clientWidth, title: document.title }
    })

  it("changes nothing of a page but for the badges that it adds, and none of those is wider than its card", async ({
    world,
  }) => {
    const here = await world("new", options)
    const tab = await openHurting(here)
    const before = await pageAsMade(tab)
    const { index } = await here.setUp()
    expect(index).toMatchObject({ contracts: 126, rejected: 0 })
    await scrollTo(tab)
    const url = `${here.site}/?per=200`
    const { badges } = await until(
      "badges",
      () => Marks.look(here.page, url),
      ({ badges }) => badges.some((badge) => badge.path === path),
    )
    expect(await pageAsMade(tab)).toEqual(before)
    expect(before.isTooWide).toBe(false)
    for (const { height, width } of badges) {
      expect(width).toBeLessThan(260)
      expect(height).toBeLessThan(30)
    }
  })

  it("takes no slug that is a path for a listing's", async ({ world }) => {
    const here = await world("new", options)
    const tab = await openHurting(here)
    await here.setUp()
    const links = await tab.evaluate(() =>
      [...document.querySelectorAll<HTMLAnchorElement>(".cards a")].map((link) => link.pathname),
    )
    expect(links.filter((link) => link.endsWith("passwd"))).toHaveLength(1)
    await scrollTo(tab)
    const { badges } = await until(
      "badges",
      () => Marks.look(here.page, `${here.site}/?per=200`),
      ({ badges }) => badges.some((badge) => badge.path === path),
    )
    expect(badges.filter((badge) => badge.path.endsWith("passwd"))).toEqual([])
  })

  it("shows them in the panel as the text that they are, within the window", async ({ world }) => {
    const here = await world("new", options)
    const tab = await openHurting(here)
    await here.setUp()
    await tab.goTo(here.site + path)
    await until(
      "the panel",
      () => Marks.look(here.page, here.site + path),
      (marks) => marks.panel !== null,
    )
    await Marks.press(here.page, tab, here.site + path)
    const { panel } = await until(
      "its contracts",
      () => Marks.look(here.page, here.site + path),
      (marks) => /Synced/.test(marks.panel?.text ?? ""),
    )
    expect(panel?.text).toContain("<img src=x onerror=")
    expect(panel?.text.length).toBeLessThan(2_000)
    expect(await tab.evaluate(() => document.title)).toMatch(/^W+ \| Homes$/)
    expect(await tab.evaluate(() => document.querySelectorAll("img[src=x], script:not([src])").length)).toBe(
      0,
    )
  })
})

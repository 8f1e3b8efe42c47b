/** What a listing site learns by links to listings that it guesses. */
import { afterAll, expect } from "vitest"
import { addSecrets, few, many, serve, showLinks } from "../AttackPage.ts"
import type { Site } from "../AttackPage.ts"
import { it, scenario } from "../BrowserTest.ts"
import { until } from "../browsers/Driver.ts"
import * as Marks from "../Marks.ts"
import type { World } from "../World.ts"

/** Inserts links that nobody sees. */
const hideLinks = (paths: ReadonlyArray<string>): void => {
  const section = document.createElement("section")
  section.hidden = true
  for (const path of paths) {
    const link = document.createElement("a")
    link.href = path
    section.append(link)
  }
  document.body.append(section)
}

scenario("on a page that guesses", () => {
  let world: World
  let site: Site
  it.beforeAll(async ({ enter }) => {
    world = await enter({ contracts: 250 })
    addSecrets(world.emulator)
    site = await serve()
    await world.setUp()
    await world.ask({ type: "page.addSite", origin: site.origin })
  }, 120_000)
  afterAll(async () => {
    await world?.close()
    site?.close()
  })

  it("counts no listing that it does not link by a slug: 16,000 guessed ids give nothing", async () => {
    const { contracts } = world.emulator.store
    const ids = new Set(contracts.flatMap(({ listing }) => (listing == null ? [] : [listing.id])))
    expect(ids).toContain(41_002)
    const tab = await world.driver.open(`${site.origin}/`)
    await tab.evaluate(() => history.pushState({}, "", "/41002"))
    await tab.evaluate(
      hideLinks,
      Array.from({ length: 16_000 }, (_, at) => `/${40_000 + at}`),
    )
    await tab.evaluate(showLinks, ["41001", "41002.html", "../41002", "?listing=41002", few])
    const { blank, badges, panel } = await until(
      "the badge",
      () => Marks.look(world.page, `${site.origin}/41002`),
      (marks) => marks.badges.length === 1,
    )
    expect(blank).toBeGreaterThan(2)
    expect(badges.map(({ path }) => path)).toEqual([`/homes/${few}`])
    expect(panel).toBeNull()
  })

  it("is answered for no more than so many guessed slugs, and its user is told", async () => {
    const guessing = await world.driver.open(`${site.origin}/guess`)
    const guessed = Array.from({ length: 16_000 }, (_, at) => `/homes/guess-${at}`)
    await guessing.evaluate(hideLinks, [...guessed, `/homes/${many}`])
    const { badges, panel } = await until(
      "the notice",
      () => Marks.look(world.page, `${site.origin}/guess`),
      (marks) => marks.panel !== null,
    )
    expect(panel?.text).toContain("1,000 a minute")
    expect(badges).toEqual([])
    await guessing.close()
  })
})

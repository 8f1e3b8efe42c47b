import { beforeEach, describe, expect, it } from "vitest"
import * as World from "../World.ts"

let world: World.World
const url = `${World.site}/properties/87766707`
/** How a content script names that page. */
const reference = ":page/properties/87766707"

const listing = () => world.emulator.store.contracts.find((contract) => contract.listing != null)!.listing!
const link = (id: number | null = listing().id, address = url) =>
  world.ask({ type: "page.linkPage", url: address, listing: id })
const lookup = (sender = World.tab(1)) =>
  world.askAs(sender, { type: "listing.lookup", references: [reference, "about"] })
const start = () => world.askAs(World.tab(1), { type: "listing.start" })
const linked = { known: { [reference]: expect.objectContaining({ count: expect.any(Number) }) } }

beforeEach(async () => {
  world = World.make({ contracts: 60 })
  world.platform.granted.add(World.sitePattern)
  await world.ask({ type: "page.addSite", origin: World.site })
  await world.setUp()
  await world.until(World.isSynced)
})

describe("a page that is linked to a listing by hand", () => {
  it("has the listing's contracts in the popup, on its badges and in its panel, until the link is removed", async () => {
    expect(await start()).toMatchObject({ hasLinks: false })
    expect(await lookup()).toEqual({ known: {} })
    await link()
    expect(await start()).toMatchObject({ hasLinks: true })
    expect(await lookup()).toEqual(linked)
    expect(await world.askAs(World.tab(1), { type: "listing.detail", reference })).toMatchObject({
      title: listing().title,
    })
    expect(await world.index.listingAt(url)).toMatchObject({ title: listing().title })
    await link(null)
    expect(await start()).toMatchObject({ hasLinks: false })
    expect(await lookup()).toEqual({ known: {} })
    expect(await world.index.listingAt(url)).toBeNull()
    expect(await world.askAs(World.tab(1), { type: "listing.detail", reference })).toBeNull()
  })

  it("is told to the tabs of its site at once", async () => {
    world.platform.open.set(1, World.sitePattern)
    await link()
    expect(world.platform.sent).toContainEqual([1, "listing.changed"])
  })

  it("is known to its own site alone", async () => {
    const other = "https://flats.example"
    world.platform.granted.add(`${other}/*`)
    await world.ask({ type: "page.addSite", origin: other })
    await link()
    expect(await lookup(World.tab(2, other))).toEqual({ known: {} })
    expect(await world.askAs(World.tab(2, other), { type: "listing.start" })).toMatchObject({
      hasLinks: false,
    })
  })

  it("counts on the toolbar once, however the page's links name its listing", async () => {
    await link()
    const { id } = listing()
    const count = world.emulator.store.contracts.filter((contract) => contract.listing?.id === id).length
    await start()
    await link(id, `${url}0`)
    await world.askAs(World.tab(1), { type: "listing.start" })
    await world.askAs(World.tab(1), { type: "listing.lookup", references: [reference, `${reference}0`] })
    expect(world.platform.counts.get(1)).toBe(String(count))
  })

  it("counts with the listing's slug and id as one, however they are written and whenever they are asked for", async () => {
    await world.ask({ type: "page.setPatterns", origin: World.site, patterns: ["/homes/:id"] })
    await link()
    const { id, slug } = listing()
    const count = world.emulator.store.contracts.filter((contract) => contract.listing?.id === id).length
    const other = world.emulator.store.contracts.find(
      (contract) => contract.listing != null && contract.listing.id !== id,
    )!
    const rest = world.emulator.store.contracts.filter(
      (contract) => contract.listing?.id === other.listing!.id,
    ).length
    await start()
    const names = [slug, slug.toUpperCase(), String(id), reference]
    const messages = [names, ...names.map((name) => [name])]
    for (const references of messages) {
      const answer = await world.askAs(World.tab(1), { type: "listing.lookup", references })
      expect(Object.keys((answer as { readonly known: object }).known)).toHaveLength(references.length)
      expect(world.platform.counts.get(1)).toBe(String(count))
      expect(JSON.stringify(Object.values((answer as { readonly known: object }).known))).not.toContain(
        `${id}`,
      )
    }
    await world.askAs(World.tab(1), { type: "listing.lookup", references: [other.listing!.slug] })
    expect(world.platform.counts.get(1)).toBe(String(count + rest))
  })

  it("keeps its listing when the service's list is read again, and loses it with its site", async () => {
    await link()
    await world.ask({ type: "page.sync" })
    await world.until(World.isSynced)
    await world.kill()
    expect(await lookup()).toEqual(linked)
    await world.ask({ type: "page.removeSite", origin: World.site })
    world.platform.granted.add(World.sitePattern)
    await world.ask({ type: "page.addSite", origin: World.site })
    expect(await lookup()).toEqual({ known: {} })
  })

  it("goes from every account with its site, and those of other sites stay", async () => {
    const other = "https://flats.example"
    world.platform.granted.add(`${other}/*`)
    await world.ask({ type: "page.addSite", origin: other })
    await link()
    await link(listing().id, `${other}/view/1001`)
    await world.addAccount("Another")
    await link(41001)
    await link(41001, `${other}/view/1002`)
    await world.ask({ type: "page.removeSite", origin: World.site })
    const { accounts } = await world.ask({ type: "page.state" })
    expect(accounts.map(({ links }) => Object.keys(links ?? {}))).toEqual([
      [`${other}/view/1001`],
      [`${other}/view/1002`],
    ])
  })

  it("belongs to the account in use, and to the service that has the listing", async () => {
    await link()
    await world.addAccount("Another")
    const { accounts } = await world.ask({ type: "page.state" })
    expect(accounts.map(({ links }) => Object.keys(links ?? {}))).toEqual([[url], []])
    await world.ask({ type: "page.switchAccount", id: accounts[0]!.id })
    expect(await lookup()).toEqual(linked)
    await world.ask({ type: "page.setAddress", baseUrl: "https://other.example.test" })
    expect((await world.ask({ type: "page.state" })).accounts[0]?.links).toEqual({})
  })

  it.each([
    `${World.site}/`,
    "about:blank",
    "no address",
    "https://flats.example/view/1001",
    `${World.site}/${"long-".repeat(50)}`,
  ])("is no page like %s", async (address) => {
    expect(await link(1, address)).toMatchObject({ _tag: "UserError", message: "errorLink" })
  })
})

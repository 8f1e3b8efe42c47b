import { beforeEach, describe, expect, it } from "vitest"
import type { RawSender } from "../../../src/messages/Sender.ts"
import * as World from "../World.ts"

const origin = "https://once.example"
const tabId = 5

let world: World.World
let slug: string

/** The content script in a document of the tab. */
const script = (documentId: string | undefined, more: Partial<RawSender> = {}): RawSender => ({
  ...World.tab(tabId, origin),
  documentId,
  ...more,
})
const lookup = (sender: RawSender) => world.askAs(sender, { type: "listing.lookup", references: [slug] })
const known = () => ({ known: { [slug]: expect.anything() } })

beforeEach(async () => {
  world = World.make({ contracts: 60 })
  await world.setUp()
  await world.until(World.isSynced)
  slug = world.emulator.store.contracts.find(({ listing }) => listing != null)!.listing!.slug
})

describe("badges once, on a site that was not added", () => {
  it("are shown in the tab, which gets the content script", async () => {
    expect(await lookup(script("one"))).toBeNull()
    const state = await world.ask({ type: "page.showOnce", tabId, origin })
    expect(world.platform.ranIn).toEqual([tabId])
    expect(state).toMatchObject({ sites: [] })
    expect(await world.askAs(script("one"), { type: "listing.start" })).toEqual({
      patterns: [],
      hasLinks: false,
      theme: "system",
      pill: true,
    })
    expect(await lookup(script("one"))).toEqual(known())
    expect(await world.askAs(script("one"), { type: "listing.detail", reference: slug })).not.toBeNull()
    expect(world.platform.counts.get(tabId)).toMatch(/^\d+$/)
  })

  it("end with the document, also when the next one is of the same site and says that it is allowed", async () => {
    await world.ask({ type: "page.showOnce", tabId, origin })
    expect(await lookup(script("one"))).toEqual(known())
    expect(await lookup(script("two"))).toBeNull()
    expect(await lookup(script("one"))).toBeNull()
  })

  it("are for one tab, one origin and its own document alone", async () => {
    await world.ask({ type: "page.showOnce", tabId, origin })
    expect(await lookup(script("one", { tab: { id: tabId + 1 } }))).toBeNull()
    expect(await lookup(script(undefined))).toBeNull()
    expect(await world.askAs(script("one", { frameId: 3 }), { type: "listing.start" })).toBe("nothing")
    expect(await lookup(script("one"))).toEqual(known())
    const elsewhere = { url: "https://other.example/", origin: "https://other.example" }
    expect(await lookup(script("one", elsewhere))).toBeNull()
    expect(await lookup(script("one"))).toBeNull()
  })

  it("outlive a background that the browser stops, and not the tab", async () => {
    await world.ask({ type: "page.showOnce", tabId, origin })
    await lookup(script("one"))
    await world.kill()
    expect(await lookup(script("one"))).toEqual(known())
    await world.background().onTabRemoved(tabId)
    expect(await lookup(script("one"))).toBeNull()
  })

  it("go when everything is cleared, and the page is told", async () => {
    await world.ask({ type: "page.showOnce", tabId, origin })
    await lookup(script("one"))
    await world.ask({ type: "page.clear" })
    expect(world.platform.sent).toContainEqual([tabId, "listing.off"])
    expect(await lookup(script("one"))).toBeNull()
  })

  it("go with the service that they are of: the page is told when the address changes, and asks anew", async () => {
    world.platform.open.set(tabId, `${origin}/*`)
    await world.ask({ type: "page.showOnce", tabId, origin })
    await lookup(script("one"))
    expect(world.platform.counts.get(tabId)).not.toBe("")
    world.platform.sent.length = 0
    await world.ask({ type: "page.setAddress", baseUrl: "https://other.example.test" })
    expect(world.platform.sent).toContainEqual([tabId, "listing.changed"])
    expect(world.platform.counts.get(tabId)).toBe("")
    expect(await world.askAs(script("one"), { type: "listing.start", references: [slug] })).toMatchObject({
      known: {},
    })
  })

  it("are refused in words where the browser lets nobody look, and nothing is left of it", async () => {
    world.platform.closed.add(tabId)
    expect(await world.ask({ type: "page.showOnce", tabId, origin })).toEqual({
      _tag: "UserError",
      message: "errorOnce",
      advice: "errorOnceAdvice",
    })
    expect(await lookup(script("one"))).toBeNull()
  })

  it.each(["http://once.example", "about:blank", "chrome://extensions", "https://once.example/path"])(
    "are refused for %s, which is no site",
    async (wrong) => {
      expect(await world.ask({ type: "page.showOnce", tabId, origin: wrong })).toMatchObject({
        _tag: "UserError",
      })
      expect(world.platform.ranIn).toEqual([])
    },
  )

  it("are not given to a content script that asks for them itself", () => {
    const message = { type: "page.showOnce", tabId, origin }
    expect(world.background().onMessage(message, script("one"))).toBeNull()
  })

  it("ask the service nothing", async () => {
    world.platform.asked.length = 0
    await world.ask({ type: "page.showOnce", tabId, origin })
    await lookup(script("one"))
    expect(world.platform.asked).toEqual([])
  })
})

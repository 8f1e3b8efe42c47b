import { beforeEach, describe, expect, it } from "vitest"
import { mostReferences, quotas } from "../../src/messages/ListingMessage.ts"
import type { RawSender } from "../../src/messages/Sender.ts"
import { self } from "./FakePlatform.ts"
import * as World from "./World.ts"
import { parsePatterns } from "../../src/address/Reference.ts"

let world: World.World
const slugs = (): ReadonlyArray<string> => [
  ...new Set(
    world.emulator.store.contracts.flatMap(({ listing }) => (listing == null ? [] : [listing.slug])),
  ),
]

beforeEach(async () => {
  world = World.make({ contracts: 60 })
  world.platform.granted.add(World.sitePattern)
  await world.ask({ type: "page.addSite", origin: World.site })
  await world.setUp()
  await world.until(World.isSynced)
})

describe("what a content script may ask", () => {
  it("gets a summary of the listings that its page names, and nothing of the others", async () => {
    const [slug] = slugs()
    const answer = await world.askAs(World.tab(1), {
      type: "listing.lookup",
      references: [slug!, "unknown", "constructor"],
    })
    expect(answer).toEqual({
      known: {
        [slug!]: {
          count: expect.any(Number),
          status: expect.any(String),
          leading: expect.any(Number),
          groups: expect.any(Array),
        },
      },
    })
  })

  it("is told of no listing by a bare number, unless its site has a pattern", async () => {
    const { listing } = world.emulator.store.contracts.find((contract) => contract.listing != null)!
    const number = String(listing!.id)
    const lookup = () => world.askAs(World.tab(1), { type: "listing.lookup", references: [number] })
    expect(await lookup()).toEqual({ known: {} })
    expect(await world.askAs(World.tab(1), { type: "listing.detail", reference: number })).toBeNull()
    await world.ask({ type: "page.setPatterns", origin: World.site, patterns: ["/homes/:id"] })
    expect(await lookup()).toEqual({ known: { [number]: expect.anything() } })
  })

  it("is told of no contract and no unit that it names, unless its site has a pattern for them", async () => {
    const known = world.emulator.store.contracts.find((contract) => contract.listing != null)!
    const references = [`:contract/${known.id}`, `:unit/${known.unit_label.toLowerCase()}`]
    const lookup = (reference: string) =>
      world.askAs(World.tab(1), { type: "listing.lookup", references: [reference] })
    const patterns = (...patterns: ReadonlyArray<string>) =>
      world.ask({ type: "page.setPatterns", origin: World.site, patterns })
    await patterns("/homes/:id", "/homes/:slug/**", "!/:contracts")
    for (const reference of references) expect(await lookup(reference)).toEqual({ known: {} })
    await patterns("/contracts/:contract")
    expect(await lookup(references[0]!)).toMatchObject({ known: { [references[0]!]: { count: 1 } } })
    expect(await lookup(references[1]!)).toEqual({ known: {} })
    const detail = await world.askAs(World.tab(1), { type: "listing.detail", reference: references[0]! })
    expect(detail).toMatchObject({ contracts: [{ id: known.id }], total: 1 })
    await patterns("/units/:unit")
    expect(await lookup(references[0]!)).toEqual({ known: {} })
  })

  it("gets the detail of a listing that it has asked about before, also after the background was stopped", async () => {
    const [slug, other] = slugs()
    await world.askAs(World.tab(1), { type: "listing.start" })
    expect(await world.askAs(World.tab(1), { type: "listing.detail", reference: slug! })).toBeNull()
    await world.askAs(World.tab(1), { type: "listing.lookup", references: [slug!] })
    await world.kill()
    const detail = await world.askAs(World.tab(1), { type: "listing.detail", reference: slug! })
    expect(detail).toMatchObject({ contracts: [{ id: expect.any(Number), seenAt: expect.any(String) }] })
    expect(await world.askAs(World.tab(1), { type: "listing.detail", reference: other! })).toBeNull()
    expect(await world.askAs(World.tab(2), { type: "listing.detail", reference: slug! })).toBeNull()
    await world.askAs(World.tab(1), { type: "listing.start" })
    expect(await world.askAs(World.tab(1), { type: "listing.detail", reference: slug! })).toBeNull()
  })

  it("keeps what two lookups at once were told", async () => {
    const [one, two] = slugs()
    await Promise.all(
      [one!, two!].map((slug) => world.askAs(World.tab(1), { type: "listing.lookup", references: [slug] })),
    )
    for (const reference of [one!, two!]) {
      expect(await world.askAs(World.tab(1), { type: "listing.detail", reference })).not.toBeNull()
    }
  })

  it("may ask for the references of a page of 5,000 links, twice as many, and then for so many more a minute", async () => {
    const ask = (from: number, tab = 1) => {
      const references = Array.from({ length: mostReferences }, (_, at) => `page-${from + at}`)
      return world.askAs(World.tab(tab), { type: "listing.lookup", references })
    }
    const asked = async (from: number, most = 40) => {
      let count = 0
      while (count < most && (await ask(from + count * mostReferences)) !== "later") count++
      return count * mostReferences
    }
    expect(await asked(0)).toBe(quotas.newReferences.atOnce)
    expect(quotas.newReferences.atOnce).toBeGreaterThanOrEqual(2 * 5_000)
    expect(await asked(quotas.newReferences.atOnce)).toBe(0)
    expect(await ask(0)).toEqual({ known: {} })
    expect(await ask(0, 2)).toEqual({ known: {} })
    world.clock.advance(60_000)
    expect(await asked(quotas.newReferences.atOnce)).toBe(quotas.newReferences.perMinute)
    world.clock.advance(3_600_000)
    expect(await asked(100_000)).toBe(quotas.newReferences.atOnce)
  })

  it("is held to this on its next page, and after the background was stopped", async () => {
    const references = (from: number) =>
      Array.from({ length: mostReferences }, (_, at) => `page-${from + at}`)
    const lookup = (from: number) =>
      world.askAs(World.tab(1), { type: "listing.lookup", references: references(from) })
    for (let from = 0; from < quotas.newReferences.atOnce; from += mostReferences) await lookup(from)
    await world.askAs(World.tab(1), { type: "listing.start" })
    expect(await lookup(50_000)).toBe("later")
    await world.kill()
    expect(await lookup(50_000)).toBe("later")
    world.clock.advance(59_000)
    await world.kill()
    expect(await lookup(50_000)).toBe("later")
    world.clock.advance(1_000)
    expect(await lookup(50_000)).toEqual({ known: {} })
  })

  it.each([
    ["one tab", () => 1],
    ["ten tabs", (from: number) => (from / mostReferences) % 10],
    ["a tab for each request", (from: number) => from],
  ])("takes more than a quarter of an hour to try 25,000 slugs in %s", async (_, tabOf) => {
    let minutes = 0
    for (let from = 0; from < 25_000;) {
      const references = Array.from({ length: mostReferences }, (_, at) => `guess-${from + at}`)
      const answer = await world.askAs(World.tab(tabOf(from)), { type: "listing.lookup", references })
      await world.background().onTabRemoved(tabOf(from))
      if (answer === "later") {
        minutes++
        world.clock.advance(60_000)
      } else from += mostReferences
    }
    expect(minutes).toBeGreaterThanOrEqual(15)
  })

  it("may ask as much as ever when another site has used up its quota", async () => {
    const other = "https://other.example"
    world.platform.granted.add(`${other}/*`)
    await world.ask({ type: "page.addSite", origin: other })
    const ask = (from: number, origin?: string) => {
      const references = Array.from({ length: mostReferences }, (_, at) => `page-${from + at}`)
      return world.askAs(World.tab(1, origin), { type: "listing.lookup", references })
    }
    for (let from = 0; from < quotas.newReferences.atOnce; from += mostReferences) await ask(from)
    expect(await ask(50_000)).toBe("later")
    expect(await ask(50_000, other)).toEqual({ known: {} })
  })

  it("may ask for what it knows again, but not for more than so much a minute", async () => {
    const references = Array.from({ length: mostReferences }, (_, at) => `page-${at}`)
    const ask = () => world.askAs(World.tab(1), { type: "listing.lookup", references })
    const answers = []
    for (let times = 0; times < 21; times++) answers.push(await ask())
    expect(answers.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => ({ known: {} })))
    expect(answers.at(-1)).toBe("later")
    world.clock.advance(60_000)
    expect(await ask()).toEqual({ known: {} })
  })

  it("gets so many details at once, and never more than 60 in a minute", async () => {
    const [reference] = slugs()
    await world.askAs(World.tab(1), { type: "listing.lookup", references: [reference!] })
    const ask = (type: "listing.detail" | "listing.refresh") =>
      world.askAs(World.tab(1), { type, reference: reference! })
    const given: Array<number> = []
    for (let seconds = 0; seconds < 240; seconds++) {
      for (let more = 0; more < 3; more++) if ((await ask("listing.detail")) !== null) given.push(seconds)
      world.clock.advance(1_000)
    }
    expect(given.slice(0, quotas.details.atOnce).at(-1)).toBeLessThan(15)
    for (const from of given) {
      const within = given.filter((seconds) => seconds >= from && seconds < from + 60)
      expect(within.length).toBeLessThanOrEqual(60)
    }
    expect(given.length).toBeGreaterThan(4 * quotas.details.perMinute)
    while ((await ask("listing.detail")) !== null);
    expect(await ask("listing.refresh")).toBeNull()
    await world.kill()
    expect(await ask("listing.detail")).toBeNull()
  })

  it("refreshes a listing's contracts by id, ten times a minute", async () => {
    const { id, listing } = world.emulator.store.contracts.find((contract) => contract.listing != null)!
    const reference = listing!.slug
    await world.askAs(World.tab(1), { type: "listing.lookup", references: [reference] })
    world.emulator.store.update(id, { status: "ended" })
    const answer = await world.askAs(World.tab(1), { type: "listing.refresh", reference })
    expect(answer).toMatchObject({
      contracts: expect.arrayContaining([expect.objectContaining({ id, status: "ended" })]),
    })
    for (let more = 0; more < 9; more++) {
      world.clock.advance(2_000)
      await world.askAs(World.tab(1), { type: "listing.refresh", reference })
    }
    expect(await world.askAs(World.tab(1), { type: "listing.refresh", reference })).toBeNull()
  })

  it("is told when a refresh brought nothing, and gets what was known before", async () => {
    const [reference] = slugs()
    await world.askAs(World.tab(1), { type: "listing.lookup", references: [reference!] })
    world.emulator.faults.set(["key-revoked"])
    expect(await world.askAs(World.tab(1), { type: "listing.refresh", reference: reference! })).toMatchObject(
      {
        problem: "problemRefresh",
        contracts: [expect.anything()],
      },
    )
    expect((await world.ask({ type: "page.state" })).connection).toEqual({ _tag: "WrongKey" })
  })

  it("opens a listing that it knows, and no other", async () => {
    const [known, other] = slugs()
    await world.askAs(World.tab(1), { type: "listing.lookup", references: [known!] })
    const before = world.platform.opened.length
    for (const reference of [known!, other!]) {
      await world.askAs(World.tab(1), { type: "listing.open", reference })
    }
    expect(world.platform.opened.slice(before)).toEqual([`/popup.html?listing=${known}`])
  })

  it("brings the script that shows details into the page that asks for it, and into no other", async () => {
    const before = world.platform.detailsIn.length
    expect(await world.askAs(World.tab(1), { type: "listing.loadDetails" })).toBe(true)
    expect(world.platform.detailsIn.slice(before)).toEqual([1])
    const stranger = World.tab(1, "https://elsewhere.example")
    expect((await world.askAs(stranger, { type: "listing.loadDetails" })) ?? null).toBeNull()
    expect(world.platform.detailsIn).toHaveLength(before + 1)
  })

  it("answers the first message of a page with what it names, unless a pattern decides that", async () => {
    const [slug] = slugs()
    const start = (references: ReadonlyArray<string>) =>
      world.askAs(World.tab(1), { type: "listing.start", references })
    expect(await start([slug!, "no-home", "41001"])).toMatchObject({ known: { [slug!]: { count: 1 } } })
    expect(await world.askAs(World.tab(1), { type: "listing.detail", reference: slug! })).not.toBeNull()
    await world.ask({ type: "page.setPatterns", origin: World.site, patterns: ["!/rent/"] })
    expect(await start([slug!])).not.toHaveProperty("known")
    expect(await world.askAs(World.tab(1), { type: "listing.detail", reference: slug! })).toBeNull()
  })

  it("counts the references of first messages as those of lookups", async () => {
    const [slug] = slugs()
    for (let from = 0; from < 10; from++) {
      const references = Array.from({ length: 1_000 }, (_, at) => `home-${from}-${at}`)
      expect(await world.askAs(World.tab(7), { type: "listing.start", references })).toMatchObject({
        known: {},
      })
    }
    const references = [slug!, ...Array.from({ length: 200 }, (_, at) => `one-more-${at}`)]
    expect(await world.askAs(World.tab(7), { type: "listing.start", references })).toMatchObject({
      known: "later",
    })
    expect(await world.askAs(World.tab(7), { type: "listing.detail", reference: slug! })).toBeNull()
  })

  it("keeps where a site's panel stands until badges are switched there, and tells no other page", async () => {
    const start = async () => {
      const answer = await world.askAs(World.tab(1), { type: "listing.start" })
      return answer === null || answer === "nothing" ? null : (answer.place ?? 0)
    }
    const told = world.platform.sent.length
    await world.askAs(World.tab(1), { type: "listing.place", place: 6 })
    await world.askAs(World.tab(1, "https://elsewhere.example"), { type: "listing.place", place: 1 })
    expect(await start()).toBe(6)
    expect(world.platform.sent).toHaveLength(told)
    await world.ask({ type: "page.switchSite", origin: World.site, isOn: true })
    expect(await start()).toBe(0)
  })

  it("shows the page's contracts on the toolbar, unless that is switched off", async () => {
    await world.askAs(World.tab(3), { type: "listing.lookup", references: slugs() })
    expect(Number(world.platform.counts.get(3))).toBeGreaterThan(10)
    await world.ask({ type: "page.setSettings", settings: { toolbarCount: false } })
    await world.askAs(World.tab(3), { type: "listing.lookup", references: slugs() })
    expect(world.platform.counts.get(3)).toBe("")
  })

  it("takes the number off the toolbar with the badges: switched off, forgotten, or taken back in the browser", async () => {
    const { counts, granted, open } = world.platform
    open.set(3, World.sitePattern)
    const show = async () => {
      await world.askAs(World.tab(3), { type: "listing.lookup", references: slugs() })
      expect(counts.get(3)).not.toBe("")
    }
    await show()
    await world.ask({ type: "page.switchSite", origin: World.site, isOn: false })
    expect(counts.get(3)).toBe("")
    await world.ask({ type: "page.switchSite", origin: World.site, isOn: true })
    await show()
    granted.delete(World.sitePattern)
    await world.askAs(World.tab(3), { type: "listing.start" })
    expect(counts.get(3)).toBe("")
    granted.add(World.sitePattern)
    await show()
    await world.ask({ type: "page.removeSite", origin: World.site })
    expect(counts.get(3)).toBe("")
  })

  it.each(["page.switchSite", "page.removeSite"] as const)(
    "keeps its badges when a site at another port of its host loses them: %s",
    async (type) => {
      const other = `${World.site}:8443`
      await world.ask({ type: "page.addSite", origin: other })
      for (const tab of [1, 2]) world.platform.open.set(tab, World.sitePattern)
      const start = (tab: number, origin: string) =>
        world.askAs(World.tab(tab, origin), { type: "listing.start" })
      const off = (origin: string) =>
        world.ask(type === "page.removeSite" ? { type, origin } : { type, origin, isOn: false })
      world.platform.sent.length = 0
      await off(other)
      const changed = [1, 2].map((tab) => [tab, "listing.changed"])
      expect(world.platform.sent).toEqual(changed)
      expect(await start(1, World.site)).not.toBeNull()
      expect(await start(2, other)).toBeNull()
      await off(World.site)
      expect(world.platform.sent.slice(2)).toEqual([1, 2].map((tab) => [tab, "listing.off"]))
    },
  )

  it("opens so many tabs a minute and no more, whatever it asks", async () => {
    const [reference] = slugs()
    await world.askAs(World.tab(1), { type: "listing.lookup", references: [reference!] })
    const before = world.platform.opened.length
    for (let more = 0; more < 30; more++) {
      await world.askAs(World.tab(1), { type: "listing.open", reference: reference! })
    }
    expect(world.platform.opened).toHaveLength(before + quotas.opens)
  })

  it("is answered so many times a minute and no more", async () => {
    const ask = (tab: number) => world.askAs(World.tab(tab), { type: "listing.lookup", references: [] })
    const answers: Array<unknown> = []
    for (let more = 0; more < quotas.requests + 3; more++) answers.push(await ask(1))
    expect(answers.filter((answer) => answer === null)).toHaveLength(3)
    expect(await ask(2)).not.toBeNull()
    world.clock.advance(60_000)
    expect(await ask(1)).not.toBeNull()
  })

  it("starts with its site's patterns and theme, and is refused where the site is off, taken back or unknown", async () => {
    const start = (origin = World.site) => world.askAs(World.tab(1, origin), { type: "listing.start" })
    await world.ask({ type: "page.setPatterns", origin: World.site, patterns: ["/homes/:slug"] })
    expect(await start()).toEqual({
      patterns: parsePatterns(["/homes/:slug"]),
      hasLinks: false,
      theme: "system",
      pill: true,
    })
    expect(await start("https://other.example")).toBeNull()
    expect(await start("https://homes.example:8443")).toBeNull()
    await world.ask({ type: "page.switchSite", origin: World.site, isOn: false })
    expect(await start()).toBeNull()
    await world.ask({ type: "page.switchSite", origin: World.site, isOn: true })
    world.platform.granted.delete(World.sitePattern)
    expect(await start()).toBeNull()
  })
})

describe("a listing that a page of the extension names", () => {
  it("is found by its slug and by its id, whatever the patterns are, and in an address by its slug", async () => {
    const { listing } = world.emulator.store.contracts.find((contract) => contract.listing != null)!
    const { id, slug } = listing!
    const bySlug = await world.index.listing(slug)
    expect(bySlug?.rows[0]).toMatchObject({ slug })
    expect(await world.index.listing(String(id))).toEqual(bySlug)
    expect(await world.index.listingAt(`${World.site}/homes/${slug}`)).toEqual(bySlug)
    expect(await world.index.listingAt(`${World.site}/homes/${id}`)).toBeNull()
  })
})

describe("who is answered", () => {
  const request = { type: "page.refresh", id: 5 }
  const lookup = { type: "listing.lookup", references: ["a"] }
  const strangers: ReadonlyArray<readonly [string, RawSender, unknown]> = [
    ["another extension", { ...World.page, id: "another" }, request],
    ["a content script that asks what pages ask", World.tab(1), request],
    ["a page that asks what content scripts ask", World.page, lookup],
    [
      "a site that wears the extension's address inside its own",
      { ...World.tab(1), url: `https://x.example/${self.origin}/popup.html` },
      request,
    ],
    ["an address of the extension with a site's origin", { ...World.page, origin: World.site }, request],
    ["a site's address with another origin", { ...World.tab(1), origin: "https://other.example" }, lookup],
    ["a frame inside a page", { ...World.tab(1), frameId: 3 }, lookup],
    ["a sender without a tab", { ...World.tab(1), tab: undefined }, lookup],
    ["a sender without an address", { id: self.id }, request],
    ["a document without an origin", { ...World.tab(1), url: "about:blank", origin: "null" }, lookup],
  ]
  it("the extension's own pages, and the content scripts of its sites", () => {
    expect(world.background().onMessage(request, World.page)).toBeInstanceOf(Promise)
    expect(world.background().onMessage(lookup, World.tab(1))).toBeInstanceOf(Promise)
  })
  it.each(strangers)("not %s", (_who, sender, message) => {
    expect(world.background().onMessage(message, sender)).toBeNull()
  })

  const nonsense: ReadonlyArray<readonly [string, unknown]> = [
    ["nothing", null],
    ["a text", "listing.start"],
    ["an unknown type", { type: "listing.all" }],
    ["a type of the prototype", { type: "toString" }],
    [
      "too many references",
      { type: "listing.lookup", references: Array.from({ length: mostReferences + 1 }, () => "a") },
    ],
    ["a reference that is too long", { type: "listing.lookup", references: ["a".repeat(201)] }],
    ["an empty reference", { type: "listing.detail", reference: "" }],
    ["a member too many", { type: "listing.start", key: true }],
    ["a missing member", { type: "listing.lookup" }],
    ["a reference that is no text", { type: "listing.open", reference: 1 }],
  ]
  it.each(nonsense)("nobody who says %s", (_what, message) => {
    expect(world.background().onMessage(message, World.tab(1))).toBeNull()
    expect(world.background().onMessage(message, World.page)).toBeNull()
  })

  it("nobody who opens a port but the extension's own pages", async () => {
    const closed: Array<string> = []
    for (const sender of [World.tab(1), { ...World.page, id: "another" }]) {
      world.background().onConnect({
        name: "page.state",
        sender,
        postMessage: () => closed.push("told"),
        disconnect: () => closed.push("closed"),
        onDisconnect: { addListener: () => {} },
      })
    }
    await World.turns(50)
    expect(closed).toEqual(["closed", "closed"])
  })
})

describe("a page that is too busy to answer", () => {
  beforeEach(() => {
    world.platform.open.set(4, World.sitePattern).set(5, World.sitePattern)
    world.platform.busy.add(4)
  })

  it("keeps no setting, switch, sync or site waiting, and no other page", async () => {
    await world.ask({ type: "page.setSettings", settings: { theme: "dark" } })
    await world.ask({ type: "page.switchSite", origin: World.site, isOn: false })
    await world.ask({ type: "page.switchSite", origin: World.site, isOn: true })
    expect(world.platform.ranIn.slice(-2)).toEqual([4, 5])
    world.clock.advance(60_000)
    await world.ask({ type: "page.sync" })
    await world.until(({ index }) => index.completedAt === "2026-03-01T14:01:00.000Z")
    await world.background().onGrantsChanged()
    world.platform.sent.length = 0
    expect(await world.ask({ type: "page.removeSite", origin: World.site })).toMatchObject({ sites: [] })
    expect(world.platform.sent).toEqual([
      [4, "listing.off"],
      [5, "listing.off"],
    ])
  })

  it("holds no switch up for longer than a second where the browser waits for every page to know its scripts", async () => {
    world.platform.isSilent = true
    for (const isOn of [false, true]) {
      const switched = world.ask({ type: "page.switchSite", origin: World.site, isOn })
      await expect.poll(() => world.platform.scriptsById.size).toBe(isOn ? 1 : 0)
      await World.turns(5)
      world.clock.advance(1_000)
      expect(await switched).toMatchObject({ sites: [{ isOn }] })
    }
  })

  it("gets badges once when it answers again, and the popup its answer after a second", async () => {
    const shown = world.ask({ type: "page.showOnce", tabId: 4, origin: "https://once.example" })
    await expect.poll(() => world.platform.ranIn).toContain(4)
    await World.turns(5)
    world.clock.advance(1_000)
    expect(await shown).not.toMatchObject({ _tag: "UserError" })
    const sender = { ...World.tab(4, "https://once.example"), documentId: "one" }
    expect(await world.askAs(sender, { type: "listing.start" })).not.toBeNull()
  })
})

describe("what comes of the browser's events", () => {
  it("opens the first steps when it is installed, and registers its scripts anew when it is updated", async () => {
    await world.background().onInstalled("install")
    expect(world.platform.opened).toContain("/welcome.html")
    world.platform.opened.length = 0
    world.platform.scriptsById.clear()
    world.platform.open.set(4, World.sitePattern)
    await world.background().onInstalled("update")
    expect([...world.platform.scriptsById.values()].map(({ pattern }) => pattern)).toEqual([
      World.sitePattern,
    ])
    expect(world.platform.ranIn).toContain(4)
    expect(world.platform.opened).toEqual([])
  })

  it("reads the contracts again after an update only where that is due", async () => {
    world.platform.asked.length = 0
    await world.background().onInstalled("update")
    await World.turns(200)
    expect(world.platform.asked).toEqual([])
    world.clock.advance(3 * 60 * 60_000)
    await world.background().onInstalled("update")
    await world.until(({ index }) => index.completedAt === "2026-03-01T17:00:00.000Z")
    expect(world.platform.asked).not.toEqual([])
  })

  it("takes its script back when the browser takes a site back, and asks open pages to look again", async () => {
    world.platform.open.set(4, World.sitePattern)
    world.platform.granted.delete(World.sitePattern)
    await world.background().onGrantsChanged()
    expect(world.platform.scriptsById.size).toBe(0)
    expect(world.platform.sent).toContainEqual([4, "listing.changed"])
    expect((await world.ask({ type: "page.state" })).sites).toMatchObject([{ isGranted: false, isOn: true }])
  })

  it("shows that the service's address was taken back, and resumes when it is granted again", async () => {
    world.platform.granted.delete(World.apiPattern)
    await world.background().onGrantsChanged()
    await world.ask({ type: "page.sync" })
    const state = await world.ask({ type: "page.state" })
    expect(state.connection).toEqual({ _tag: "NoPermission", origin: World.baseUrl })
    world.platform.granted.add(World.apiPattern)
    await world.background().onGrantsChanged()
    expect((await world.until(World.isSynced)).connection).toEqual({ _tag: "Ready" })
  })

  it("halts a sync with the grant of the service, and resumes it when that is given again", async () => {
    world = World.make({ contracts: 1_450 })
    await world.setUp()
    await world.until(({ sync }) => sync._tag === "Syncing" && sync.pages >= 2)
    world.platform.granted.delete(World.apiPattern)
    await world.background().onGrantsChanged()
    const asked = world.platform.asked.length
    await World.turns(300)
    world.clock.advance(60_000)
    await World.turns(300)
    expect(world.platform.asked).toHaveLength(asked)
    expect(await world.ask({ type: "page.state" })).toMatchObject({
      connection: { _tag: "NoPermission" },
      sync: { _tag: "Idle" },
    })
    world.platform.granted.add(World.apiPattern)
    await world.background().onGrantsChanged()
    expect(await world.inTime(World.isSynced)).toMatchObject({ index: { contracts: 1_450 } })
    expect(world.platform.asked[asked]).toContain("before_id=")
  })

  it("sends the state at once and at every change", async () => {
    const states: Array<unknown> = []
    const ends: Array<() => void> = []
    world.background().onConnect({
      name: "page.state",
      sender: World.page,
      postMessage: (state) => states.push(state),
      disconnect: () => {},
      onDisconnect: { addListener: (end) => ends.push(end) },
    })
    await expect.poll(() => states).toHaveLength(1)
    await world.ask({ type: "page.setSettings", settings: { theme: "dark" } })
    await expect.poll(() => states.at(-1)).toMatchObject({ settings: { theme: "dark" } })
    ends.forEach((end) => end())
    const sent = states.length
    await world.ask({ type: "page.setSettings", settings: { theme: "light" } })
    await World.turns(200)
    expect(states).toHaveLength(sent)
  })
})

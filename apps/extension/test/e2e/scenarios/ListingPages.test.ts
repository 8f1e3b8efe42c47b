/** The content script on the emulator's listing site, whose policy allows no script, style or connection but the site's own. */
import { listenSite } from "@deedkit/emulator/node"
import { expect, onTestFinished } from "vitest"
import { it, scenario, shared } from "../BrowserTest.ts"
import { until } from "../browsers/Driver.ts"
import type { Tab } from "../browsers/Driver.ts"
import * as Marks from "../Marks.ts"
import { openSide } from "../Side.ts"
import { said } from "../Words.ts"
import type { World } from "../World.ts"

const goneFrom = ({ badges, card, panel }: Marks.Marks): boolean =>
  badges.length === 0 && card === null && panel === null

const hasContracts = ({ panel }: Marks.Marks): boolean => /Synced/.test(panel?.text ?? "")

const options = { contracts: 250 }

/** A status in the words that people see. */
const worded = (status: string): string => status.replaceAll("_", " ")

/** Opens a page of the site in a window that shows more than ten rows of cards, and gives the ways to look at it. */
const visit = async (world: World, start = "/") => {
  const tab = await world.driver.open(world.site + start)
  await tab.resize(1280, 3000)
  /** What the extension shows in the site's tab, once the tab is at a path and the marks are as wanted. */
  const marksWhen = async (what: string, path: string, isWanted: (marks: Marks.Marks) => boolean) => {
    const address = world.site + path
    await until(
      path,
      () => tab.evaluate(() => location.href).catch(() => "between two pages"),
      (href) => href === address,
    )
    return until(what, () => Marks.look(world.page, address), isWanted)
  }

  const contractsOf = (path: string) => {
    const slug = decodeURIComponent(path.replace("/homes/", ""))
    return world.emulator.store.contracts.filter(({ listing }) => listing?.slug === slug)
  }
  const pathsOfCards = () =>
    tab.evaluate(() =>
      [...document.querySelectorAll<HTMLAnchorElement>(".cards a")].map((link) => link.pathname),
    )
  /** Paths of the cards that are wholly in the window. */
  const pathsInView = () =>
    tab.evaluate(() =>
      [...document.querySelectorAll<HTMLAnchorElement>(".cards a")].flatMap((link) => {
        const { bottom, top } = link.closest("li")!.getBoundingClientRect()
        return top >= 0 && bottom <= innerHeight ? [link.pathname] : []
      }),
    )
  return { contractsOf, marksWhen, pathsInView, pathsOfCards, tab }
}

scenario("on a listing site", () => {
  const world = shared(options)

  it("marks the links of listings that have contracts, and no other link", async () => {
    const { contractsOf, marksWhen, pathsInView } = await visit(world())
    await marksWhen("badges", "/", ({ badges }) => badges.length > 10)
    const withContracts = (await pathsInView()).filter((path) => contractsOf(path).length > 0)
    expect(withContracts.length).toBeGreaterThan(10)
    const { badges } = await marksWhen("a badge on each card in view", "/", ({ badges }) =>
      withContracts.every((path) => badges.some((badge) => badge.path === path)),
    )
    const paths = badges.map(({ path }) => path)
    expect(paths.filter((path) => contractsOf(path).length === 0)).toEqual([])
    expect(new Set(paths).size).toBe(paths.length)
    for (const { background, height, label, path } of badges) {
      const contracts = contractsOf(path)
      expect(label).toMatch(new RegExp(`: ${contracts.length} contracts?: `))
      for (const { kind, status } of contracts) expect(label).toContain(`${worded(status)} (${kind})`)
      expect(height).toBeGreaterThan(12)
      expect(background).not.toBe("rgba(0, 0, 0, 0)")
    }
  })

  it("marks the cards that come while the page is scrolled", async () => {
    const { contractsOf, marksWhen, pathsInView, pathsOfCards, tab } = await visit(world())
    await tab.resize(1280, 800)
    const before = await pathsOfCards()
    await tab.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await until("more cards", pathsOfCards, ({ length }) => length > before.length)
    await tab.evaluate(() => document.querySelector(".cards")!.lastElementChild!.scrollIntoView())
    const isNew = (path: string): boolean => !before.includes(path) && contractsOf(path).length > 0
    await marksWhen("a badge on a new card", "/", ({ badges }) => badges.some(({ path }) => isNew(path)))
    const wanted = (await pathsInView()).filter(isNew)
    await marksWhen("a badge on every new card that has contracts", "/", ({ badges }) =>
      wanted.every((path) => badges.some((badge) => badge.path === path)),
    )
    expect(wanted.length).toBeGreaterThan(0)
  })

  it("opens a card at the link that the keyboard is on, and Escape closes it", async () => {
    const { contractsOf, marksWhen, tab } = await visit(world())
    const { badges } = await marksWhen("badges", "/", ({ badges }) => badges.length > 0)
    const [first] = badges
    for (const _ of ["Homes", "About", "the first card"]) await tab.press("Tab")
    const { card } = await marksWhen("a card", "/", ({ card }) => card !== null && card !== "")
    for (const { kind, status, unit_label } of contractsOf(first!.path)) {
      expect(card).toContain(`${kind} · ${worded(status)}`)
      expect(card).toContain(unit_label.trim().replace(/\s+/g, " "))
    }
    await tab.press("Escape")
    await marksWhen("no card", "/", ({ card }) => card === null)
  })

  it("shows a panel on a listing's own page, and follows the site where it loads no page", async () => {
    const here = world()
    const { contractsOf, marksWhen, tab } = await visit(here)
    const path = await tab.evaluate(() => document.querySelector<HTMLAnchorElement>(".cards a")!.pathname)
    const isMarked = ({ badges }: Marks.Marks) => badges.some((badge) => badge.path === path)
    await marksWhen("the badge of the first card", "/", isMarked)
    for (const _ of ["Homes", "About", "the first card"]) await tab.press("Tab")
    await tab.press("Enter")
    const shown = await marksWhen("the panel", path, ({ panel }) => panel !== null)
    const contracts = contractsOf(path)
    expect(shown.panel).toEqual({
      isOpen: false,
      text: expect.stringMatching(new RegExp(`^${contracts.length} contracts? \\d+ `)),
    })
    expect(shown.panel?.text).not.toContain(contracts[0]!.listing!.title)
    await Marks.press(here.page, tab, here.site + path)
    const opened = await marksWhen("its contracts", path, hasContracts)
    expect(opened.panel?.text).toContain(contracts[0]!.listing!.title)
    expect(shown.badges.map((badge) => badge.path)).not.toContain(path)
    await tab.evaluate(() => history.back())
    await marksWhen("the index", "/", (marks) => marks.panel === null && isMarked(marks))
  })

  it("moves the panel to the corner where it is dropped, and keeps it there and closed for its site", async () => {
    const here = world()
    const { contractsOf, marksWhen, pathsOfCards, tab } = await visit(here)
    await tab.resize(1000, 700)
    const [path = "", other = ""] = (await pathsOfCards()).filter((home) => contractsOf(home).length > 0)
    /** The upper left corner of the panel, as the page finds it. */
    const corner = () =>
      tab.evaluate(() => {
        const host = document.querySelector("html > div")
        const places = Array.from({ length: 50 * 35 }, (_, at) => [
          (at % 50) * 20 + 5,
          Math.floor(at / 50) * 20 + 5,
        ])
        const found = places.find(([x, y]) => document.elementsFromPoint(x!, y!).includes(host!))
        return found === undefined ? null : { x: found[0]!, y: found[1]! }
      })
    const goTo = async (home: string) => {
      await tab.goTo(here.site + home)
      await marksWhen("the panel", home, ({ panel }) => panel !== null)
    }
    await goTo(path)
    const lower = (await corner())!
    expect([lower.x > 700, lower.y > 600]).toEqual([true, true])
    await tab.drag([lower.x + 25, lower.y + 8], [120, 60])
    await until("the panel in another corner", corner, (at) => at !== null && at.x < 100 && at.y < 100)
    expect((await marksWhen("the pill", path, ({ panel }) => panel !== null)).panel?.isOpen).toBe(false)
    await goTo(other)
    expect(await corner()).toMatchObject({ y: expect.toSatisfy((y: number) => y < 100) })
    await Marks.press(here.page, tab, here.site + other, "×")
    await marksWhen("no panel", other, ({ panel }) => panel === null)
    await tab.goTo(here.site + path)
    // The panel would be there before the page could have another badge.
    await tab.evaluate(() => history.pushState({}, "", "/"))
    await tab.goTo(`${here.site}/`)
    await marksWhen("badges", "/", ({ badges, panel }) => badges.length > 0 && panel === null)
    for (const isOn of [false, true]) await here.ask({ type: "page.switchSite", origin: here.site, isOn })
    await goTo(path)
    expect((await corner())!.x).toBeGreaterThan(700)
  })

  it("continues in a page that is written anew in the same place, which takes every listener with it", async () => {
    const here = world()
    const { contractsOf, marksWhen, tab } = await visit(here)
    const { page, site } = here
    const { badges } = await marksWhen("badges", "/", ({ badges }) => badges.length > 1)
    // What hears gestures in the new page is brought again; until then no badge counts as seen.
    await Marks.inTab(page, `${site}/`, () => Reflect.deleteProperty(globalThis, "deedkit details"))
    await tab.evaluate((path) => {
      document.open()
      document.write(`<!doctype html><title>Written anew</title><a href="${path}">Home</a>`)
      document.close()
    }, badges[1]!.path)
    const one = ({ badges: [first, second] }: Marks.Marks) =>
      first?.path === badges[1]!.path && second === undefined
    await until("one badge", () => Marks.look(page, `${site}/`), one)
    await tab.press("Tab")
    const { card } = await until(
      "its card's text",
      () => Marks.look(page, `${site}/`),
      ({ card }) => card !== null && card !== "",
    )
    expect(card).toContain(contractsOf(badges[1]!.path)[0]!.kind)
  })

  it("asks nobody anything because a page is looked at", async () => {
    const here = world()
    const { marksWhen, tab } = await visit(here)
    const { emulator, site } = here
    await marksWhen("badges", "/", ({ badges }) => badges.length > 0)
    emulator.journal.clear()
    await tab.goTo(`${site}/?per=100`)
    await marksWhen("badges", "/?per=100", ({ badges }) => badges.length > 24)
    expect(emulator.journal.entries).toEqual([])
  })

  it("gives a page nothing that it forges: no root, no file, no answer", async () => {
    const here = world()
    const { marksWhen, tab } = await visit(here)
    await marksWhen("badges", "/", ({ badges }) => badges.length > 0)
    const { driver } = here
    const got = await tab.evaluate(async (origin) => {
      const host = document.querySelector("html > div")!
      const heard: Array<unknown> = []
      addEventListener("message", ({ data }) => heard.push(data))
      postMessage({ type: "listing.lookup", references: ["x"] }, "*")
      postMessage({ type: "page.state" }, "*")
      const file = await fetch(`${origin}/listing.js`).then(
        () => "read",
        () => "refused",
      )
      await new Promise((resolve) => setTimeout(resolve, 200))
      const { chrome } = globalThis as { chrome?: { runtime?: { sendMessage?: unknown } } }
      return {
        root: host.shadowRoot,
        content: host.innerHTML,
        attributes: host.getAttributeNames(),
        file,
        answers: heard.length - 2,
        runtime: typeof chrome?.runtime?.sendMessage,
      }
    }, driver.origin)
    expect(got).toEqual({
      root: null,
      content: "",
      attributes: [],
      file: "refused",
      answers: 0,
      runtime: "undefined",
    })
  })

  it("gives a page's renderer that is taken over no more than what its page shows", async () => {
    const here = world()
    const { marksWhen } = await visit(here, "/?per=100")
    const { emulator, page, site } = here
    await marksWhen("badges", "/?per=100", ({ badges }) => badges.length > 24)
    const unseen = emulator.store.contracts.findLast((contract) => contract.listing != null)!.listing!.slug
    const answers = await Marks.inTab(
      page,
      `${site}/?per=100`,
      async (slug) => {
        type Runtime = { readonly sendMessage: (message: unknown) => Promise<unknown> }
        const { runtime } = (globalThis as unknown as { chrome: { runtime: Runtime } }).chrome
        const forged = [
          { type: "page.state" },
          { type: "page.refresh", id: 1 },
          { type: "page.setAddress", baseUrl: "https://thief.example" },
          { type: "page.clear" },
          { type: "listing.detail", reference: slug },
          { type: "listing.refresh", reference: slug },
          { type: "listing.lookup", references: Array.from({ length: 5_001 }, (_, at) => `home-${at}`) },
          { type: "listing.lookup", references: ["x".repeat(201)] },
          { type: "listing.lookup", references: [slug], extra: true },
        ]
        const heard = []
        for (const message of forged) {
          heard.push((await runtime.sendMessage(message).catch(() => null)) ?? null)
        }
        return heard
      },
      unseen,
    )
    expect(answers).toEqual(answers.map(() => null))
    expect((await here.ask({ type: "page.state" })).baseUrl).toContain(here.service)
  })

  it("shows nothing on another site, be it on the same machine", async () => {
    const { driver, emulator, page } = world()
    const other = await listenSite(emulator)
    onTestFinished(() => other.close())
    await driver.open(`${other.url}/`)
    const answer = await Marks.inTab(page, `${other.url}/`, async () => {
      type Runtime = { readonly sendMessage: (message: unknown) => Promise<unknown> }
      const { runtime } = (globalThis as unknown as { chrome: { runtime: Runtime } }).chrome
      return (await runtime.sendMessage({ type: "listing.start" })) ?? null
    })
    expect(answer).toBeNull()
    expect(goneFrom(await Marks.look(page, `${other.url}/`))).toBe(true)
  })
})

/** What the list says of each listing: its title, and the rest. */
const listed = (side: Tab) =>
  side.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>(".on-page [role=option]")].map((option) => {
      const name = option.querySelector<HTMLElement>(".row-name")!.innerText
      return { name, text: option.innerText }
    }),
  )

/**
 * How far the frame that the extension draws in the tab at an address is from the left edge, top and width of a card, and 1 where it takes the pointer;
 * null where there is none.
 */
const frameAround = (page: Tab, address: string, card: string) =>
  Marks.inTab(
    page,
    address,
    (selector) => {
      type Opener = { readonly openOrClosedShadowRoot?: ShadowRoot | null }
      type Dom = { readonly openOrClosedShadowRoot: (host: Element) => ShadowRoot }
      const { dom } = (globalThis as unknown as { chrome: { dom?: Dom } }).chrome
      const host = document.documentElement.lastElementChild!
      const root = dom?.openOrClosedShadowRoot(host) ?? (host as Opener).openOrClosedShadowRoot
      const drawn = root?.querySelector(".frame")
      const box = document.querySelector(selector)!.getBoundingClientRect()
      if (drawn == null) return null
      const frame = drawn.getBoundingClientRect()
      const taken = getComputedStyle(drawn).pointerEvents === "none" ? 0 : 1
      return [frame.left - box.left, frame.top - box.top, frame.width - box.width, taken].map(Math.round)
    },
    card,
  )

/** Has a page note every change of its tree and every event that it can hear. */
const listen = (tab: Tab) =>
  tab.evaluate(() => {
    const heard: Array<string> = []
    const note = ({ target, type }: MutationRecord) => heard.push(`${type} of ${target.nodeName}`)
    new MutationObserver((records) => records.forEach(note)).observe(document, {
      attributes: true,
      characterData: true,
      childList: true,
      subtree: true,
    })
    const namesOf = (target: object | null): ReadonlyArray<string> =>
      target === null
        ? []
        : [...Object.getOwnPropertyNames(target), ...namesOf(Object.getPrototypeOf(target))]
    // A sensor speaks to whoever begins to listen.
    const names = [window, document, document.body]
      .flatMap(namesOf)
      .filter((name) => /^on(?!device)/.test(name))
    for (const type of new Set([...names.map((name) => name.slice(2)), "focusin", "focusout"]))
      window.addEventListener(type, (event) => heard.push(event.type), true)
    new PerformanceObserver((list) =>
      heard.push(...list.getEntries().map((entry) => entry.entryType)),
    ).observe({
      entryTypes: PerformanceObserver.supportedEntryTypes.filter((type) => type === "layout-shift"),
    })
    const page = window as unknown as { heard: Array<string>; before: string }
    page.heard = heard
    page.before = document.documentElement.outerHTML
  })

const heardBy = (tab: Tab) =>
  tab.evaluate(() => {
    const { before, heard } = window as unknown as { heard: Array<string>; before: string }
    return { heard: [...new Set(heard)], isAsBefore: before === document.documentElement.outerHTML }
  })

/** What any page hears when another tab is looked at. */
const ofTabs = new Set(["blur", "focus", "focusin", "focusout", "visibilitychange", "resize"])

scenario("the listings of the page in front", () => {
  const world = shared({ contracts: 60 })

  it("are listed, filtered, shown in the page and copied, and the page is scrolled and told nothing", async () => {
    const here = world()
    const { contractsOf, marksWhen, pathsOfCards, tab } = await visit(here, "/?per=100")
    const { page, site } = here
    const address = `${site}/?per=100`
    await tab.resize(1280, 700)
    await marksWhen("badges", "/?per=100", ({ badges }) => badges.length > 0)
    const paths = await pathsOfCards()
    const side = await openSide(here, address)
    const entry = said("onPageListings_other", String(paths.length))
    await until(
      entry,
      () => side.has("button", entry),
      (isThere) => isThere,
    )
    await side.click("button", entry)
    const rows = await until(
      "every listing",
      () => listed(side),
      ({ length }) => length === paths.length,
    )
    rows.forEach(({ text }, at) => {
      const contracts = contractsOf(paths[at]!)
      if (contracts.length === 0) expect(text).toContain(said("onPageNone"))
      if (contracts.length > 1) expect(text).toContain(said("contracts_other", String(contracts.length)))
      if (contracts.length > 0 && contracts.length < 4)
        for (const { id, status } of contracts)
          expect(text).toMatch(new RegExp(`${worded(status)}\\s+#${id}`))
    })
    const without = paths.filter((path) => contractsOf(path).length === 0)
    expect(without.length).toBeGreaterThan(0)

    const last = `.cards li:nth-child(${paths.length})`
    await listen(tab)
    await side.press("End")
    await until(
      "a frame around the last card",
      async () => {
        await side.press("Enter")
        return frameAround(page, address, last)
      },
      (frame) => frame?.every((far) => far === 0) === true,
    )
    const isInView = await tab.evaluate((selector) => {
      const { bottom, top } = document.querySelector(selector)!.getBoundingClientRect()
      return top >= 0 && bottom <= innerHeight && scrollY > 0
    }, last)
    expect(isInView).toBe(true)
    await tab.show()
    await until(
      "no frame any more",
      () => frameAround(page, address, last),
      (frame) => frame === null,
    )
    const { heard, isAsBefore } = await heardBy(tab)
    expect(isAsBefore).toBe(true)
    expect(heard.filter((type) => !ofTabs.has(type) && !/^scroll(end)?$/.test(type))).toEqual([])

    await side.click("button", `${said("onPageNone")} ${without.length}`)
    await until(
      "the listings without a contract",
      () => listed(side),
      ({ length }) => length === without.length,
    )
    await side.evaluate(() => {
      navigator.clipboard.writeText = async (text) => void Object.assign(window, { copied: text })
    })
    await side.click("button", said("onPageCopy"))
    const copied = await side.evaluate(() => (window as unknown as { readonly copied: string }).copied)
    const lines = copied.split("\n")
    expect(lines[0]!.split("\t")[0]).toBe(said("fieldTitle"))
    expect(lines).toHaveLength(without.length + 1)
    expect(lines.every((line) => line.split("\t").length === 7)).toBe(true)
  })

  it("are not offered for a site that was switched off, nor for one that was not allowed", async () => {
    const here = world()
    const { marksWhen } = await visit(here, "/?per=100")
    const { ask, driver, emulator, site } = here
    await marksWhen("badges", "/?per=100", ({ badges }) => badges.length > 0)
    const side = await openSide(here, `${site}/?per=100`)
    const offered = () =>
      side.evaluate(() => {
        window.dispatchEvent(new Event("focus"))
        return document.querySelector(".on-page-entry") !== null
      })
    await until("the way to them", offered, (isThere) => isThere)
    await ask({ type: "page.switchSite", origin: site, isOn: false })
    await until("no way to them", offered, (isThere) => !isThere)
    await ask({ type: "page.switchSite", origin: site, isOn: true })
    const other = await listenSite(emulator)
    onTestFinished(() => other.close())
    await driver.open(`${other.url}/`)
    const beside = await openSide(here, `${other.url}/`)
    await until(
      "the site's name",
      () => beside.evaluate(() => document.querySelector(".site-host") !== null),
      (isThere) => isThere,
    )
    expect(await beside.evaluate(() => document.querySelector(".on-page-entry"))).toBeNull()
  })
})

scenario("on a listing site that changes", () => {
  const world = shared(options)

  it("asks the service for the panel's contracts when told to, and opens them in the extension", async () => {
    const here = world()
    const { contractsOf, marksWhen, tab } = await visit(here)
    const { driver, emulator, page, site } = here
    const { badges } = await marksWhen("badges", "/", ({ badges }) => badges.length > 0)
    const [first] = badges
    const [contract] = contractsOf(first!.path)
    await tab.goTo(site + first!.path)
    await marksWhen("the panel", first!.path, ({ panel }) => panel !== null)
    await Marks.press(page, tab, site + first!.path)
    await marksWhen("its contracts", first!.path, hasContracts)
    emulator.store.update(contract!.id, { unit_label: "Freshly painted" })
    emulator.journal.clear()
    await Marks.press(page, tab, site + first!.path, "Refresh")
    await marksWhen("the new label", first!.path, ({ panel }) => /Freshly painted/.test(panel?.text ?? ""))
    expect(emulator.journal.entries.map(({ status }) => status)).toEqual([200])
    await Marks.press(page, tab, site + first!.path, "Open in Deedkit")
    await driver.tabAt(`${driver.origin}/popup.html?listing=`)
  })

  it("finds listings by the user's own patterns, where an address has no slug", async () => {
    const here = world()
    const { marksWhen, tab } = await visit(here)
    const { ask, emulator, site } = here
    const { listing } = emulator.store.contracts.find((contract) => contract.listing != null)!
    const tour = `/tour?listing=${listing!.id}`
    await tab.goTo(site + tour)
    await marksWhen("nothing yet", tour, goneFrom)
    onTestFinished(async () => void (await ask({ type: "page.setPatterns", origin: site, patterns: [] })))
    await ask({ type: "page.setPatterns", origin: site, patterns: ["/tour?listing=:id"] })
    await marksWhen("the panel", tour, (marks) => marks.panel !== null)
    await Marks.press(here.page, tab, site + tour)
    const { panel } = await marksWhen("its contracts", tour, hasContracts)
    expect(panel?.text).toContain(listing!.title)
  })

  it("takes its marks away while the site is switched off, and brings them back", async () => {
    const here = world()
    const { marksWhen } = await visit(here, "/?per=100")
    const { ask, site } = here
    const before = await marksWhen("badges", "/?per=100", ({ badges }) => badges.length > 24)
    await ask({ type: "page.switchSite", origin: site, isOn: false })
    await marksWhen("no marks", "/?per=100", goneFrom)
    await ask({ type: "page.switchSite", origin: site, isOn: true })
    const { badges } = await marksWhen("badges", "/?per=100", ({ badges }) => badges.length > 24)
    expect(badges).toEqual(before.badges)
  })

  it("leaves a site that is taken back, now and when it is loaded again", async () => {
    const here = world()
    const { marksWhen, tab } = await visit(here, "/?per=100")
    const { ask, page, site } = here
    await marksWhen("badges", "/?per=100", ({ badges }) => badges.length > 24)
    const { sites } = await ask({ type: "page.removeSite", origin: site })
    expect(sites).toEqual([])
    await marksWhen("no marks", "/?per=100", goneFrom)
    await tab.goTo(`${site}/?per=50`)
    expect(await page.run("chrome.scripting.getRegisteredContentScripts()")).toEqual([])
    expect(goneFrom(await Marks.look(page, `${site}/?per=50`))).toBe(true)
    await ask({ type: "page.addSite", origin: site })
    await marksWhen("badges without a load", "/?per=50", ({ badges }) => badges.length > 24)
  })
})

scenario("on a listing site, at last", () => {
  it("leaves nothing behind when everything is cleared", async ({ world }) => {
    const here = await world("with-index", options)
    const { marksWhen, tab } = await visit(here, "/?per=50")
    const { ask, page } = here
    await marksWhen("badges", "/?per=50", ({ badges }) => badges.length > 24)
    const cleared = await ask({ type: "page.clear" })
    expect(cleared).toMatchObject({
      baseUrl: null,
      keyHint: null,
      connection: { _tag: "NoAddress" },
      sites: [],
    })
    expect(cleared.index).toMatchObject({ contracts: 0, completedAt: null })
    const hosts = () => tab.evaluate(() => document.querySelectorAll("html > div").length)
    await until("no marks", hosts, (left) => left === 0)
    const left = await page.run(`(async () => {
      const done = (request) => new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
      const database = await done(indexedDB.open("deedkit"))
      const counts = {}
      for (const name of ["keys", "contracts", "compact"])
        counts[name] = await done(database.transaction(name).objectStore(name).count())
      database.close()
      return {
        ...counts,
        local: Object.keys(await chrome.storage.local.get()),
        session: Object.keys(await chrome.storage.session.get()),
        alarms: await chrome.alarms.getAll(),
        scripts: await chrome.scripting.getRegisteredContentScripts(),
      }
    })()`)
    expect(left).toEqual({
      keys: 0,
      contracts: 0,
      compact: 0,
      local: [],
      session: [],
      alarms: [],
      scripts: [],
    })
  })
})

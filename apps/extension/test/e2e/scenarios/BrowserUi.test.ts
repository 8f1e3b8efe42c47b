/**
 * What is around the pages: the toolbar's button, keys, menus, the address bar, the side of the window, badges for one page alone, and a window as
 * small as a phone's.
 */
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished } from "vitest"
import { extension, it, kind, scenario, shared } from "../BrowserTest.ts"
import type { AppState } from "../../../src/messages/AppState.ts"
import { until } from "../browsers/Driver.ts"
import type { Tab } from "../browsers/Driver.ts"
import * as Without from "../browsers/Without.ts"
import * as Marks from "../Marks.ts"
import { said, textOf } from "../Words.ts"
import type { World } from "../World.ts"

interface Button {
  readonly text: string
  readonly title: string
}

const isNumber = ({ text }: Button): boolean => /^\d+$/.test(text)

/** A world with the site's page open in a tab, and the ways to look at what is around it. */
const enter = async (world: World) => {
  const tab = await world.driver.open(`${world.site}/`)
  const address = (): string => `${world.site}/`
  const badgesWhen = (what: string, isWanted: (count: number) => boolean) =>
    until(what, async () => (await Marks.look(world.page, address())).badges.length, isWanted)
  /** The toolbar's button while the site's tab is in front. */
  const button = async (): Promise<Button> =>
    (await world.page.run(`(async () => {
      const [{ id: tabId }] = (await chrome.tabs.query({})).filter(({ url }) => url === ${JSON.stringify(address())})
      return { text: await chrome.action.getBadgeText({ tabId }), title: await chrome.action.getTitle({ tabId }) }
    })()`)) as Button
  const buttonWhen = (what: string, isWanted: (shown: Button) => boolean) => until(what, button, isWanted)
  const inFront = () => world.driver.tabAt(address())
  /** The page that a menu has opened, in the popup or in a window, looked at from another page of the extension, and then closed. */
  const answered = async (
    beginning: string,
    words: string,
    before: () => Promise<unknown> = () => Promise.resolve(),
  ): Promise<string> => {
    const look = () =>
      world.page.run(`(() => {
        const view = chrome.extension.getViews().find(({ location }) => (location.pathname + location.search).startsWith(${JSON.stringify(beginning)}))
        return view === undefined ? null : [view.location.pathname + view.location.search, view.document.body?.innerText ?? ""]
      })()`) as Promise<readonly [address: string, text: string] | null>
    const found = await until(words, look, (seen) => seen?.[1].includes(words) === true)
    await before()
    await world.page.run(`(() => {
      for (const view of chrome.extension.getViews()) if (view.location.pathname === "/popup.html") view.close()
    })()`)
    return found![0]
  }
  /** The tab of an extension's page that something opened; closed after it was looked at. */
  const opened = async (beginning: string, words: string): Promise<string> => {
    const page = await world.driver.tabAt(world.driver.origin + beginning)
    const text = await until(
      words,
      () => textOf(page),
      (seen) => seen.includes(words),
    )
    const href = await page.evaluate(() => location.href)
    await page.close()
    expect(text).toContain(words)
    return href.slice(world.driver.origin.length)
  }
  return { answered, address, badgesWhen, button, buttonWhen, inFront, opened, tab }
}

/**
 * The extension with the permission to notify: in Firefox, whose prompts are answered with yes here, the switch asks for it. Chromium's own prompt has
 * no way in, so there the manifest has it.
 */
const withNotifications = async (folder: string): Promise<string> => {
  if (kind.target === "firefox") return extension
  await cp(extension, folder, { recursive: true })
  const path = join(folder, "manifest.json")
  const { optional_permissions, permissions, ...manifest } = JSON.parse(await readFile(path, "utf8"))
  await writeFile(
    path,
    JSON.stringify({ ...manifest, permissions: [...permissions, ...optional_permissions] }),
  )
  return folder
}

const contracts = { contracts: 250 }

scenario("around the pages", () => {
  const world = shared(contracts)

  it("has the contracts of the page on the toolbar, an exclamation mark while the key is refused, and the number again", async () => {
    const here = world()
    const { badgesWhen, buttonWhen } = await enter(here)
    const { ask, emulator } = here
    await badgesWhen("badges", (count) => count > 0)
    const { text, title } = await buttonWhen("a number", isNumber)
    expect(title).toContain(text)
    emulator.faults.set(["key-revoked"])
    await ask({ type: "page.sync" })
    const alarmed = await buttonWhen("an exclamation mark", ({ text }) => text === "!")
    expect(alarmed.title).toContain(said("wrongKeyTitle"))
    emulator.faults.clear()
    await ask({ type: "page.sync" })
    expect(await buttonWhen("the number again", isNumber)).toEqual({ text, title })
    await ask({ type: "page.setSettings", settings: { toolbarCount: false } })
    await buttonWhen("nothing", ({ text }) => text === "")
    await ask({ type: "page.setSettings", settings: { toolbarCount: true } })
    await buttonWhen("the number once more", isNumber)
  })

  it("has keys of its own, which hide and show badges, read again, and open the export", async () => {
    const here = world()
    const { badgesWhen, inFront, opened } = await enter(here)
    const { driver, emulator, page } = here
    const commands = (await page.run("chrome.commands.getAll()")) as ReadonlyArray<{ shortcut: string }>
    expect(commands.map(({ shortcut }) => shortcut).filter((keys) => keys !== "")).toHaveLength(4)
    await inFront()
    await badgesWhen("badges", (count) => count > 0)
    await driver.outside.command("toggle-badges")
    await badgesWhen("no badges", (count) => count === 0)
    await driver.outside.command("toggle-badges")
    await badgesWhen("badges again", (count) => count > 0)
    emulator.journal.clear()
    await driver.outside.command("sync")
    await until(
      "a sync",
      async () => emulator.journal.entries.length,
      (requests) => requests > 0,
    )
    await here.stateWhen("its end", ({ sync }) => sync._tag === "Idle")
    await driver.outside.command("open-export")
    expect(await opened("/export.html", said("exportTitle"))).toBe("/export.html")
  })

  it("suggests contracts in the address bar, and opens the one that is chosen", async () => {
    const here = world()
    const { opened } = await enter(here)
    const { driver, emulator } = here
    const contract = emulator.store.contracts.find(({ listing }) => listing != null)!
    const found = await driver.outside.suggestions(String(contract.id))
    expect(found[0]?.content).toContain(`#${contract.id}`)
    expect(found[0]?.description).toContain(`#${contract.id}`)
    expect(found.length).toBeLessThanOrEqual(6)
    emulator.journal.clear()
    await driver.outside.enter(`#${contract.id}`)
    expect(await opened("/popup.html?contract=", `#${contract.id}`)).toBe(
      `/popup.html?contract=${contract.id}`,
    )
    await driver.outside.enter("no such home")
    expect(await opened("/popup.html?find=", said("foundNone_other", "250"))).toBe(
      "/popup.html?find=no%20such%20home",
    )
  })

  it("looks links and selected texts up from the browser's menu, and lets no address out", async () => {
    const here = world()
    const { answered, inFront } = await enter(here)
    const { driver, emulator } = here
    const contract = emulator.store.contracts.find(({ listing }) => listing != null)!
    const { slug } = contract.listing!
    emulator.journal.clear()
    await inFront()
    await driver.outside.choose("lookup-link", { linkUrl: `${here.site}/homes/${slug}?from=menu` })
    const link = await answered("/popup.html?li", contract.listing!.title.trim().split(" ")[0]!)
    expect(link).toMatch(/^\/popup\.html\?(?:listing=|link=.*&in=popup$)/)
    await inFront()
    await driver.outside.choose("lookup-selection", { selectionText: ` ${slug}\n` })
    expect(await answered("/popup.html?find=", "#")).toContain(`/popup.html?find=${encodeURIComponent(slug)}`)
    const sent = JSON.stringify(emulator.journal.entries)
    expect(sent).not.toContain("from=menu")
    expect(sent).not.toContain(slug)
  })

  it("has the popup's page at the side of the window, as wide as that is", async () => {
    const here = world()
    const side = await here.driver.open(`${here.driver.origin}/sidepanel.html`)
    await side.resize(300, 700)
    const shown = await until(
      "rows, in a window of 300 pixels",
      () =>
        side.evaluate(() => [
          document.querySelectorAll("[role=option]").length,
          document.documentElement.scrollWidth,
          innerWidth,
        ]),
      ([rows, , width]) => rows! > 0 && width === 300,
    )
    expect(shown[1]).toBeLessThanOrEqual(300)
    expect(await side.evaluate(() => document.documentElement.dataset["place"])).toBe("panel")
  })

  it("shows badges once on a page whose site was not added, until the page is left", async () => {
    const here = world()
    const { address, badgesWhen, button, buttonWhen, tab } = await enter(here)
    const { ask, page, site } = here
    await badgesWhen("badges", (count) => count > 0)
    onTestFinished(async () => void (await ask({ type: "page.addSite", origin: site })))
    await ask({ type: "page.removeSite", origin: site })
    await badgesWhen("no badges", (count) => count === 0)
    const tabId = (await page.run(
      `chrome.tabs.query({}).then((tabs) => tabs.find(({ url }) => url === ${JSON.stringify(address())}).id)`,
    )) as number
    expect(await ask({ type: "page.showOnce", tabId, origin: site })).toMatchObject({ sites: [] })
    await badgesWhen("badges once", (count) => count > 0)
    await buttonWhen("their number", isNumber)
    const before = await tab.evaluate(() =>
      [...document.querySelectorAll<HTMLAnchorElement>(".cards a")].map((link) => link.pathname),
    )
    await here.driver.killBackground()
    await tab.evaluate(() => scrollTo(0, document.body.scrollHeight))
    const isNew = ({ path }: { readonly path: string }): boolean => !before.includes(path)
    await until(
      "badges on what comes, after the background was stopped",
      async () => {
        await tab.evaluate(() => document.querySelector(".cards")!.lastElementChild!.scrollIntoView())
        return Marks.look(page, address())
      },
      ({ badges }) => badges.some(isNew),
    )
    await tab.goTo(`${site}/about`)
    await tab.goTo(address())
    // The page is another one now: what its content script would ask is not answered.
    const answer = await Marks.inTab(page, address(), async () => {
      const { runtime } = (
        globalThis as unknown as {
          chrome: { runtime: { sendMessage: (message: unknown) => Promise<unknown> } }
        }
      ).chrome
      return (await runtime.sendMessage({ type: "listing.start" })) ?? null
    })
    expect(answer).toBeNull()
    expect((await Marks.look(page, address())).badges).toEqual([])
    expect((await button()).text).toBe("")
  })
})

scenario("around the pages, with notifications", () => {
  it("marks the button when a watched contract changed in a read, and notifies of it where that is turned on, until the list of changes is opened", async ({
    world,
  }) => {
    const folder = await mkdtemp(join(tmpdir(), "deedkit-notifying-"))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const here = await world("with-index", contracts, await withNotifications(folder))
    const { answered, badgesWhen, buttonWhen, tab } = await enter(here)
    const { ask, driver, emulator, page } = here
    const [changed, gone] = emulator.store.contracts
    const readAgain = async () => {
      const { index: before } = await ask({ type: "page.sync" })
      const isDone = ({ index, sync }: AppState) =>
        sync._tag === "Idle" && index.completedAt !== before.completedAt
      return here.stateWhen("another complete sync", isDone)
    }
    const canNotify = (type: "object" | "undefined") =>
      until(
        `notifications: ${type}`,
        () => page.run("typeof chrome.notifications"),
        (known) => known === type,
      )
    const notificationsWhen = (what: string, ids: ReadonlyArray<string>) =>
      until(
        what,
        () => page.run("chrome.notifications.getAll().then(Object.keys)"),
        (shown) => JSON.stringify(shown) === JSON.stringify(ids),
      )
    const options = await driver.open(`${driver.origin}/options.html#contracts`)
    if (kind.target === "firefox") await options.click("switch", said("notifyLabel"))
    await canNotify("object")
    await tab.show()
    await badgesWhen("badges", (count) => count > 0)
    const { text } = await buttonWhen("a number", isNumber)
    for (const { id } of [changed!, gone!]) await ask({ type: "page.watch", id, isWatched: true })
    emulator.store.update(emulator.store.contracts[2]!.id, { unit_label: "Not watched" })
    expect((await readAgain()).watched.changed).toEqual([])

    emulator.store.update(changed!.id, { unit_label: "Watched" })
    await readAgain()
    const marked = await buttonWhen("a dot", (shown) => shown.text === `•${text}`)
    expect(marked.title).toContain(said("watchedNeed"))
    expect(await page.run("chrome.action.getBadgeText({})")).toBe("•")
    await notificationsWhen("a notification", ["watched"])
    await driver.killBackground()
    await tab.goTo(here.site)
    await buttonWhen("the dot on the next page", (shown) => shown.text === `•${text}`)

    await driver.outside.clickNotification("watched")
    const lookedAt = () => here.stateWhen("looked at", ({ watched }) => watched.changed.length === 0)
    expect(await answered("/popup.html?changes", `#${changed!.id}`, lookedAt)).toBe("/popup.html?changes")
    await buttonWhen("the number again", (shown) => shown.text === text)
    await notificationsWhen("no notification", [])

    if (kind.target === "firefox") {
      await options.click("switch", said("notifyLabel"))
      await canNotify("undefined")
    }
    emulator.store.remove(gone!.id)
    await readAgain()
    await buttonWhen("a dot for a contract that is gone", (shown) => shown.text.startsWith("•"))
    await ask({ type: "page.watch", id: gone!.id, isWatched: false })
    await buttonWhen("no dot for one that is not watched any more", isNumber)
  })
})

const phone = [360, 740] as const

/** What Firefox for Android lacks, and the side panel, which browsers of phones have no room for. */
const lacking = ["commands", "contextMenus", "omnibox", "sidebarAction", "sidePanel", "windows"]

/** The width of what a page holds. */
const widthOf = (tab: Tab): Promise<number> => tab.evaluate(() => document.documentElement.scrollWidth)

scenario("on a phone, as far as this browser can be one", () => {
  it("works without what a phone's browser lacks, and is as wide as the window: pages, marks and panel", async ({
    world,
  }) => {
    const folder = await mkdtemp(join(tmpdir(), "deedkit-phone-"))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    await Without.write(extension, folder, lacking)
    const { driver, page, site } = await world("with-index", contracts, folder)
    expect(await page.run("[typeof chrome.commands, typeof chrome.omnibox, typeof chrome.tabs]")).toEqual([
      "undefined",
      "undefined",
      "object",
    ])
    const tab = await driver.open(`${driver.origin}/options.html`)
    await tab.resize(...phone)
    const widths: Array<readonly [name: string, width: number]> = []
    // The popup's page is that of the side panel; under its button it is as wide as the screen, which this window is not.
    for (const name of ["options", "sidepanel", "export", "welcome"]) {
      await tab.goTo(`${driver.origin}/${name}.html`)
      await until(
        `a heading of ${name}`,
        () => tab.evaluate(() => document.querySelector("h1")?.textContent ?? ""),
        (heading) => heading !== "",
      )
      widths.push([name, await widthOf(tab)])
    }
    expect(widths.filter(([, width]) => width > phone[0])).toEqual([])

    const marksWhen = (url: string, isThere: (marks: Marks.Marks) => boolean) =>
      until(`marks at ${url}`, () => Marks.look(page, url), isThere)
    await tab.goTo(`${site}/`)
    const { badges } = await marksWhen(`${site}/`, (marks) => marks.badges.length > 1)
    expect(await widthOf(tab)).toBeLessThanOrEqual(phone[0])
    const home = site + badges[1]!.path
    await tab.goTo(home)
    await marksWhen(home, ({ panel }) => panel !== null)
    await Marks.press(page, tab, home)
    await marksWhen(home, ({ panel }) => panel?.isOpen === true)
    expect(await widthOf(tab)).toBeLessThanOrEqual(phone[0])
  })
})

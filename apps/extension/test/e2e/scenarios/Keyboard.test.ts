/**
 * The main ways by keys alone: no pointer, and nothing is focused but by pressing keys. At each stop the focus is seen, and what an action takes
 * away, closes or disables leaves it somewhere.
 */
import { expect, onTestFinished } from "vitest"
import { it, scenario, shared } from "../BrowserTest.ts"
import type { Tab } from "../browsers/Driver.ts"
import { until } from "../browsers/Driver.ts"
import { said, seen, textOf } from "../Words.ts"
import type { World } from "../World.ts"

const contracts = 120

/** More than any page has stops. */
const mostStops = 100

interface Stop {
  readonly name: string
  /** Whether a ring is drawn at it, or at what it is drawn as. */
  readonly isSeen: boolean
}

/** Where the focus is; null when it is nowhere. */
const stopOf = (tab: Tab): Promise<Stop | null> =>
  tab.evaluate(() => {
    const at = document.activeElement as HTMLInputElement | null
    if (at === null || at === document.body) return null
    const name = at.ariaLabel ?? at.labels?.[0]?.innerText ?? at.innerText
    const hasRing = (element: Element | null): boolean => {
      if (element === null) return false
      const { outlineColor, outlineStyle, outlineWidth } = getComputedStyle(element)
      return outlineStyle !== "none" && parseFloat(outlineWidth) > 0 && !/, 0\)|\/ 0\)/.test(outlineColor)
    }
    return {
      name: name.replace(/\s+/g, " ").trim(),
      isSeen: at.matches(":focus-visible") && [at, at.nextElementSibling, at.parentElement].some(hasRing),
    }
  })

/** Waits until the focus is at what has this name. Headings show none: they only begin what is read out. */
const isAt = (tab: Tab, name: string): Promise<Stop | null> =>
  until(
    `the focus at "${name}"`,
    () => stopOf(tab),
    (stop) => stop?.name.startsWith(name) === true,
    10_000,
  )

/** Waits until the focus is at the control with this name; whether it is seen there. */
const holds = async (tab: Tab, name: string): Promise<boolean> => (await isAt(tab, name))?.isSeen === true

/** Goes to what has this name, by Tab or the other way round; every stop on the way is seen. */
const reach = async (tab: Tab, name: string, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> => {
  const passed: Array<string> = []
  while (passed.length < mostStops) {
    await tab.press(key)
    const stop = await stopOf(tab)
    if (stop === null) break
    expect(stop).toEqual({ name: stop.name, isSeen: true })
    if (stop.name.startsWith(name)) return
    passed.push(stop.name)
  }
  throw new Error(`${key} does not reach "${name}"; it passes ${passed.join(", ")}`)
}

/** Waits for another page in the same tab. */
const arrives = (tab: Tab, words: string): Promise<string> =>
  until(
    `a page with "${words}"`,
    () => textOf(tab).catch(() => "between two pages"),
    (text) => text.includes(words),
  )

const type = async (tab: Tab, text: string): Promise<void> => {
  for (const letter of Array.from(text)) await tab.press(letter)
}

/** Opens the options, whose sections come with the state. */
const openOptions = async ({ driver }: World): Promise<Tab> => {
  const tab = await driver.open(`${driver.origin}/options.html`)
  await seen(tab, said("optionsServiceIntro"))
  return tab
}

/** Goes to a section of the options. Its heading has the focus then. */
const openSection = async (
  tab: Tab,
  title: "optionsSites" | "optionsContracts" | "optionsClear",
  key?: "Shift+Tab",
): Promise<void> => {
  await reach(tab, said(title), key)
  await tab.press("Enter")
  await until(
    `the section "${said(title)}"`,
    () => tab.evaluate(() => document.activeElement?.tagName ?? ""),
    (name) => name === "H2",
  )
}

scenario("by the keyboard alone", () => {
  it("is set up in four steps", async ({ world }) => {
    const { driver, emulator, service, site } = await world("new", { contracts })
    const tab = await driver.tabAt(`${driver.origin}/welcome.html`)
    expect(await holds(tab, said("addressLabel"))).toBe(true)
    await type(tab, service)
    await tab.press("Enter")
    await isAt(tab, said("welcomeKeyTitle"))
    await reach(tab, said("keyLabel"))
    await type(tab, emulator.apiKey)
    await tab.press("Enter")
    expect(await holds(tab, said("welcomeNext"))).toBe(true)
    await tab.press("Enter")
    await isAt(tab, said("welcomeSitesTitle"))
    await reach(tab, said("siteLabel"))
    await type(tab, site)
    await tab.press("Enter")
    await seen(tab, said("siteAdded", new URL(site).host))
    expect(await holds(tab, said("siteLabel"))).toBe(true)
    await reach(tab, said("welcomeNext"))
    await tab.press("Enter")
    await seen(tab, said("welcomeReady_other"), 60_000)
    await isAt(tab, said("welcomeDoneTitle"))
    await reach(tab, said("optionsTitle"))
    await tab.press("Enter")
    await arrives(tab, said("optionsServiceIntro"))
  })
})

scenario("by the keyboard alone, once it is set up", () => {
  const world = shared({ contracts })

  it("switches a site, asks before it clears, and is told no by Escape", async () => {
    const here = world()
    const tab = await openOptions(here)
    /** As the background has it, once the switch says the same. */
    const isOn = async (): Promise<boolean | undefined> => {
      const shown = await tab.evaluate(() => (document.activeElement as HTMLInputElement).checked)
      const [site] = (await here.ask({ type: "page.state" })).sites
      return site?.isOn === shown ? shown : undefined
    }
    const shown = said("siteShow")
    await openSection(tab, "optionsSites")
    await reach(tab, shown)
    await tab.press(" ")
    await until("badges off", isOn, (on) => on === false)
    expect(await holds(tab, shown)).toBe(true)
    await tab.press(" ")
    await until("badges on", isOn, (on) => on === true)
    expect(await holds(tab, shown)).toBe(true)
    await openSection(tab, "optionsClear", "Shift+Tab")
    await reach(tab, said("clearFirst"))
    await tab.press("Enter")
    await isAt(tab, said("clearQuestion"))
    await reach(tab, said("keepIt"))
    await tab.press("Escape")
    expect(await holds(tab, said("clearFirst"))).toBe(true)
    expect((await here.ask({ type: "page.state" })).index.contracts).toBe(contracts)
  })

  it("takes a site away, and is left at what comes next", async () => {
    const { ask, site } = world()
    const tab = await openOptions(world())
    await openSection(tab, "optionsSites")
    await reach(tab, said("siteTakeBack"))
    await tab.press("Enter")
    await seen(tab, said("sitesEmpty"))
    expect(await holds(tab, said("siteLabel"))).toBe(true)
    await ask({ type: "page.addSite", origin: site })
  })

  it("exports", async () => {
    const tab = await openOptions(world())
    await openSection(tab, "optionsContracts")
    await reach(tab, said("optionsExport"))
    await tab.press("Enter")
    await arrives(tab, said("exportStart"))
    // What is made stays off this machine's disk.
    await tab.evaluate(() => void (HTMLAnchorElement.prototype.click = () => {}))
    await reach(tab, said("exportStart"))
    await tab.press(" ")
    await seen(tab, said("exportComplete"))
    expect(await holds(tab, said("exportStart"))).toBe(true)
    await reach(tab, said("exportSave", "contracts"))
  })

  it("looks a contract up, asks for it again, and goes back", async () => {
    const { ask, driver, emulator } = world()
    onTestFinished(async () => void (await ask({ type: "page.setSettings", settings: { theme: "system" } })))
    const { id } = emulator.store.contracts.findLast(({ listing }) => listing != null)!
    const tab = await driver.open(`${driver.origin}/popup.html`)
    expect(await holds(tab, said("searchLabel"))).toBe(true)
    await type(tab, String(id))
    await seen(tab, said("foundAll_other", "1"))
    await tab.press("Enter")
    expect(await holds(tab, said("detailBack"))).toBe(true)
    await reach(tab, said("detailRefresh"))
    emulator.journal.clear()
    await tab.press("Enter")
    await until(
      "a question to the service",
      async () => emulator.journal.entries.length,
      (count) => count > 0,
    )
    expect(await holds(tab, said("detailRefresh"))).toBe(true)
    await reach(tab, said("detailCopyRow"))
    await tab.press("Escape")
    expect(await holds(tab, said("searchLabel"))).toBe(true)
    await tab.press("Enter")
    expect(await holds(tab, said("detailBack"))).toBe(true)
    await tab.press("Enter")
    expect(await holds(tab, said("searchLabel"))).toBe(true)
    await tab.press("Escape")
    await type(tab, ">")
    await seen(tab, said("commandExport"))
    await type(tab, said("themeDark"))
    await tab.press("Enter")
    await until(
      "the dark theme",
      () => tab.evaluate(() => document.documentElement.dataset["theme"]),
      (theme) => theme === "dark",
    )
    expect(await holds(tab, said("searchLabel"))).toBe(true)
  })
})

/**
 * An update in a browser that is running: the version before is set up and shows its badges, then this version takes its place. The version
 * before comes from `test/before`; it is asked by messages that both versions know.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect } from "vitest"
import { extension, it as browserTest, kind, scenario } from "../BrowserTest.ts"
import { unpack } from "../../build/release/Zip.ts"
import { until } from "../browsers/Driver.ts"
import type { Tab } from "../browsers/Driver.ts"
import { beginnings, indexed } from "../Indexed.ts"
import * as Marks from "../Marks.ts"
import { said, seen } from "../Words.ts"
import type { World } from "../World.ts"

const contracts = 2_500

/** Badges of the version before, which stand in the page's own tree. */
const countBadges = (tab: Tab) =>
  tab.evaluate(() => document.querySelectorAll("deedkit-badge, [data-deedkit=badge]").length)

/** What the version before names otherwise. */
interface OldState {
  readonly index: { readonly invalid: number }
  readonly standing: unknown
  readonly walk: unknown
}

/** The state as the version before shows it, in the names of this version. */
const renamed = (state: unknown) => {
  const { index, standing, walk, ...same } = state as OldState
  const { invalid, ...counted } = index
  return { ...same, connection: standing, sync: walk, index: { ...counted, rejected: invalid } }
}

const versionOf = (page: Tab) => page.run("chrome.runtime.getManifest().version")

/**
 * Sets the version before up. Its messages have another name for the sync than this version's, so its end is seen in the index.
 */
const setUpBefore = async ({ ask, begin }: World): Promise<void> => {
  await begin()
  await until(
    "a complete sync of the version before",
    () => ask({ type: "page.state" }),
    ({ index }) => index.completedAt !== null && index.contracts === contracts,
  )
}

/** A world of the version before, in a browser of its own. */
const it = browserTest.extend("before", async ({ ownWorld }, { onCleanup }) => {
  const folder = await mkdtemp(join(tmpdir(), "deedkit-before-"))
  onCleanup(() => rm(folder, { recursive: true, force: true }))
  await unpack(join(import.meta.dirname, "..", "..", "before", `${kind.target}.zip`), folder)
  return ownWorld({ contracts }, folder)
})

scenario("updated from the version before", () => {
  const tabsAt = (world: World, path: string): Promise<unknown> =>
    world.page.run(
      `chrome.tabs.query({}).then((tabs) => tabs.filter(({ url }) => url === ${JSON.stringify(world.driver.origin + path)}).length)`,
    )

  it("keeps address, key, sites, settings and contracts, and draws the badges of open pages anew", async ({
    before: world,
  }) => {
    const { ask, driver, emulator, site, stateWhen } = world
    const settings = { theme: "dark", refreshMinutes: 240, toolbarCount: false } as const
    await setUpBefore(world)
    await ask({ type: "page.setSettings", settings })
    await ask({ type: "page.setPatterns", origin: site, patterns: ["/homes/:slug"] })
    const before = renamed(await ask({ type: "page.state" }))
    const tab = await driver.open(`${site}/`)
    await tab.resize(1280, 3000)
    const paths = ({ badges }: Marks.Marks) => badges.map(({ path }) => path).toSorted()
    const slugs = emulator.store.contracts.flatMap(({ listing }) => listing?.slug ?? [])
    const homes = new Set(slugs.map((slug) => `/homes/${slug}`))
    await until(
      "badges of the version before",
      () => countBadges(tab),
      (badges) => badges > 10,
    )
    /** Whether each card in the window whose listing has contracts has one mark, and no other card has one. */
    const isDrawnAnew = async (shown: Marks.Marks, window: Tab): Promise<boolean> => {
      const inView = await window.evaluate(() =>
        [...document.querySelectorAll<HTMLAnchorElement>(".cards a")].flatMap((link) => {
          const { bottom, top } = link.closest("li")!.getBoundingClientRect()
          return top >= 0 && bottom <= innerHeight ? [link.pathname] : []
        }),
      )
      const now = paths(shown)
      const wanted = inView.filter((path) => homes.has(path))
      return (
        wanted.length > 10 &&
        wanted.every((path) => now.includes(path)) &&
        now.every((path) => !inView.includes(path) || homes.has(path)) &&
        new Set(now).size === now.length
      )
    }
    const drawnAnew = (what: string, window: Tab) =>
      until(
        what,
        // Marks are drawn where they are seen, and an update brings a tab of its own to the front.
        async () => {
          await window.show()
          return isDrawnAnew(await Marks.look(world.page, `${site}/`), window)
        },
        (isSo) => isSo,
      )
    expect(await tabsAt(world, "/welcome.html")).toBe(1)
    const versionBefore = await versionOf(world.page)
    emulator.journal.clear()

    await world.update(extension)
    const { version } = JSON.parse(await readFile(join(extension, "manifest.json"), "utf8"))
    expect(await versionOf(world.page)).toBe(version)
    expect(versionBefore).not.toBe(version)
    const state = await ask({ type: "page.state" })
    expect(state).toMatchObject(before)
    expect(state).toMatchObject({ connection: { _tag: "Ready" }, settings, index: { contracts } })
    expect(state.sites).toMatchObject([{ origin: site, isOn: true, isGranted: true }])
    await until(
      "no badge of the version before",
      () => countBadges(tab),
      (count) => count === 0,
    )
    await drawnAnew("the badges of this version", tab)
    expect(await countBadges(tab)).toBe(0)
    // The next update finds no script that would take out what this one has drawn: a new one sees what was left.
    await world.update(extension)
    await drawnAnew("the badges of the next version", tab)
    expect(await tab.evaluate(() => document.querySelectorAll("html > div").length)).toBe(1)
    expect(await indexed(world.page)).toEqual(JSON.parse(JSON.stringify(emulator.store.contracts)))
    expect(await tabsAt(world, "/welcome.html")).toBe(0)
    const alarm = await until(
      "the alarm of the next sync",
      () => world.page.run("chrome.alarms.get('sync').then((alarm) => alarm ?? null)"),
      (found) => found !== null,
    )
    expect(alarm).toMatchObject({ periodInMinutes: 240 })
    expect(
      await world.page.run("chrome.alarms.getAll().then((all) => all.map(({ name }) => name).sort())"),
    ).toEqual(["head", "sync"])
    expect(emulator.journal.entries).toEqual([])

    await tab.close()
    const next = await driver.open(`${site}/`)
    await next.resize(1280, 3000)
    await drawnAnew("badges on a page that is opened afterwards", next)
    const popup = await driver.open(`${driver.origin}/popup.html`)
    await seen(popup, "#")
    const known = emulator.store.contracts.find(({ listing }) => listing != null)!
    await popup.fill(said("searchLabel"), String(known.id))
    await seen(popup, `#${known.id}`)

    const { id } = emulator.store.insert({ unit_label: "After the update" })
    await ask({ type: "page.sync" })
    await stateWhen(
      "one contract more",
      ({ index, sync }) => index.contracts > contracts && sync._tag === "Idle",
    )
    expect(await ask({ type: "page.search", text: `#${id}`, counts: false, limit: 1 })).toMatchObject({
      rows: [{ id, unitLabel: "After the update" }],
    })
    expect(emulator.journal.entries.every(({ status }) => status === 200)).toBe(true)
  })

  it("resumes the sync that was under way", async ({ before: world }) => {
    const { begin, emulator, synced } = world
    emulator.faults.set([{ name: "latency", ms: 300, when: { path: "/contracts" } }])
    await begin()
    // The fourth page is asked for when the third is saved.
    const asked = await until(
      "four requests for pages",
      async () => emulator.journal.entries.filter(({ path }) => path === "/v1/contracts/").length,
      (pages) => pages >= 4,
    )
    expect(asked).toBeLessThan(10)
    await world.update(extension)
    const { index } = await synced()
    expect(index).toMatchObject({ contracts, rejected: 0 })
    expect(beginnings(emulator)).toHaveLength(1)
    expect(await indexed(world.page)).toEqual(JSON.parse(JSON.stringify(emulator.store.contracts)))
  })

  it("asks again for a key that was kept only until the browser closes", async ({ before: world }) => {
    const { ask, emulator } = world
    await setUpBefore(world)
    await ask({ type: "page.setSettings", settings: { keyStorage: "session" } })
    await ask({ type: "page.setKey", key: emulator.apiKey })
    await world.update(extension)
    expect(await ask({ type: "page.state" })).toMatchObject({
      connection: { _tag: "NoKey" },
      keyHint: null,
      index: { contracts },
    })
  })
})

/**
 * A link of a listing site becomes a pattern: it is chosen on the page itself, by pointer or keys, shown with what the pattern would find, and
 * added on a click. What the site sees of it is that links are being chosen, and nothing of the choice.
 */
import { afterAll, beforeEach, expect } from "vitest"
import { it, scenario } from "../BrowserTest.ts"
import { until } from "../browsers/Driver.ts"
import type { Tab } from "../browsers/Driver.ts"
import * as Marks from "../Marks.ts"
import { said, seen, textOf } from "../Words.ts"
import * as Site from "../kinds/Site.ts"

/** Addresses of listings that only a pattern finds, and of none. */
const paths = [1, 2, 3, 4, 5].map((number) => `/offer/flat-${90_000 + number}.html`)

/** A page that writes down every event that it hears, and covers its window where it is asked to. */
const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Homes</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'">
<link rel="icon" href="data:,"><style>a { display: block; height: 60px; width: 300px } main { min-height: 3000px }</style><script>
const heard = []
for (const type of ["click", "auxclick", "mousedown", "mouseup", "pointerdown", "pointerup", "touchstart", "keydown", "keyup", "keypress", "beforeinput"])
  addEventListener(type, (event) => { if (event.isTrusted) heard.push(type + " of " + event.target.nodeName) }, true)
</script></head><body><main>
<a href="https://other.example/flat-90001.html">Elsewhere</a>
${paths.map((path) => `<a href="${path}">A flat</a>`).join("\n")}
<a href="/about">About</a></main></body></html>`

scenario("a link that is shown to the extension", () => {
  let site: Site.Site
  let loads = 0
  let here = ""

  it.beforeAll(async ({ enter }) => {
    site = await Site.open(enter, () => Promise.resolve(page))
  }, 120_000)
  afterAll(() => site?.close())

  beforeEach(async () => {
    const { origin, tab, world } = site
    await world.ask({ type: "page.setPatterns", origin, patterns: [] })
    here = `${origin}/page-${loads++}`
    await tab.goTo(here)
  })

  const hosts = (): Promise<number> => site.tab.evaluate(() => document.querySelectorAll("html > div").length)
  /** What the page has heard of its user. */
  const heard = async () => (await site.tab.run("heard")) as ReadonlyArray<string>
  const clear = async (): Promise<void> => void (await site.tab.run("(heard.length = 0)"))
  /** What the popup does: its page waits in a tab behind the one in front. */
  const start = async (): Promise<void> => {
    const { origin, tab, world } = site
    const before = await until("the extension's element", hosts, (count) => count === 1)
    await world.page.run(`(async () => {
      const [{ id }] = (await chrome.tabs.query({})).filter(({ url }) => url === ${JSON.stringify(here)})
      const query = new URLSearchParams({ tab: id, site: ${JSON.stringify(origin)} })
      await chrome.tabs.create({ url: "/teach.html?" + query, active: false })
    })()`)
    await tab.show()
    await until("something over the page", hosts, (count) => count === before + 1)
    await until(
      "its frame has the focus",
      () => tab.evaluate(() => document.activeElement?.matches("html > div") === true),
      (hasFocus) => hasFocus,
    )
    await clear()
  }
  const waiting = (): string => `${site.world.driver.origin}/teach.html`
  const isWaiting = async (): Promise<boolean> =>
    (await site.world.driver.addresses()).some((address) => address.startsWith(waiting()))
  const isOver = () =>
    until(
      "nothing over the page, and no tab that waits",
      async () => (await hosts()) === 1 && !(await isWaiting()),
      (isGone) => isGone,
    )
  const middleOf = (path: string): Promise<readonly [number, number]> =>
    site.tab.evaluate((wanted) => {
      const link = document.querySelector(`a[href="${wanted}"]`)!
      const { left, top } = link.getBoundingClientRect()
      return [left + 40, top + 20] as const
    }, path)
  const press = async (path: string): Promise<void> => {
    const at = await middleOf(path)
    await site.tab.point(at[0] + 1, at[1])
    await site.tab.drag(at, at)
  }
  const chosen = async (path: string): Promise<Tab> => {
    const learnt = await site.world.driver.tabAt(waiting())
    await seen(learnt, said("teachPatterns"))
    expect(await textOf(learnt)).toContain(`${said("teachChosen")} ${path}`)
    return learnt
  }

  it("is chosen by a click that the page does not hear, shown with what its pattern finds, and added", async () => {
    const { origin, tab, world } = site
    expect((await Marks.look(world.page, here)).badges).toEqual([])
    await start()
    await press(paths[0]!)
    const learnt = await chosen(paths[0]!)
    const text = await textOf(learnt)
    expect(text).toContain(said("teachUnknown"))
    expect(text).toContain("/offer/flat-:id.html")
    expect(text).toContain(said("teachNow", "6", "0"))
    // The fifth listing has no contract.
    expect(text).toContain(said("teachFinds", "5", "4"))
    for (const path of paths) expect(text).toContain(path)
    expect(text).not.toContain("/about")
    expect((await world.ask({ type: "page.state" })).sites.at(-1)?.patterns).toEqual([])
    await learnt.click("button", said("patternAdd"))
    await seen(learnt, said("teachAdded", new URL(origin).host))
    expect((await world.ask({ type: "page.state" })).sites.at(-1)?.patterns).toEqual(["/offer/flat-:id.html"])
    await learnt.close()
    expect(await heard()).toEqual([])
    expect(await tab.evaluate(() => location.href)).toBe(here)
    await isOver()
    await tab.show()
    await Marks.shown(world.page, here, ({ badges }) => badges.length === 4)
  })

  it("is chosen by Tab and Enter alone, and the page hears no key", async () => {
    const { tab } = site
    await start()
    await tab.press("Tab")
    await tab.press("Tab")
    await tab.press("Tab")
    await tab.press("Shift+Tab")
    expect(await heard()).toEqual([])
    await tab.press("Enter")
    const learnt = await chosen(paths[1]!)
    await learnt.close()
    await isOver()
    expect((await heard()).filter((event) => !event.startsWith("keyup"))).toEqual([])
    expect(await tab.evaluate(() => location.href)).toBe(here)
  })

  it("is not chosen where there is none, or one of another site; Escape ends it without a trace", async () => {
    const { tab } = site
    await start()
    await press("https://other.example/flat-90001.html")
    await tab.drag([600, 400], [600, 400])
    expect(await isWaiting()).toBe(true)
    expect(await hosts()).toBe(2)
    await tab.press("Escape")
    await isOver()
    expect(await tab.evaluate(() => location.href)).toBe(here)
    await clear()
    await tab.press("Shift")
    expect(await heard()).toEqual(["keydown of BODY", "keyup of BODY"])
    await press("/about")
    await until(
      "the page that the link leads to",
      () => tab.evaluate(() => location.pathname).catch(() => ""),
      (path) => path === "/about",
    )
  })

  it("is not chosen by anything that the page does", async () => {
    const { tab } = site
    await start()
    await tab.evaluate(() => {
      const over = [...document.querySelectorAll("html > div")]
      const link = document.querySelector("a[href^='/offer']")!
      for (const target of [window, document, document.activeElement!, link, ...over]) {
        for (const key of ["Tab", "Enter", "Escape"]) {
          target.dispatchEvent(
            new KeyboardEvent("keydown", { key, bubbles: true, composed: true, cancelable: true }),
          )
        }
        for (const type of ["pointermove", "pointerdown", "pointerup", "click"]) {
          const at = { clientX: 50, clientY: 100, bubbles: true, composed: true }
          const event = new PointerEvent(type, { ...at, cancelable: true })
          event.preventDefault()
          if (target !== link || type !== "click") target.dispatchEvent(event)
        }
      }
    })
    expect(await isWaiting()).toBe(true)
    expect(await hosts()).toBe(2)
    // Nor does it get at the frame that takes the user's events.
    expect(await tab.run("[frames.length, performance.getEntriesByType('resource').length]")).toEqual([0, 0])
    await tab.evaluate(() => document.querySelector("html > div:last-child")!.remove())
    await isOver()
  })

  it("is chosen and not followed in a dialog that the page has laid over everything", async () => {
    const { tab } = site
    await start()
    await tab.evaluate((path) => {
      const [dialog, link] = [document.createElement("dialog"), document.createElement("a")]
      Object.assign(link, { href: `${path}?in=dialog`, textContent: "A flat" })
      dialog.append(link)
      document.body.append(dialog)
      dialog.showModal()
    }, paths[2]!)
    await press(`${paths[2]!}?in=dialog`)
    await (await chosen(`${paths[2]!}?in=dialog`)).close()
    expect(await tab.evaluate(() => location.href)).toBe(here)
  })

  it("ends when the page is left, and when the tab that waits is closed", async () => {
    const { tab, world } = site
    await start()
    await (await world.driver.tabAt(waiting())).close()
    await tab.show()
    await isOver()
    await start()
    await tab.goTo(`${site.origin}/left`)
    await until("no tab that waits", isWaiting, (isThere) => !isThere)
  })
})

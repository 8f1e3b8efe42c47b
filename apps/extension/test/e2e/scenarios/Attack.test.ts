/**
 * What a hostile listing site learns of what is drawn on its pages: nothing of what it says, and no detail is drawn for anything that the page
 * does. Functions that are evaluated in a page do what its own scripts can do, and no more.
 */
import { afterAll, beforeEach, expect } from "vitest"
import { it, scenario } from "../BrowserTest.ts"
import { addSecrets, feel, few, many, serve, spy } from "../AttackPage.ts"
import type { Site } from "../AttackPage.ts"
import { until } from "../browsers/Driver.ts"
import type { Tab } from "../browsers/Driver.ts"
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

/** What a page can do to open the card at one of its links. */
const attempts: ReadonlyArray<(at: number) => void> = [
  (at) => document.querySelectorAll<HTMLAnchorElement>("main a")[at]!.focus(),
  (at) => {
    const link = document.querySelectorAll<HTMLAnchorElement>("main a")[at]!
    link.blur()
    link.dispatchEvent(new KeyboardEvent("keydown", { key: "Tab", bubbles: true, composed: true }))
    link.focus({ focusVisible: true })
  },
  (at) => {
    const host = document.querySelectorAll("main a [data-deedkit]")[at]!
    for (const type of ["pointerover", "pointerenter", "pointermove", "mouseover", "mousemove"]) {
      for (const screenX of [5, 6, 7]) {
        const pointer = { screenX, screenY: 5, pointerType: "mouse" }
        host.dispatchEvent(
          new PointerEvent(type, { bubbles: true, cancelable: true, composed: true, ...pointer }),
        )
      }
    }
  },
]

scenario("on a page that spies", () => {
  let world: World
  let site: Site
  let tab: Tab
  let words: ReadonlyArray<string>
  let loads = 0

  // One world for all tests: each begins at an address of its own, and leaves the world as it was.
  it.beforeAll(async ({ enter }) => {
    world = await enter({ contracts: 250 })
    words = addSecrets(world.emulator)
    site = await serve()
    await world.setUp()
    await world.ask({ type: "page.addSite", origin: site.origin })
    tab = await world.driver.open(`${site.origin}/`)
  }, 120_000)
  afterAll(async () => {
    await world?.close()
    site?.close()
  })

  /** Loads the page at an address where it was not yet, with nothing on it. */
  const load = () => tab.goTo(`${site.origin}/-${loads++}-`)
  beforeEach(async () => {
    await load()
    await tab.point(900, 700)
    await tab.point(901, 701)
  })

  const look = async () => Marks.look(world.page, await tab.evaluate(() => location.href))
  const badgesWhen = (count: number) => until("badges", look, ({ badges }) => badges.length === count)
  /** Puts links on the page, which say nothing, and waits for their badges. */
  const link = async (slugs: ReadonlyArray<string>) => {
    await tab.evaluate((all) => {
      const links = all.map((slug) => {
        const link = document.createElement("a")
        link.href = `/homes/${slug}`
        return link
      })
      document.querySelector("main")!.replaceChildren(...links)
    }, slugs)
    return badgesWhen(slugs.length)
  }
  /** Moves the page to an address as its script can, and waits for the panel there. */
  const move = async (slug: string) => {
    await tab.evaluate((path) => history.pushState({}, "", path), `/homes/${slug}`)
    const count = slug === few ? /^1 contract / : /^42 contracts /
    return until("the panel", look, ({ panel }) => count.test(panel?.text ?? ""))
  }
  /** Opens the panel as a user does. */
  const openPanel = async (slug: string) => {
    await move(slug)
    await Marks.press(world.page, tab, `${site.origin}/homes/${slug}`)
    return until("the contracts", look, ({ panel }) => /Secret title/.test(panel?.text ?? ""))
  }
  const card = () => until("the card", look, (marks) => /Secret title/.test(marks.card ?? ""))
  /** Opens the card of the first link as a user does. */
  const openCard = async () => {
    await tab.press("Tab")
    return card()
  }
  /** Frames enough for whatever opens after a moment. */
  const frames = () =>
    tab.evaluate(
      () =>
        new Promise<void>((resolve) => {
          let left = 40
          const step = () => (left-- > 0 ? requestAnimationFrame(step) : resolve())
          step()
        }),
    )

  it("reads no letter of a badge: not by search, selection, ranges, carets or its styles", async () => {
    const { badges } = await link([few, many])
    expect(badges.map(({ label }) => label.slice(0, 14))).toEqual(["1 contract: 1 ", "42 contracts: "])
    expect(await tab.evaluate(spy, words)).toEqual({ found: [], read: [], hosts: 2 })
  })

  it("reads no letter of a card, nor of a panel that its user has opened", async () => {
    await link([many])
    await openCard()
    expect(await tab.evaluate(spy, words)).toEqual({ found: [], read: [], hosts: 2 })
    await link([])
    await openPanel(many)
    expect(await tab.evaluate(spy, words)).toMatchObject({ found: [], read: [] })
  })

  it("gets nothing of them into what its user copies", async () => {
    await link([few, many])
    await openPanel(few)
    await tab.evaluate(() => {
      const field = document.createElement("textarea")
      for (const link of document.querySelectorAll("main a")) link.append("—")
      document.querySelector("main")!.append(field)
      document.body.focus()
    })
    await tab.press("Control+a")
    await tab.press("Control+c")
    await tab.evaluate(() => document.querySelector("textarea")!.focus())
    await tab.press("Control+v")
    const pasted = await until(
      "what was copied",
      () => tab.evaluate(() => document.querySelector("textarea")!.value),
      (text) => text !== "",
    )
    expect(pasted.replace(/\s+/g, "")).toBe("——")
    // Nor does what is drawn look as if it were selected.
    const selectable = await tab.evaluate(() =>
      [...document.querySelectorAll("[data-deedkit]")].map((host) => getComputedStyle(host).userSelect),
    )
    expect(new Set(selectable)).toEqual(new Set(["none"]))
  })

  it("gets nothing of them into what its user drags", async () => {
    await link([many])
    await tab.evaluate(() => {
      const dragged: Array<string> = []
      Object.assign(window, { dragged })
      addEventListener("dragstart", ({ dataTransfer }) => {
        for (const type of dataTransfer!.types) dragged.push(dataTransfer!.getData(type))
      })
    })
    const at = await tab.evaluate(() => {
      const { left, top } = document.querySelector("[data-deedkit]")!.getBoundingClientRect()
      return [Math.round(left + 12), Math.round(top + 8)] as const
    })
    await tab.drag(at, [at[0] + 150, at[1] + 150])
    const dragged = await tab.evaluate(
      () => (window as unknown as { dragged: ReadonlyArray<string> }).dragged,
    )
    expect(dragged).not.toEqual([])
    const own = `${site.origin}/homes/${many}`
    const left = dragged.map((text) => text.replaceAll(own, "").replace(/<[^>]*>/g, ""))
    expect(left.filter((text) => /\p{L}/u.test(text))).toEqual([])
  })

  it("gives every badge one size, and panel and card, whatever they say", async () => {
    await link([few, many])
    const [one, other, ...more] = await tab.evaluate(feel, "badge")
    expect(more).toEqual([])
    expect(one).toMatch(/^\d{2,},\d{2,},\d+$/)
    expect(other).toBe(one)
    const felt = async (show: (slug: string) => Promise<unknown>, what: string) => {
      const sizes = []
      for (const slug of [few, many]) {
        await load()
        await show(slug)
        sizes.push(...(await tab.evaluate(feel, what)))
      }
      return sizes
    }
    for (const sizes of [
      await felt(move, "panel"),
      await felt(openPanel, "panel"),
      await felt(async (slug) => {
        await link([slug])
        await openCard()
      }, "card"),
    ]) {
      expect(sizes).toHaveLength(2)
      expect(sizes[0]).toMatch(/^\d{2,},\d{2,},\d+$/)
      expect(sizes[1]).toBe(sizes[0])
    }
  })

  it("is told by its browser of no size of a text that depends on what it says", async () => {
    const paintedWith = async (show: () => Promise<unknown>) => {
      await load()
      await show()
      await frames()
      // A text of its own that is larger than any other: what was painted before is reported before.
      await tab.evaluate(() => {
        const last = document.createElement("div")
        last.style.cssText = "font: 300px/1 monospace"
        last.append("——")
        document.body.prepend(last)
      })
      const sizes = () => tab.run("painted") as Promise<ReadonlyArray<number>>
      const reported = await until("the last size", sizes, (all) => (all.at(-1) ?? 0) > 20_000)
      return reported.slice(0, -1)
    }
    const showing = (slug: string) => async () => {
      await link([slug])
      const { left, top } = await tab.evaluate(() =>
        document.querySelector("[data-deedkit]")!.getBoundingClientRect().toJSON(),
      )
      await tab.point(left + 20, top + 6)
      await tab.point(left + 22, top + 7)
      await card()
    }
    const one = await paintedWith(showing(few))
    expect(await paintedWith(showing(many))).toEqual(one)
    const pill = await paintedWith(() => move(few))
    expect(await paintedWith(() => move(many))).toEqual(pill)
    // Firefox reports no generated content at all.
    expect([one, pill].map(({ length }) => length > 0)).toEqual(
      world.driver.name === "Chromium" ? [true, true] : [false, false],
    )
  })

  it("is asked for no font by the letters that are shown", async () => {
    await link([few, many])
    await openPanel(many)
    await frames()
    expect(site.asked).toContain("/")
    expect(site.asked.filter((url) => url.startsWith("/font"))).toEqual([])
  })

  it("prints none of them", async () => {
    await link([few, many])
    await openPanel(many)
    const boxes = () =>
      tab.evaluate(() =>
        [...document.querySelectorAll("[data-deedkit]")].map((host) => host.getClientRects().length),
      )
    expect(Math.max(...(await boxes()))).toBeGreaterThan(0)
    await tab.setMedium("print")
    const printed = await boxes()
    const felt = [...(await tab.evaluate(feel, "badge")), ...(await tab.evaluate(feel, "panel"))]
    await tab.setMedium("screen")
    expect(printed.length).toBeGreaterThan(1)
    expect(Math.max(...printed)).toBe(0)
    expect(felt).toEqual([])
  })

  it("opens no detail by going to a listing's address, also where a panel was opened before", async () => {
    for (const slug of [few, many, few]) {
      const { panel } = await move(slug)
      expect(panel).toMatchObject({ isOpen: false, text: expect.not.stringContaining("Secret") })
    }
    await openPanel(few)
    expect((await move(many)).panel).toEqual({ isOpen: false, text: "42 contracts 30 active +12" })
  })

  it("opens no panel by what it does to it", async () => {
    await move(many)
    await tab.evaluate(() => {
      const host = document.querySelector<HTMLElement>("[data-deedkit=panel]")!
      const label = document.createElement("label")
      host.id = "host"
      host.tabIndex = 0
      host.accessKey = "x"
      label.htmlFor = "host"
      document.body.append(label)
      host.focus()
      host.click()
      host.scrollIntoView()
      label.click()
      location.hash = "host"
      for (const type of [
        "pointerdown",
        "mousedown",
        "pointerup",
        "mouseup",
        "click",
        "toggle",
        "beforematch",
      ]) {
        host.dispatchEvent(new MouseEvent(type, { bubbles: true, composed: true, clientX: 5, clientY: 5 }))
      }
      for (const key of ["Enter", " "])
        host.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }))
    })
    await frames()
    expect((await look()).panel).toMatchObject({ isOpen: false })
  })

  it("moves the panel by no transform, and has none left when it takes it into an element of its own", async () => {
    await move(many)
    const before = await tab.evaluate(feel, "panel")
    await tab.evaluate(() => {
      Object.assign(document.documentElement.style, { transform: "translate(-300px, -300px)" })
      document.querySelector<HTMLElement>("[data-deedkit=panel]")!.style.cssText =
        "position: fixed !important; inset: 0 !important; transform: scale(3) !important"
    })
    expect(await tab.evaluate(feel, "panel")).toEqual(before)
    await tab.evaluate(() => {
      const own = document.createElement("div")
      own.style.cssText = "opacity: 0; position: fixed; inset: 0; transform: translate(-300px, -300px)"
      own.append(document.querySelector("[data-deedkit=panel]")!)
      document.body.append(own)
    })
    expect(await tab.evaluate(feel, "panel")).toEqual([])
  })

  it("opens no card by focus, or by events of its own", async () => {
    await link([few, many])
    for (const attempt of attempts) {
      for (const at of [0, 1]) {
        await tab.evaluate(attempt, at)
        await frames()
        expect((await look()).card).toBeNull()
      }
    }
  })

  it("opens no card by moving a badge below a pointer at rest; its user does, who moves the pointer", async () => {
    await link([few, many])
    await tab.evaluate(() => {
      const link = document.querySelector<HTMLElement>("main a")!
      const { left, top } = link.querySelector("[data-deedkit]")!.getBoundingClientRect()
      link.style.translate = `${901 - left - 12}px ${701 - top - 8}px`
    })
    await frames()
    const below = () => tab.evaluate(() => document.elementFromPoint(901, 701)?.getAttribute("data-deedkit"))
    expect(await below()).toBe("badge")
    expect((await look()).card).toBeNull()
    await tab.point(902, 702)
    await card()
  })

  it("opens no card where it sets the focus itself while its user presses Tab", async () => {
    await link([few, many])
    await tab.evaluate(() => {
      const [, second] = document.querySelectorAll<HTMLAnchorElement>("main a")
      const set = (event: Event) => {
        event.preventDefault()
        second!.focus({ focusVisible: true })
      }
      addEventListener("keydown", set, { once: true })
    })
    await tab.press("Tab")
    await frames()
    expect(await tab.evaluate(() => document.activeElement?.localName)).toBe("a")
    expect((await look()).card).toBeNull()
  })

  it("counts no listing that it does not link by a slug: 16,000 guessed ids give nothing", async () => {
    const { contracts } = world.emulator.store
    const ids = new Set(contracts.flatMap(({ listing }) => (listing == null ? [] : [listing.id])))
    const known = [...ids].flatMap((id) => [`/${id}`, `/homes/${id}`, `/homes/${id}.html`, `/?listing=${id}`])
    const guessed = Array.from({ length: 16_000 - known.length }, (_, at) => `/${40_000 + at}`)
    await tab.evaluate(() => history.pushState({}, "", "/41002"))
    await tab.evaluate(hideLinks, [...known, ...guessed, `/homes/${few}`])
    const { badges, panel } = await badgesWhen(1)
    expect(ids).toContain(41_002)
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

  it("shows its user all that it may not read: a screen reader is given every text", async () => {
    const ofBadges = [/^1 contract: 1 draft \(rent\)/, /^42 contracts: 30 active \(sale\), 1 under_neg/]
    const ofCard = [`Secret title of ${few}`, "Secretville", `Unit 0 of ${few}`, "rent · draft"]
    const ofPanel = [...ofCard, "Refresh", "Open in Deedkit", "1 contract: 1 draft (rent)"]
    /** What it is given, once there is all of something. */
    const readOut = (all: ReadonlyArray<string | RegExp>) =>
      until(
        "the accessibility tree",
        () => tab.readOut(),
        (names) =>
          all.every((one) => names.some((name) => (one instanceof RegExp ? one.test(name) : one === name))),
      )
    await link([few, many])
    expect(await readOut(ofBadges)).not.toContain("Secretville")
    await openCard()
    expect(await readOut(ofCard)).toEqual(expect.arrayContaining(ofCard))
    await link([])
    await openPanel(few)
    expect(await readOut(ofPanel)).toEqual(expect.arrayContaining(ofPanel))
  })
})

/**
 * What a hostile listing site learns of what is drawn on its pages: nothing of what it says, and no detail is drawn for anything that the page
 * does. Functions that are evaluated in a page do what its own scripts can do, and no more.
 */
import { afterAll, beforeEach, expect } from "vitest"
import { it, scenario } from "../BrowserTest.ts"
import { addSecrets, feel, few, many, probe, question, serve, showLinks, spy } from "../AttackPage.ts"
import type { Site } from "../AttackPage.ts"
import { until } from "../browsers/Driver.ts"
import type { Tab } from "../browsers/Driver.ts"
import * as Marks from "../Marks.ts"
import type { World } from "../World.ts"

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
    const link = document.querySelectorAll("main a")[at]!
    const { left, top } = link.getBoundingClientRect()
    for (const target of [link, document.querySelector("html > div")!]) {
      for (const type of ["pointerover", "pointerenter", "pointermove", "mouseover", "mousemove"]) {
        for (const screenX of [5, 6, 7]) {
          const pointer = { screenX, screenY: 5, clientX: left + 20, clientY: top + 4, pointerType: "mouse" }
          target.dispatchEvent(
            new PointerEvent(type, { bubbles: true, cancelable: true, composed: true, ...pointer }),
          )
        }
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
    await tab.evaluate(showLinks, slugs)
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
    expect(await tab.evaluate(spy, words)).toEqual({ found: [], read: [], hosts: 1 })
  })

  it("reads no letter of a card, nor of a panel that its user has opened", async () => {
    await link([many])
    await openCard()
    expect(await tab.evaluate(spy, words)).toEqual({ found: [], read: [], hosts: 1 })
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
      [...document.querySelectorAll("html > div")].map((host) => getComputedStyle(host).userSelect),
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
    const [mark] = (await look()).badges
    const at = [Math.round(mark!.left + 12), Math.round(mark!.top + 12)] as const
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
    const { badges } = await link([few, many])
    const sizes = badges.map(({ height, width }) => [width, height].join())
    expect(sizes).toEqual(["108,20", "108,20"])
    const twice = async (size: (slug: string) => Promise<unknown>) => {
      const all = []
      for (const slug of [few, many]) {
        await load()
        all.push(await size(slug))
      }
      expect(all[1]).toEqual(all[0])
      return all[0]
    }
    const felt = async () => (await tab.evaluate(feel)).boxes
    const ofPanel = /^\d{2,},\d{2,},\d+$/
    expect(await twice((slug) => move(slug).then(felt))).toEqual([expect.stringMatching(ofPanel)])
    expect(await twice((slug) => openPanel(slug).then(felt))).toEqual([expect.stringMatching(ofPanel)])
    const area = await twice(async (slug) => {
      await link([slug])
      return (await openCard()).area
    })
    expect(area).toMatch(/^320,\d{3}$/)
  })

  it("meets no badge and no card anywhere in the window, nor a caret in them", async () => {
    await link([few, many])
    expect(await tab.evaluate(feel)).toEqual({ boxes: [], carets: 0 })
    await openCard()
    expect(await tab.evaluate(feel)).toEqual({ boxes: [], carets: 0 })
  })

  it("finds one element without attributes, on every page of its site, and nothing that it does", async () => {
    const alone = {
      children: ["HEAD", "BODY", "DIV"],
      attributes: [],
      content: "",
      height: 0,
      scrolls: false,
      animations: 0,
      popovers: 0,
      hovered: false,
      focused: false,
      size: [true, true],
    }
    const nothing = await until(
      "the element",
      () => tab.evaluate(question),
      ({ children }) => children.length === 3,
    )
    expect(nothing).toEqual(alone)
    await link([few, many])
    expect(await tab.evaluate(question)).toEqual(alone)
    const [mark] = (await look()).badges
    await tab.point(mark!.left + 20, mark!.top + 12)
    await tab.point(mark!.left + 22, mark!.top + 13)
    await card()
    await frames()
    expect(await tab.evaluate(question)).toEqual(alone)
    expect(await tab.run("changes")).toEqual(["+#comment in HTML", "+DIV in HTML"])
  })

  it("is told of no event, no shift of its layout and no script", async () => {
    await link([few, many])
    await openCard()
    await frames()
    await tab.press("Escape")
    await move(many)
    await frames()
    expect(await tab.run("told")).toEqual([])
  })

  it("is told that something lies over each of its cards alike, with contracts or without", async () => {
    if (world.driver.name === "Firefox") return
    await link([few, many])
    await tab.evaluate(() => {
      const link = document.createElement("a")
      link.href = "/homes/nobody-knows-this-home"
      document.querySelector("main")!.append(link)
    })
    await until("a place at every card", look, ({ badges, blank }) => badges.length === 2 && blank === 1)
    await frames()
    expect(await tab.evaluate(probe)).toEqual([false, false, false, true])
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
    for (const slug of [few, many]) {
      const pointed = await paintedWith(async () => {
        const [mark] = (await link([slug])).badges
        await frames()
        await tab.point(mark!.left + 20, mark!.top + 12)
        await tab.point(mark!.left + 22, mark!.top + 13)
        await card()
      })
      expect(pointed).toEqual([])
      expect(await paintedWith(() => move(slug))).toEqual([])
    }
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
    const boxes = () => tab.evaluate(() => document.querySelector("html > div")!.getClientRects().length)
    expect(await boxes()).toBe(1)
    expect((await tab.evaluate(feel)).boxes).toHaveLength(1)
    await tab.setMedium("print")
    const printed = [await boxes(), (await tab.evaluate(feel)).boxes]
    await tab.setMedium("screen")
    expect(printed).toEqual([0, []])
  })

  it("opens no detail by going to a listing's address, also where a panel was opened before", async () => {
    for (const slug of [few, many, few]) {
      const { panel } = await move(slug)
      expect(panel).toMatchObject({ isOpen: false, text: expect.not.stringContaining("Secret") })
    }
    await openPanel(few)
    expect((await move(many)).panel).toEqual({ isOpen: false, text: "42 contracts 30 active +12" })
  })

  it("neither drags nor closes the panel by what it does to it", async () => {
    await move(many)
    const before = await tab.evaluate(feel)
    expect(before.boxes).toHaveLength(1)
    await tab.evaluate(() => {
      const host = document.querySelector<HTMLElement>("html > div")!
      const at = (type: string, x: number, y: number) =>
        new PointerEvent(type, { bubbles: true, composed: true, pointerId: 1, clientX: x, clientY: y })
      for (const target of [host, document.body]) {
        target.dispatchEvent(at("pointerdown", innerWidth - 40, innerHeight - 25))
        target.dispatchEvent(at("pointermove", 40, 40))
        target.dispatchEvent(at("pointerup", 40, 40))
        for (const key of ["ArrowUp", "Escape", "Delete"])
          target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, composed: true }))
      }
    })
    await frames()
    expect(await tab.evaluate(feel)).toEqual(before)
  })

  it("is told of no shift and no event where its user moves the panel, which is as large there whatever it says", async () => {
    const moved = async (slug: string) => {
      await load()
      await move(slug)
      await Marks.press(world.page, tab, `${site.origin}/homes/${slug}`)
      for (const key of ["Escape", "ArrowUp", "ArrowLeft"]) await tab.press(key)
      await frames()
      const found = await tab.evaluate(() => document.elementFromPoint(60, 28)?.parentElement?.localName)
      const { boxes } = await tab.evaluate(feel)
      const told = await tab.run("told")
      expect(await tab.evaluate(spy, words)).toMatchObject({ found: [], read: [] })
      for (const key of ["ArrowDown", "ArrowRight"]) await tab.press(key)
      return {
        found,
        boxes,
        told: (told as ReadonlyArray<string>).filter((what) => !what.startsWith("focus")),
      }
    }
    const first = await moved(few)
    expect(first).toMatchObject({ found: "html", boxes: [expect.any(String)], told: [] })
    expect(await moved(many)).toEqual(first)
  })

  it("opens no panel by what it does to it", async () => {
    await move(many)
    await tab.evaluate(() => {
      const host = document.querySelector<HTMLElement>("html > div")!
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

  it("moves the panel by no transform, and cannot keep it in an element of its own", async () => {
    await move(many)
    const before = await tab.evaluate(feel)
    expect(before.boxes).toHaveLength(1)
    await tab.evaluate(() => {
      Object.assign(document.documentElement.style, { transform: "translate(-300px, -300px)" })
      document.querySelector<HTMLElement>("html > div")!.style.cssText =
        "position: fixed !important; inset: 0 !important; transform: scale(3) !important"
    })
    expect(await tab.evaluate(feel)).toEqual(before)
    await tab.evaluate(() => {
      const own = document.createElement("div")
      own.style.cssText = "opacity: 0; position: fixed; inset: 0; transform: translate(-300px, -300px)"
      own.append(document.querySelector("html > div")!)
      document.body.append(own)
    })
    await frames()
    expect(await tab.evaluate(() => document.querySelector("html > div")?.parentElement?.localName)).toBe(
      "html",
    )
    expect(await tab.evaluate(feel)).toEqual(before)
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
      const { left, top } = link.getBoundingClientRect()
      link.style.translate = `${901 - left - 30}px ${701 - top - 4}px`
    })
    await frames()
    const isBelow = ({ badges }: Marks.Marks): boolean =>
      badges.some(({ left, top }) => left < 901 && left + 108 > 901 && top < 701 && top + 20 > 701)
    const moved = await until("a badge below the pointer", look, isBelow)
    expect(moved.card).toBeNull()
    await frames()
    expect((await look()).card).toBeNull()
    // What hears the pointer has come with the badges, and a move is what follows on another.
    await tab.point(902, 702)
    await tab.point(903, 703)
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

  it("shows its user all that it may not read: a screen reader is given every text", async () => {
    const ofBadges = [/^1 contract: 1 draft \(rent\)/, /^42 contracts: 30 active \(sale\), 1 under neg/]
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

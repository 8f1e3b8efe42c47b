/**
 * A listing site that wants to know what the extension shows on its pages. Its page holds no letter and no digit of its own, so whatever it
 * reads is the extension's. Functions that are evaluated in it do what its own scripts can do, and no more.
 */
import { createServer } from "node:http"
import type { Server } from "node:http"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import type { BrowserKind } from "./Browsers.ts"
import { until } from "./Driver.ts"
import type { Tab } from "./Driver.ts"
import * as Marks from "./Marks.ts"
import * as World from "./World.ts"

/** Families of fonts that texts may be shown in, as a page can give them letters of its own. */
const families = [
  "system-ui",
  '"system-ui"',
  '"sans-serif"',
  '"Times New Roman"',
  '"DejaVu Sans"',
  '"Noto Sans"',
  '"Segoe UI"',
  '"Roboto"',
]

/** It asks for its fonts where a letter or a digit needs them, and keeps every size that the browser reports of what it paints. */
const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>—</title><link rel="icon" href="data:,"><style>
${families.map((family, at) => `@font-face { font-family: ${family}; src: url(/font-${at}); unicode-range: U+30-39, U+41-5A, U+61-7A }`).join("\n")}
body { margin: 20px }
main a { display: inline-block; height: 20px; margin: 0 0 330px; width: 300px }
</style><script>
const painted = []
new PerformanceObserver((list) => painted.push(...list.getEntries().map(({ size }) => Math.round(size)))).observe({ type: "largest-contentful-paint", buffered: true })
</script></head><body><main></main></body></html>`

/** What a script of the page can find out about the text on it. */
const spy = (words: ReadonlyArray<string>) => {
  const selection = getSelection()!
  const clear = () => selection.removeAllRanges()
  const found = words.filter((word) => {
    clear()
    return (window as unknown as { find: (...given: ReadonlyArray<unknown>) => boolean }).find(
      word,
      false,
      false,
      true,
    )
  })
  const texts: Array<string> = []
  for (const mode of ["off", "on"]) {
    document.designMode = mode
    clear()
    document.execCommand("selectAll")
    texts.push(selection.toString())
    for (const unit of ["character", "word", "line", "documentboundary"]) {
      selection.collapse(document.body, 0)
      for (let times = 0; times < 50; times++) selection.modify("extend", "forward", unit)
      texts.push(selection.toString())
    }
  }
  document.designMode = "off"
  clear()
  const hosts = [...document.querySelectorAll<HTMLElement>("[data-deedkit]")]
  for (const host of hosts) {
    selection.selectAllChildren(host)
    texts.push(selection.toString(), host.innerText, host.title, host.outerHTML.replace(/<[^>]*>/g, ""))
    texts.push(...["::before", "::after"].map((part) => getComputedStyle(host, part).content))
    texts.push(host.shadowRoot === null ? "" : "a root")
    const { bottom, left, right, top } = host.getBoundingClientRect()
    for (const x of [left + 2, (left + right) / 2, right - 2]) {
      const caret = document.caretPositionFromPoint(x, (top + bottom) / 2)
      if (caret?.offsetNode.nodeType === Node.TEXT_NODE) texts.push(caret.offsetNode.nodeValue ?? "")
    }
  }
  clear()
  const all = document.createRange()
  all.selectNodeContents(document.body)
  texts.push(all.toString(), document.documentElement.innerText, document.body.textContent)
  const known = ["none", "normal"]
  const read = texts.filter((text) => !known.includes(text) && /[\p{L}\p{N}]/u.test(text))
  return { found, read, hosts: hosts.length }
}

/** The boxes that a script finds by looking at every place of the window: for each host of a kind its size, and the number of places. */
const feel = (kind: string) => {
  const places = new Map<
    Element,
    { left: number; top: number; right: number; bottom: number; hits: number }
  >()
  for (let x = 1; x < innerWidth; x += 4) {
    for (let y = 1; y < innerHeight; y += 4) {
      for (const host of document.elementsFromPoint(x, y)) {
        if (host.getAttribute("data-deedkit") !== kind) continue
        const box = places.get(host) ?? { left: x, top: y, right: x, bottom: y, hits: 0 }
        box.right = Math.max(box.right, x)
        box.bottom = Math.max(box.bottom, y)
        box.top = Math.min(box.top, y)
        box.hits++
        places.set(host, box)
      }
    }
  }
  return [...places.values()].map((box) => [box.right - box.left, box.bottom - box.top, box.hits].join())
}

const alphabet = [..."abcdefghijklmnopqrstuvwxyz0123456789+:,·▸▾"]

export const attack = (kind: BrowserKind, extension: () => string): void => {
  describe("on a page that spies", () => {
    let world: World.World
    let server: Server
    let site: string
    let tab: Tab
    /** Two listings whose contracts differ as much as they can: how many, which statuses, which words. */
    let few: string
    let many: string
    let words: ReadonlyArray<string>
    const asked: Array<string> = []
    let loads = 0

    beforeAll(async () => {
      world = await World.make(kind, extension(), { contracts: 250 })
      const { store } = world.emulator
      const add = (slug: string, id: number, mix: ReadonlyArray<readonly [status: string, kind: string]>) => {
        const listing = { id, slug, title: `Secret title of ${slug}`, city: "Secretville", area: "Hidden" }
        mix.forEach(([status, contractKind], at) =>
          store.insert({
            status,
            kind: contractKind,
            unit_label: `Unit ${at} of ${slug}`,
            listing,
            listing_id: id,
          }),
        )
      }
      few = "one-quiet-home"
      many = "house-of-many-contracts"
      add(few, 41_001, [["draft", "rent"]])
      add(many, 41_002, [
        ...Array.from({ length: 30 }, () => ["active", "sale"] as const),
        ...Array.from({ length: 12 }, (_, at) => [`under_negotiation_${at}`, "offplan"] as const),
      ])
      const texts = store.contracts.flatMap(({ kind, listing, status, unit_label }) =>
        listing?.slug === few || listing?.slug === many
          ? [kind, status, unit_label, listing.title, listing.city]
          : [],
      )
      const shown = [
        "contract",
        "active",
        "30 active",
        "+12",
        "draft",
        "Created",
        "Updated",
        "As of",
        "Refresh",
      ]
      words = [
        ...new Set([
          ...alphabet,
          ...texts,
          ...texts.flatMap((text) => text.split(/\W+/)),
          ...shown,
          "Deedkit",
        ]),
      ]
      words = words.filter((word) => word !== "")
      server = createServer((request, response) => {
        const { url = "" } = request
        asked.push(url)
        const isPage = !/^\/font/.test(url)
        response.writeHead(isPage ? 200 : 404, { "content-type": "text/html; charset=utf-8" })
        response.end(isPage ? page : "")
      })
      await once(server.listen(0, "127.0.0.1"), "listening")
      site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      await world.setUp()
      await world.ask({ type: "page.addSite", origin: site })
      tab = await world.driver.open(`${site}/`)
    }, 120_000)
    afterAll(async () => {
      await world.close()
      server.closeAllConnections()
      server.close()
    })

    beforeEach(async () => {
      await load()
      await tab.point(900, 700)
      await tab.point(901, 701)
    })

    /** Loads the page at an address where it was not yet, with nothing on it. */
    const load = () => tab.goTo(`${site}/-${loads++}-`)

    /** Puts links on the page, which say nothing. */
    const link = (slugs: ReadonlyArray<string>) =>
      tab.evaluate(
        (paths) => {
          const links = paths.map((path) => {
            const link = document.createElement("a")
            link.href = path
            return link
          })
          document.querySelector("main")!.replaceChildren(...links)
        },
        slugs.map((slug) => `/homes/${slug}`),
      )
    const look = async () => Marks.look(world.page, await tab.evaluate(() => location.href))
    const badgesWhen = (count: number) => until("badges", look, ({ badges }) => badges.length === count)
    /** Moves the page to an address as its script can, and waits for the panel there. */
    const move = async (slug: string) => {
      await tab.evaluate((path) => history.pushState({}, "", path), `/homes/${slug}`)
      return until("the panel", look, ({ panel }) => panel !== null)
    }
    /** Opens the panel as a user does. */
    const openPanel = async (slug: string) => {
      await move(slug)
      await Marks.press(world.page, tab, `${site}/homes/${slug}`)
      return until("the contracts", look, ({ panel }) => /Secret title/.test(panel?.text ?? ""))
    }
    /** Opens the card of the first link as a user does. */
    const openCard = async () => {
      await until("a badge", look, ({ badges }) => badges.length > 0)
      await tab.press("Tab")
      return until("the card", look, ({ card }) => /Secret title/.test(card ?? ""))
    }
    /** Long enough for whatever opens after a moment. */
    const rest = () => tab.evaluate(() => new Promise((resolve) => setTimeout(resolve, 700)))

    it("reads no letter of a badge: not by search, selection, ranges, carets or its styles", async () => {
      await link([few, many])
      const { badges } = await badgesWhen(2)
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
      await badgesWhen(2)
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
    })

    it("gets nothing of them into what its user drags", async () => {
      await link([many])
      await badgesWhen(1)
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
      const own = `${site}/homes/${many}`
      const left = dragged.map((text) => text.replaceAll(own, "").replace(/<[^>]*>/g, ""))
      expect(left.filter((text) => /\p{L}/u.test(text))).toEqual([])
    })

    it("finds every badge as large as any other, and panel and card, whatever they say", async () => {
      await link([few, many])
      await badgesWhen(2)
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
        await rest()
        return tab.run("painted")
      }
      const showing = (slug: string) => async () => {
        await link([slug])
        await badgesWhen(1)
        const { left, top } = await tab.evaluate(() =>
          document.querySelector("[data-deedkit]")!.getBoundingClientRect().toJSON(),
        )
        await tab.point(left + 20, top + 6)
        await tab.point(left + 22, top + 7)
        await until("the card", look, ({ card }) => /Secret title/.test(card ?? ""))
      }
      const one = await paintedWith(showing(few))
      expect(await paintedWith(showing(many))).toEqual(one)
      if (world.driver.name === "Chromium") expect(one).not.toEqual([])
      const pill = await paintedWith(() => move(few))
      expect(await paintedWith(() => move(many))).toEqual(pill)
    })

    it("is asked for no font by the letters that are shown", async () => {
      await link([few, many])
      await badgesWhen(2)
      await openPanel(many)
      await rest()
      expect(asked).toContain("/")
      expect(asked.filter((url) => url.startsWith("/font"))).toEqual([])
    })

    it("prints none of them", async () => {
      await link([few, many])
      await badgesWhen(2)
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

    it("opens no detail by going to a listing's address, however often, nor by what it does to the panel", async () => {
      for (const slug of [few, many, few]) {
        const { panel } = await move(slug)
        expect(panel).toMatchObject({ isOpen: false })
        expect(panel?.text).not.toContain("Secret")
      }
      await openPanel(few)
      await tab.evaluate((path) => history.pushState({}, "", path), `/homes/${many}`)
      const { panel } = await until("the other panel", look, (marks) => /^42 /.test(marks.panel?.text ?? ""))
      expect(panel).toEqual({ isOpen: false, text: "42 contracts 30 active +12" })
      await tab.evaluate(() => {
        const host = document.querySelector<HTMLElement>("[data-deedkit=panel]")!
        host.id = "host"
        host.tabIndex = 0
        host.accessKey = "x"
        host.focus()
        host.click()
        host.scrollIntoView()
        location.hash = "host"
        const label = document.createElement("label")
        label.htmlFor = "host"
        document.body.append(label)
        label.click()
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
      await rest()
      expect((await look()).panel).toMatchObject({ isOpen: false })
    })

    it("opens no card by focus, by events of its own, or by moving a badge below a pointer at rest", async () => {
      await link([few, many])
      await badgesWhen(2)
      await tab.evaluate(async () => {
        const wait = () => new Promise((resolve) => setTimeout(resolve, 300))
        for (const link of document.querySelectorAll<HTMLAnchorElement>("main a")) {
          const host = link.querySelector("[data-deedkit]")!
          link.focus()
          await wait()
          link.blur()
          link.dispatchEvent(new KeyboardEvent("keydown", { key: "Tab", bubbles: true, composed: true }))
          link.focus({ focusVisible: true } as FocusOptions)
          await wait()
          for (const type of ["pointerover", "pointerenter", "pointermove", "mouseover", "mousemove"]) {
            for (const screenX of [5, 6, 7]) {
              host.dispatchEvent(
                new PointerEvent(type, {
                  bubbles: true,
                  composed: true,
                  screenX,
                  screenY: 5,
                  pointerType: "mouse",
                }),
              )
            }
          }
          await wait()
        }
      })
      expect((await look()).card).toBeNull()
      await tab.evaluate(() => {
        const link = document.querySelector<HTMLElement>("main a")!
        const { left, top } = link.querySelector("[data-deedkit]")!.getBoundingClientRect()
        link.style.translate = `${901 - left - 12}px ${701 - top - 8}px`
      })
      await rest()
      const isBelow = await tab.evaluate(() =>
        document.elementFromPoint(901, 701)!.hasAttribute("data-deedkit"),
      )
      expect(isBelow).toBe(true)
      expect((await look()).card).toBeNull()
      await tab.point(902, 702)
      await until("the card for a pointer that is moved", look, ({ card }) => /Secret title/.test(card ?? ""))
    })

    it("opens no card where it sets the focus while its user presses Tab", async () => {
      await link([few, many])
      await badgesWhen(2)
      await tab.evaluate(() => {
        const [, second] = document.querySelectorAll<HTMLAnchorElement>("main a")
        addEventListener(
          "keydown",
          (event) => {
            event.preventDefault()
            second!.focus({ focusVisible: true } as FocusOptions)
          },
          { once: true },
        )
      })
      await tab.press("Tab")
      await rest()
      expect(await tab.evaluate(() => document.activeElement?.localName)).toBe("a")
      expect((await look()).card).toBeNull()
    })

    it("counts no listing that it does not link by a slug: 16,000 guessed ids give nothing", async () => {
      const ids = world.emulator.store.contracts.flatMap(({ listing }) =>
        listing == null ? [] : [listing.id],
      )
      await tab.evaluate(
        (known, slug) => {
          const paths = known.flatMap((id) => [
            `/${id}`,
            `/homes/${id}`,
            `/homes/${id}.html`,
            `/tour?listing=${id}`,
          ])
          for (let id = 40_000; paths.length < 16_000; id++) paths.push(`/${id}`)
          const section = document.createElement("section")
          section.hidden = true
          for (const path of [...paths, `/homes/${slug}`]) {
            const link = document.createElement("a")
            link.href = path
            section.append(link)
          }
          document.body.append(section)
        },
        [...new Set(ids)].slice(0, 1_000),
        few,
      )
      const { badges } = await until("the badge of the last link", look, (marks) =>
        marks.badges.some(({ path }) => path === `/homes/${few}`),
      )
      expect(badges.map(({ path }) => path)).toEqual([`/homes/${few}`])
    })

    it("learns of few listings at once where it guesses slugs, and its user is told", async () => {
      const guessing = await world.driver.open(`${site}/guess`)
      await guessing.evaluate((slug) => {
        const section = document.createElement("section")
        section.hidden = true
        const paths = Array.from({ length: 16_000 }, (_, at) => `/homes/guess-${at}`)
        for (const path of [...paths, `/homes/${slug}`]) {
          const link = document.createElement("a")
          link.href = path
          section.append(link)
        }
        document.body.append(section)
      }, many)
      const { badges, panel } = await until(
        "the notice",
        () => Marks.look(world.page, `${site}/guess`),
        (marks) => marks.panel !== null,
      )
      expect(panel?.text).toContain("1,000 a minute")
      expect(badges).toEqual([])
      await guessing.close()
    })

    it("shows its user all that it may not read: a screen reader is given every text", async () => {
      await link([few, many])
      await badgesWhen(2)
      const readOut = (isAll: (names: ReadonlyArray<string>) => boolean) =>
        until("the accessibility tree", () => tab.readOut(), isAll)
      const badges = [/^1 contract: 1 draft \(rent\)/, /^42 contracts: 30 active \(sale\), 1 under_neg/]
      await readOut((names) => badges.every((badge) => names.some((name) => badge.test(name))))
      await openCard()
      const ofFew = [`Secret title of ${few}`, "Secretville", `Unit 0 of ${few}`, "rent · draft"]
      await readOut((names) => ofFew.every((text) => names.includes(text)))
      await link([])
      await openPanel(few)
      const ofPanel = [...ofFew, "Refresh", "Open in Deedkit", "1 contract: 1 draft (rent)"]
      await readOut((names) => ofPanel.every((text) => names.includes(text)))
    })
  })
}

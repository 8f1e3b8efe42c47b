/**
 * Looks pages over in colours that the reader has chosen for everything, where the browser takes all backgrounds away: what told a state or an edge
 * by its background alone would be gone, and what is drawn would keep the colour of another ground.
 */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { expect } from "vitest"
import { it, lookOver } from "../GalleryTest.ts"
import { scenes } from "../../gallery/Scenes.ts"
import type { Visit } from "../../gallery/Visit.ts"

/** Scenes that have everything between them that is drawn as a shape: pills, switches, boxes, notices, bars. */
const looks = scenes.filter(({ name, page }) =>
  [
    "popup here",
    "popup on-page",
    "popup site-off",
    "popup sync-paused",
    "popup wrong-key",
    "popup detail-refused",
    "options set-up",
    "options address-denied",
    "options clearing",
    "options test-failed",
    "options narrow",
    "options transfer-chosen",
    "welcome key-failed",
    "export choices",
  ].includes(`${page} ${name}`),
)

const shapes =
  ".button, .status, .switch input, .field span, .search-box, .entry-box, .notice, .error-notice, .confirm, .preview, .form-loss, .section-body, .pattern-list li, progress"

/** What of these shapes has no edge, or one in a colour of the page's own. */
const edgeless = (page: Visit, selector: string): Promise<ReadonlyArray<string>> =>
  page.evaluate((selector) => {
    const own = document.createElement("p")
    document.body.append(own)
    const chosen = [
      "CanvasText",
      "ButtonText",
      "ButtonBorder",
      "LinkText",
      "GrayText",
      "Highlight",
      "HighlightText",
    ]
    const colours = new Set(
      chosen.map((name) => {
        own.style.color = name
        own.style.setProperty("forced-color-adjust", "none")
        return getComputedStyle(own).color
      }),
    )
    own.remove()
    const root = document.documentElement.lastElementChild?.shadowRoot ?? document
    return [...root.querySelectorAll<HTMLElement>(selector)].flatMap((shape) => {
      const { borderTopColor, borderTopStyle, borderTopWidth } = getComputedStyle(shape)
      const isDrawn = borderTopStyle !== "none" && parseFloat(borderTopWidth) > 0
      return isDrawn && colours.has(borderTopColor)
        ? []
        : [`${shape.className || shape.tagName}: ${borderTopWidth} ${borderTopStyle} ${borderTopColor}`]
    })
  }, selector)

/** What is drawn in another colour than that of the words beside it. */
const ownColours = (page: Visit): Promise<ReadonlyArray<string>> =>
  page.evaluate(() =>
    [...document.querySelectorAll<SVGElement>(".icon")].flatMap((icon) => {
      const [drawn, words] = [getComputedStyle(icon).stroke, getComputedStyle(icon.parentElement!).color]
      return drawn === words ? [] : [`${icon.getAttribute("class")}: ${drawn} beside ${words}`]
    }),
  )

/** What of the chosen row is not in its colours. */
const strangers = (page: Visit): Promise<ReadonlyArray<string>> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.row[aria-selected="true"] *')].flatMap((part) => {
      const { backgroundColor, color } = getComputedStyle(part)
      const isOfTheRow = color === getComputedStyle(part.closest(".row")!).color
      return isOfTheRow && backgroundColor === "rgba(0, 0, 0, 0)"
        ? []
        : [`${part.className}: ${color} on ${backgroundColor}`]
    }),
  )

lookOver("in forced colours", () => {
  it("has scenes of everything", () => {
    expect(looks).toHaveLength(14)
  })

  it.for(looks.map((scene) => [`${scene.page} ${scene.name}`, scene] as const))(
    "%s",
    async ([, scene], { gallery }) => {
      const page = await gallery.open(scene, "dark")
      await page.setLook("dark", true)
      expect(await edgeless(page, shapes)).toEqual([])
      expect(await ownColours(page)).toEqual([])
      expect(await strangers(page)).toEqual([])
    },
  )

  it("tells a switch that is on from one that is off by more than a colour", async ({ gallery }) => {
    const knobOf = async (name: string) => {
      const page = await gallery.open(
        scenes.find((scene) => scene.page === "popup" && scene.name === name)!,
        "light",
      )
      await page.setLook("light", true)
      await page.sees("[role=switch]")
      return page.evaluate(() => {
        const input = document.querySelector("[role=switch]")!
        const { backgroundColor, insetInlineStart } = getComputedStyle(input, "::before")
        return {
          place: parseFloat(insetInlineStart),
          isSeen: backgroundColor !== getComputedStyle(input).backgroundColor,
        }
      })
    }
    const on = await knobOf("here")
    const off = await knobOf("site-off")
    expect([on.isSeen, off.isSeen]).toEqual([true, true])
    expect(on.place - off.place).toBeGreaterThan(8)
  })

  it("keeps the edge of a badge", async ({ gallery }) => {
    const sheets = ["host.css", "marks/marks.css", "panel/details.css"].map((name) =>
      readFile(join(import.meta.dirname, "..", "..", "..", "..", "src", "page", name), "utf8"),
    )
    const sheet = (await Promise.all(sheets)).join("\n")
    const page = await gallery.open(looks[0]!, "light")
    await page.setLook("light", true)
    await page.evaluate((sheet) => {
      const host = document.documentElement.appendChild(document.createElement("div"))
      const root = host.attachShadow({ mode: "open" })
      const rules = new CSSStyleSheet()
      rules.replaceSync(sheet)
      root.adoptedStyleSheets = [rules]
      for (const part of ["mark spot", "mark", "box"]) {
        root.appendChild(document.createElement("span")).className = part
      }
    }, sheet)
    expect(await edgeless(page, ".mark, .box")).toEqual([])
  })
})

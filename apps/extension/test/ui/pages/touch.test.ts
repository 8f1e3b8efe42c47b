/**
 * Looks the pages over on a phone, in a window of 360 by 740 under a finger: everything that can be pressed is 44 pixels wide and high, and no
 * page is wider than its window. A link within a sentence is as high as its line.
 */
import { expect } from "vitest"
import { phoneScenes } from "../gallery/PhoneScenes.ts"
import type { Visit } from "../gallery/Visit.ts"
import { it, lookOver } from "./GalleryTest.ts"

/** What is too small to be hit by a finger. A box inside a label is hit by its label. */
const small = (page: Visit): Promise<ReadonlyArray<string>> =>
  page.evaluate(() => {
    const pressed = "button, a[href], input, select, textarea, summary, [role=option]"
    const targets = new Set(
      [...document.querySelectorAll(pressed)].map((target) =>
        target instanceof HTMLInputElement && ["checkbox", "radio"].includes(target.type)
          ? (target.closest("label") ?? target)
          : target,
      ),
    )
    const isInSentence = (target: Element): boolean =>
      target.matches("p a, li a") && target.parentElement?.textContent !== target.textContent
    return [...targets].flatMap((target) => {
      const { height, width } = target.getBoundingClientRect()
      const isSeen = target.checkVisibility({ visibilityProperty: true }) && width > 1
      return isSeen && !isInSentence(target) && Math.min(height, width) < 43.9
        ? [`${target.tagName} ${target.className} ${target.textContent}: ${width} by ${height}`]
        : []
    })
  })

lookOver("on a phone", () => {
  it.for(phoneScenes.map((scene) => [`${scene.page} ${scene.name}`, scene] as const))(
    "%s",
    async ([, scene], { gallery }) => {
      const page = await gallery.open(scene, "light")
      expect(await page.run("matchMedia('(pointer: coarse)').matches")).toBe(true)
      expect(await small(page)).toEqual([])
      expect(await page.run("document.documentElement.scrollWidth")).toBe(360)
    },
  )

  it.for(["options phone-set-up", "welcome phone-done-narrow"])(
    "speaks of no keys, which its browser does not have: %s",
    async (wanted, { gallery }) => {
      const scene = phoneScenes.find(({ name, page }) => `${page} ${name}` === wanted)!
      const page = await gallery.open(scene, "light")
      await page.reads(scene.page === "options" ? "Appearance" : "from the browser's menu")
      expect(await page.evaluate(() => document.body.innerText)).not.toMatch(/shortcut|Alt\+|address bar/i)
    },
  )
})

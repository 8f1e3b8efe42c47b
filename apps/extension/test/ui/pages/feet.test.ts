/**
 * Looks over the foot of the side panel: one line each, which is no wider than the window and cuts no word but a long host, in English. And over that
 * of the export page, which stays in the window.
 */
import { expect } from "vitest"
import { scenes } from "../gallery/Scenes.ts"
import { it, lookOver } from "./GalleryTest.ts"

const names = ["on-page-filtered", "site-unknown", "site-taken-back", "found-terms"]

lookOver("the foot", () => {
  it.for(names.flatMap((name) => ([320, 360, 380] as const).map((width) => [name, width] as const)))(
    "of %s is one line in %d pixels",
    async ([name, width], { gallery }) => {
      const scene = scenes.find((one) => one.page === "popup" && one.name === name)!
      // What brings a scene about has English names.
      const languages =
        scene.act === undefined || name.startsWith("site-")
          ? (["en", "el", "pt_PT"] as const)
          : (["en"] as const)
      for (const language of languages) {
        const page = await gallery.open(
          { ...scene, page: "sidepanel", size: [width, 600], language },
          "light",
        )
        await page.sees(".site-bar")
        const lines = await page.evaluate(() =>
          [...document.querySelectorAll(".lookup-end, .site-bar")]
            .filter((foot) => foot.checkVisibility() && foot.textContent !== "")
            .map((foot) => {
              const { left, right } = foot.getBoundingClientRect()
              const parts = [...foot.children].filter((part) => part.textContent !== "")
              const boxes = parts.map((part) => part.getBoundingClientRect())
              const tops = boxes.map(({ height, top }) => top + height / 2)
              return {
                isOneLine:
                  Math.max(...tops) - Math.min(...tops) < 4 && boxes.every(({ height }) => height < 40),
                isInside: boxes.every((box) => box.left >= left - 1 && box.right <= right + 1),
                isWhole: parts.every(
                  (part) => part.matches(".site-name, .switch") || part.scrollWidth <= part.clientWidth + 1,
                ),
              }
            }),
        )
        expect(lines.length).toBeGreaterThan(0)
        for (const { isInside, isOneLine, isWhole } of lines)
          expect([language, isOneLine, isInside, isWhole || language !== "en"]).toEqual([
            language,
            true,
            true,
            true,
          ])
      }
    },
  )

  it("of the export page is in a small window from the beginning, and covers nothing that has the focus", async ({
    gallery,
  }) => {
    const scene = scenes.find((one) => one.page === "export" && one.name === "picked")!
    const page = await gallery.open({ ...scene, size: [900, 560] }, "light")
    const found = await page.evaluate(() => {
      const foot = document.querySelector(".export-foot")!
      const { bottom } = foot.getBoundingClientRect()
      const covered = [...document.querySelectorAll<HTMLInputElement>(".export-form input")].filter(
        (input) => {
          input.focus()
          return input.getBoundingClientRect().bottom > foot.getBoundingClientRect().top
        },
      )
      return { isInWindow: bottom <= innerHeight, covered: covered.length }
    })
    expect(found).toEqual({ isInWindow: true, covered: 0 })
  })
})

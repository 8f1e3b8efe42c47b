/** Where list and detail stand at the side of the window: both where there is room for both, and one at a time where there is not. */
import { expect } from "vitest"
import { scenes } from "../gallery/Scenes.ts"
import type { Visit } from "../gallery/Visit.ts"
import { it, lookOver } from "./GalleryTest.ts"

const boxes = (page: Visit) =>
  page.evaluate(() =>
    [".lookup", ".detail, .on-page"].map((part) => {
      const { height, left, top, width } = document.querySelector(part)!.getBoundingClientRect()
      return { height, left, top, width }
    }),
  )

lookOver("the side panel", () => {
  const named = (name: string) => scenes.find((scene) => scene.page === "sidepanel" && scene.name === name)!

  it.for(["detail-high", "on-page-high"])(
    "has the list above what was chosen where it is high: %s",
    async (name, { gallery }) => {
      const [list, other] = await boxes(await gallery.open(named(name), "light"))
      expect(other!.top).toBeGreaterThanOrEqual(list!.top + list!.height)
      expect([list!.height > 250, other!.height > 250]).toEqual([true, true])
      expect(other!.width).toBe(list!.width)
    },
  )

  it("has the list beside what was chosen where it is wide", async ({ gallery }) => {
    const [list, other] = await boxes(await gallery.open(named("detail-wide"), "light"))
    expect(other!.left).toBeGreaterThanOrEqual(list!.left + list!.width)
    expect([list!.width > 300, other!.width > 300]).toEqual([true, true])
    expect(other!.top).toBe(list!.top)
  })

  it("has one at a time where it is neither, and so has the popup", async ({ gallery }) => {
    const low = { ...named("detail-high"), size: [400, 700] } as const
    const popup = { ...named("detail-high"), page: "popup", size: [380, 560] } as const
    for (const scene of [low, popup]) {
      const [list, other] = await boxes(await gallery.open(scene, "light"))
      expect(list).toEqual({ height: 0, left: 0, top: 0, width: 0 })
      expect(other!.height).toBeGreaterThan(250)
    }
  })
})

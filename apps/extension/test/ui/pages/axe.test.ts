/** Every page in one of its states, and the popup when it is zoomed. `release` has every state. */
import { expect } from "vitest"
import { areForEverybody } from "./Axe.ts"
import { it, lookOver } from "./GalleryTest.ts"
import { firsts } from "./Openings.ts"
import { scenes } from "../gallery/Scenes.ts"

areForEverybody(firsts, false)

lookOver("for everybody", () => {
  it("has the popup's foot in sight, and rows above it, when it is zoomed to twice its size", async ({
    gallery,
  }) => {
    const here = scenes.find(({ name, page }) => page === "popup" && name === "here")!
    const page = await gallery.open({ ...here, size: [380, 300] }, "light")
    await page.sees("[role=option]")
    await page.sees("[role=switch]")
    const boxOf = (selector: string) =>
      page.evaluate((wanted) => {
        const { bottom, top } = document.querySelector(wanted)!.getBoundingClientRect()
        return { bottom, top }
      }, selector)
    const foot = await boxOf("[role=switch]")
    expect(foot.bottom).toBeLessThanOrEqual(300)
    expect((await boxOf("[role=option]")).bottom).toBeLessThan(foot.top)
  })
})

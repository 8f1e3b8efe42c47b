import { expect } from "vitest"
import { isForEverybody } from "./Axe.ts"
import { it, lookOver } from "./GalleryTest.ts"
import { scenes } from "../gallery/Scenes.ts"

isForEverybody(["popup", "sidepanel"])

lookOver("for everybody", () => {
  it("has the popup's foot in sight, and rows above it, when it is zoomed to twice its size", async ({
    gallery,
  }) => {
    const here = scenes.find(({ name, page }) => page === "popup" && name === "here")!
    const page = await gallery.open({ ...here, size: [380, 300] }, "light")
    const foot = await page.getByRole("switch").boundingBox()
    expect(foot!.y + foot!.height).toBeLessThanOrEqual(300)
    const row = await page.getByRole("option").first().boundingBox()
    expect(row!.y + row!.height).toBeLessThan(foot!.y)
  })
})

/**
 * Looks every page over in every state, light and dark, for what shuts people out: names, roles, contrast, order. Also for what no page may
 * do in any state, whatever the service says: be wider than its window.
 */
import { createRequire } from "node:module"
import { readFile } from "node:fs/promises"
import type { AxeResults, RunOptions } from "axe-core"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { chromium } from "../../e2e/browsers/Browsers.ts"
import * as Gallery from "../gallery/Gallery.ts"
import { scenes } from "../gallery/Scenes.ts"

const { isTested, program } = chromium()
const axePath = createRequire(import.meta.url).resolve("axe-core/axe.min.js")

let gallery: Gallery.Gallery
let axe = ""

beforeAll(async () => {
  if (!isTested) return
  if (program === undefined)
    throw new Error("Chromium is not installed, and DEEDKIT_REQUIRE_BROWSERS asks for it")
  axe = await readFile(axePath, "utf8")
  gallery = await Gallery.make(program)
}, 120_000)
afterAll(() => gallery?.close())

/** What is wrong with a page, with the elements that it is wrong with. */
const violations = async (page: Page, options: RunOptions): Promise<ReadonlyArray<string>> => {
  const results = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`)
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ failureSummary, html }) => `${id}: ${html.slice(0, 200)}\n${failureSummary}`),
  )
}

const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"

const resultTypes: RunOptions["resultTypes"] = ["violations"]

describe.runIf(isTested)("for everybody", () => {
  it.each(scenes.map((scene) => [`${scene.page} ${scene.name}`, scene] as const))("%s", async (_, scene) => {
    const page = await gallery.open(scene, "light")
    await page.evaluate(axe)
    expect(await violations(page, { resultTypes })).toEqual([])
    expect(await page.evaluate(overflow)).toBe(0)
    await page.emulateMedia({ colorScheme: "dark" })
    expect(await violations(page, { resultTypes, runOnly: ["color-contrast"] })).toEqual([])
    await page.context().close()
  })

  it("has the popup's foot in sight, and rows above it, when it is zoomed to twice its size", async () => {
    const here = scenes.find(({ name, page }) => page === "popup" && name === "here")!
    const page = await gallery.open({ ...here, size: [380, 300] }, "light")
    const foot = await page.getByRole("switch").boundingBox()
    expect(foot!.y + foot!.height).toBeLessThanOrEqual(300)
    const row = await page.getByRole("option").first().boundingBox()
    expect(row!.y + row!.height).toBeLessThan(foot!.y)
    await page.context().close()
  })
})

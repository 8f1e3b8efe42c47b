/**
 * Looks pages over for what shuts people out: names, roles, contrast, order. Also for what no page may
 * do in any state, whatever the service says: be wider than its window.
 */
import { createRequire } from "node:module"
import { readFile } from "node:fs/promises"
import type { AxeResults, RunOptions } from "axe-core"
import { expect } from "vitest"
import { it, lookOver } from "./GalleryTest.ts"
import type { Scene } from "../gallery/Scene.ts"
import type { Visit } from "../gallery/Visit.ts"

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** What is wrong with a page, with the elements that it is wrong with. */
const violations = async (page: Visit, options: RunOptions): Promise<ReadonlyArray<string>> => {
  const results = (await page.run(`axe.run(${JSON.stringify(options)})`)) as AxeResults
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ failureSummary, html }) => `${id}: ${html.slice(0, 200)}\n${failureSummary}`),
  )
}

const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"

const resultTypes: RunOptions["resultTypes"] = ["violations"]

/** Tests pages in light colours, and those that are looked over wholly in dark ones, too. */
export const areForEverybody = (looks: ReadonlyArray<Scene>, isWhole: boolean): void => {
  lookOver("for everybody", () => {
    it.for(looks.map((scene) => [`${scene.page} ${scene.name}`, scene] as const))(
      "%s",
      async ([, scene], { gallery }) => {
        const page = await gallery.open(scene, "light")
        await page.run(`(() => { ${axe} })()`)
        expect(await violations(page, { resultTypes })).toEqual([])
        expect(await page.run(overflow)).toBe(0)
        if (!isWhole) return
        await page.setLook("dark")
        expect(await violations(page, { resultTypes, runOnly: ["color-contrast"] })).toEqual([])
      },
    )
  })
}

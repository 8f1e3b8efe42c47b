/** Exports of more contracts than most users have: the worker writes them all, and can be stopped meanwhile. */
import { expect } from "vitest"
import { it, scenario, shared } from "../BrowserTest.ts"
import * as ExportPage from "../ExportPage.ts"
import { writesEverything } from "../WholeExports.ts"
import { said, seen } from "../Words.ts"

scenario("an export of 10,000 contracts", () => {
  const world = shared({ contracts: 10_000 })

  writesEverything(world)

  it("gives up within a second, and leaves nothing", async () => {
    const tab = await ExportPage.open(world())
    await ExportPage.choose(tab, "xlsx")
    const [start, cancel] = [said("exportStart"), said("exportCancel")]
    const millis = await tab.evaluate(
      async (start, cancel) => {
        const find = (name: string) =>
          [...document.querySelectorAll("button")].find(({ innerText }) => innerText.trim() === name)
        const turn = () => new Promise((resolve) => setTimeout(resolve, 5))
        find(start)?.click()
        while (find(cancel) === undefined) await turn()
        const from = performance.now()
        find(cancel)?.click()
        while (find(cancel) !== undefined || find(start)?.disabled === true) await turn()
        return performance.now() - from
      },
      start,
      cancel,
    )
    expect(millis).toBeLessThan(1_000)
    await ExportPage.choose(tab, "excel")
    await tab.click("button", start)
    await seen(tab, said("exportComplete"))
    expect(await ExportPage.savedNames(tab)).toEqual([expect.stringMatching(/\.csv$/)])
  })
})

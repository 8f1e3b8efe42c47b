/**
 * The export page of the built extension, under its own security policy: the worker starts, reads the index, and makes files that other programs
 * read back value by value.
 */
import { expect } from "vitest"
import { it, scenario, shared } from "../BrowserTest.ts"
import * as ExportPage from "../ExportPage.ts"
import { writesEverything } from "../WholeExports.ts"
import { said, seen } from "../Words.ts"

scenario("an export", () => {
  const world = shared()

  writesEverything(world)

  it("keeps its buttons where they are while the first rows come", async () => {
    const tab = await ExportPage.open(world())
    const top = () => tab.evaluate(() => document.querySelector(".button-main")!.getBoundingClientRect().top)
    const before = await top()
    await seen(tab, said("exportPreview"))
    expect(await top()).toBe(before)
  })

  it("reads the contracts again first when it is asked to, and exports what is new", async () => {
    const here = world()
    const tab = await ExportPage.open(here)
    const { id } = here.emulator.store.insert({ unit_label: "Brand new" })
    here.emulator.faults.add({ name: "rate-limit", retryAfter: 2, when: { form: "list", requests: [3] } })
    await ExportPage.choose(tab, "fresh")
    await tab.click("button", said("exportStart"))
    const [pause] = said("syncRateLimited", "|").split("|")
    await seen(tab, pause!)
    await seen(tab, said("exportComplete"), 60_000)
    const text = (await ExportPage.fileOf(tab)).toString("utf8")
    expect(text).toContain(`\r\n${id},`)
    expect(text).toContain("Brand new")
  })
})

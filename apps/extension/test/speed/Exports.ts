/** What the export page takes for a whole index: time, memory, and how long the page does not answer meanwhile. */
import * as ExportPage from "../e2e/ExportPage.ts"
import type { World } from "../e2e/World.ts"
import { said } from "../e2e/Words.ts"
import { millis } from "./Finding.ts"
import type { Finding, Findings } from "./Finding.ts"
import * as Memory from "./Memory.ts"

/** Times that each format is made. */
const times = 3

interface Made {
  readonly millis: number
  /** The longest time that the page's clock stood still. */
  readonly pause: number
}

/** Presses the button, and waits for the words that say that the file is whole. Runs in the page. */
const make = async (start: string, complete: string): Promise<Made> => {
  const button = [...document.querySelectorAll("button")].find(({ innerText }) => innerText.trim() === start)
  if (button === undefined) throw new Error(`there is no button "${start}"`)
  let pause = 0
  let last = performance.now()
  const clock = setInterval(() => {
    const now = performance.now()
    pause = Math.max(pause, now - last)
    last = now
  }, 4)
  const from = performance.now()
  button.click()
  await new Promise<void>((resolve) => {
    const look = () => {
      if (document.body.textContent?.includes(complete)) return resolve()
      setTimeout(look, 4)
    }
    look()
  })
  clearInterval(clock)
  return { millis: performance.now() - from, pause }
}

export const measure = async (world: World): Promise<Findings> => {
  const found: { [name: string]: Finding } = {}
  const rows = world.emulator.store.contracts.length.toLocaleString("en")
  for (const [format, name] of [
    ["excel", "CSV"],
    ["xlsx", "XLSX"],
  ] as const) {
    const made: Array<Made> = []
    const memory: Array<Memory.Use> = []
    for (let round = 0; round < times; round++) {
      const tab = await ExportPage.open(world)
      await ExportPage.choose(tab, format)
      const most = await Memory.during(async () => {
        made.push(await tab.evaluate(make, said("exportStart"), said("exportComplete")))
      })
      if (most !== null) memory.push(most)
      await tab.close()
    }
    const what = `${rows} contracts to ${name}`
    found[what] = millis(...made.map((each) => each.millis))
    found[`${what}, longest pause of the page`] = millis(...made.map(({ pause }) => pause))
    if (memory.length > 0) {
      found[`${what}, memory beforehand`] = { unit: "MB", figures: memory.map(({ before }) => before) }
      found[`${what}, memory at most`] = { unit: "MB", figures: memory.map(({ most }) => most) }
    }
  }
  return found
}

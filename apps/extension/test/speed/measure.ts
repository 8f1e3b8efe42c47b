/**
 * Measures the built extension in Chromium and its packages, and prints what it found as one line of JSON. How much may be taken for what is
 * the business of who prints the table. Arguments: how many contracts the index holds, then the parts to measure, or all of them.
 */
import { rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { defaultClientConditions, build as bundle } from "vite"
import { chromium } from "../e2e/browsers/Browsers.ts"
import { build } from "../e2e/browsers/Build.ts"
import * as World from "../e2e/World.ts"
import * as Exports from "./Exports.ts"
import * as Freshness from "./Freshness.ts"
import type { Finding } from "./Finding.ts"
import * as InBrowser from "./InBrowser.ts"
import * as Sizes from "./Sizes.ts"

const [size = "100000", ...wanted] = process.argv.slice(2)

/** Contracts of the index that is exported. */
const exported = 50_000

const isWanted = (part: string): boolean => wanted.length === 0 || wanted.includes(part)

const found: { [name: string]: Finding } = {}

/** Puts the script that measures beside the extension's own files, and a page that has it. */
const addScript = async (extension: string): Promise<void> => {
  const made = await bundle({
    configFile: false,
    logLevel: "error",
    define: { "import.meta.env.MODE": '"production"' },
    resolve: { conditions: ["@deedkit/source", ...defaultClientConditions] },
    build: {
      write: false,
      target: "chrome123",
      lib: { entry: join(import.meta.dirname, "inside.ts"), formats: ["iife"], name: "inside" },
    },
  })
  const [first] = Array.isArray(made) ? made : [made]
  if (first === undefined || !("output" in first)) throw new Error("the script that measures was not bundled")
  await writeFile(join(extension, "speed.js"), first.output[0].code)
  await writeFile(join(extension, "speed.html"), '<!doctype html><script src="/speed.js"></script>')
  await writeFile(join(extension, "blank.html"), "<!doctype html><title>Blank</title><p>Nothing</p>")
}

const extension = await build("chrome")
await addScript(extension)

/** A browser with the extension, whose index holds so many contracts. */
const inWorld = async (contracts: number, measure: (world: World.World) => Promise<void>): Promise<void> => {
  const world = await World.make(chromium(), extension, { contracts })
  try {
    await world.ask({ type: "page.setAddress", baseUrl: world.service })
    await world.ask({ type: "page.addSite", origin: world.site })
    const before = performance.now()
    await world.ask({ type: "page.setKey", key: world.emulator.apiKey })
    await world.stateWhen(
      "a complete sync",
      ({ index, sync }) => index.completedAt !== null && sync._tag === "Idle",
      600_000,
    )
    const rows = (1_000 * contracts) / (performance.now() - before)
    found[`sync of ${contracts.toLocaleString("en")}`] = { unit: "rows/s", figures: [rows] }
    await measure(world)
  } finally {
    await world.close()
  }
}

try {
  if (isWanted("freshness")) Object.assign(found, await Freshness.measure(Number(size)))
  if (isWanted("sizes")) Object.assign(found, await Sizes.measure())
  const parts = Object.keys(InBrowser.parts).filter(isWanted)
  if (parts.length > 0) {
    await inWorld(
      Number(size),
      async (world) => void Object.assign(found, await InBrowser.measure(world, parts)),
    )
  }
  if (isWanted("exports")) {
    await inWorld(exported, async (world) => void Object.assign(found, await Exports.measure(world)))
  }
  console.log(JSON.stringify(found))
} finally {
  await rm(dirname(extension), { recursive: true, force: true })
}

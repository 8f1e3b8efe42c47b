/**
 * Measures the built extension in Chromium over an index of many contracts, and prints what it found as one line of JSON. How much may be
 * taken for what is the business of who prints the table. Arguments: how many contracts, then the parts to measure, or all of them.
 */
import { rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { build as bundle } from "vite"
import type { PageRequest, SearchField } from "../../src/messages/PageMessage.ts"
import { chromium } from "../e2e/Browsers.ts"
import { build } from "../e2e/Build.ts"
import * as World from "../e2e/World.ts"
import type { Look, Speed } from "./inside.ts"

/** Figures of one thing: milliseconds, or rows a second. */
export type Figures = ReadonlyArray<number>

export type Findings = { readonly [name: string]: Figures }

const [size = "100000", ...wanted] = process.argv.slice(2)
const contracts = Number(size)
const lookedUp = 1_000
const manyTimes = 20

/** Puts the script that measures beside the extension's own files, and a page that has it. */
const addScript = async (extension: string): Promise<void> => {
  const made = await bundle({
    configFile: false,
    logLevel: "error",
    define: { "import.meta.env.MODE": '"production"' },
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
}

const { isTested, launch, ...kind } = chromium()
const extension = await build("chrome")
await addScript(extension)
const world = await World.make({ ...kind, isTested, launch }, extension, { contracts })
const found: { [name: string]: Figures } = {}

const page = await world.driver.open(`${world.driver.origin}/speed.html`)
const inPage = async <Name extends keyof Speed>(name: Name, ...given: Parameters<Speed[Name]>) =>
  (await page.run(`speed.${name}(...${JSON.stringify(given)})`)) as Awaited<ReturnType<Speed[Name]>>
const inSite = async <Name extends keyof Speed>(name: Name, ...given: Parameters<Speed[Name]>) =>
  (await inPage("inTab", world.site, name, given)) as Awaited<ReturnType<Speed[Name]>>

const measureWalk = async (): Promise<void> => {
  await world.ask({ type: "page.setAddress", baseUrl: world.service })
  await world.ask({ type: "page.addSite", origin: world.site })
  const before = performance.now()
  await world.ask({ type: "page.setKey", key: world.emulator.apiKey })
  await world.stateWhen(
    "a complete walk",
    ({ index, walk }) => index.completedAt !== null && walk._tag === "Idle",
    600_000,
  )
  found["walk, rows/s"] = [(1_000 * contracts) / (performance.now() - before)]
}

const slugs = [
  ...new Set(
    world.emulator.store.contracts.flatMap(({ listing }) => (listing == null ? [] : [listing.slug])),
  ),
]
/** Every other one is a listing, as on a page. */
const references = slugs.slice(0, lookedUp / 2).flatMap((slug, at) => [slug, `page-of-no-listing-${at}`])

const measureLookUps = async (): Promise<void> => {
  found["look-up, warm"] = await inPage("lookUps", references, manyTimes)
  const site = await world.driver.open(world.site)
  await inSite("ask", references, 1)
  found["look-up, warm, from a page and back"] = await inSite("ask", references, 8)
  const killed: Array<number> = []
  for (let round = 0; round < 8; round++) {
    await world.driver.killBackground()
    killed.push(...(await inSite("ask", references, 1)))
  }
  found["look-up, background killed"] = killed
  await site.close()
}

const query = (by: SearchField, text: string): PageRequest & { readonly type: "page.search" } => ({
  type: "page.search",
  by,
  text,
  limit: 50,
})

const measureSearches = async (): Promise<void> => {
  const { listing, unit_label: unit } = world.emulator.store.contracts.find(
    (contract) => contract.listing != null,
  )!
  const [word = "", other = ""] = listing!.title.split(" ")
  const cold = await inPage("search", query("any", word), 1)
  found["free text, first time after a start"] = cold.inside
  const looks: Array<readonly [name: string, look: Look]> = [
    ["query, latest updates", await inPage("search", query("any", ""), manyTimes)],
    ["query, unit", await inPage("search", query("unit", unit.slice(0, 2)), manyTimes)],
    ["query, city", await inPage("search", query("city", listing!.city.slice(0, 3)), manyTimes)],
    ["query, status", await inPage("search", query("status", "active"), manyTimes)],
    [
      "query, id",
      await inPage("search", query("id", String(world.emulator.store.contracts[7]!.id)), manyTimes),
    ],
    ["free text, one word", await inPage("search", query("any", word), manyTimes)],
    ["free text, two words", await inPage("search", query("any", `${word} ${other}`), manyTimes)],
    ["free text, listing", await inPage("search", query("listing", word), manyTimes)],
    ["free text, nothing found", await inPage("search", query("any", "qqxyz"), manyTimes)],
  ]
  for (const [name, { inside, trip }] of looks) {
    found[name] = inside
    found[`${name}, from the popup and back`] = trip
  }
}

const measureFill = async (): Promise<void> => {
  const { millis, rows, transactions } = await inPage("fill")
  found["fill, rows/s"] = [(1_000 * rows) / millis]
  found["fill, transaction"] = transactions
}

const measurePages = async (): Promise<void> => {
  await world.ask({ type: "page.switchSite", origin: world.site, isOn: false })
  const site = await world.driver.open(world.site)
  const half = slugs.slice(0, lookedUp / 2)
  found["scan of 1,000 links"] = await inSite("scan", half, manyTimes)
  const { longest, whole } = await inSite("draw", half, manyTimes)
  found["500 badges with layout"] = whole
  found["500 badges, longest task"] = longest
  await site.close()
}

const parts = {
  lookUps: measureLookUps,
  searches: measureSearches,
  pages: measurePages,
  fill: measureFill,
}

try {
  await measureWalk()
  for (const [name, measure] of Object.entries(parts)) {
    if (wanted.length === 0 || wanted.includes(name)) await measure()
  }
  console.log(JSON.stringify(found))
} finally {
  await world.close()
  await rm(dirname(extension), { recursive: true, force: true })
}

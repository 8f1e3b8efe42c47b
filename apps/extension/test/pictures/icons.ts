/**
 * Draws the extension's icons: a house on a deed, as vectors, rendered by Chromium in the sizes that browsers want. Small sizes have fewer and
 * bolder strokes, because the large drawing would be a blur there. Run by hand after a change: `node --conditions=@deedkit/source test/pictures/icons.ts`.
 */
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { launch } from "puppeteer-core"
import { chromium } from "../e2e/browsers/Browsers.ts"
import { lighter } from "./Png.ts"

const folder = join(import.meta.dirname, "../../public/icon")
const ground = "#0b5c63"
const sheet = "#ffffff"
const ink = "#0b5c63"

/** The house's outline is the sheet's; its lines are the deed's. */
const large = `
  <rect width="32" height="32" rx="7" fill="${ground}"/>
  <path d="M16 4.8 26.5 13.4V25a2 2 0 0 1-2 2h-17a2 2 0 0 1-2-2V13.4Z" fill="${sheet}"/>
  <path d="M10.5 15.6h11M10.5 19.4h11M10.5 23.2h6" stroke="${ink}" stroke-width="1.9" stroke-linecap="round" fill="none"/>`

const small = `
  <rect width="32" height="32" rx="6" fill="${ground}"/>
  <path d="M16 4 28 14V26a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V14Z" fill="${sheet}"/>
  <path d="M10 17h12M10 21h12M10 25h6" stroke="${ink}" stroke-width="2" fill="none"/>`

const sizes = [
  [16, small],
  [32, small],
  [48, large],
  [96, large],
  [128, large],
] as const

const { program } = chromium()
if (program === undefined) throw new Error("Icons are drawn in Chromium, which is not installed. Install it.")
const browser = await launch({
  browser: "chrome",
  executablePath: program,
  args: ["--no-sandbox", "--disable-gpu"],
})
await mkdir(folder, { recursive: true })
for (const [size, drawing] of sizes) {
  const page = await browser.newPage()
  await page.setViewport({ width: size, height: size })
  await page.setContent(
    `<body style="margin:0"><svg xmlns="http://www.w3.org/2000/svg" style="display:block" width="${size}" height="${size}" viewBox="0 0 32 32">${drawing}</svg>`,
  )
  await writeFile(
    join(folder, `${size}.png`),
    lighter(Buffer.from(await page.screenshot({ omitBackground: true }))),
  )
  await page.close()
}
await browser.close()

/** What the extension shows on a listing site stays on the screen: a page that is printed or kept as a document does not say who has contracts. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { launch } from "puppeteer-core"
import { expect, it } from "vitest"
import { chromium } from "../../e2e/browsers/Browsers.ts"

const { isTested, program } = chromium()

it.runIf(isTested)("shows neither badge nor panel on paper", { timeout: 60_000 }, async () => {
  const sheet = await readFile(
    join(import.meta.dirname, "..", "..", "..", "src", "page", "host", "host.css"),
    "utf8",
  )
  if (program === undefined) throw new Error("Chromium is not installed, so nothing can be printed.")
  const browser = await launch({ browser: "chrome", executablePath: program, args: ["--no-sandbox"] })
  const page = await browser.newPage()
  await page.evaluate((sheet) => {
    const rules = new CSSStyleSheet()
    rules.replaceSync(sheet)
    for (const kind of ["badge", "panel"]) {
      const host = document.documentElement.appendChild(document.createElement("div"))
      const root = host.attachShadow({ mode: "open" })
      root.adoptedStyleSheets = [rules]
      root.appendChild(document.createElement("div")).className = kind === "badge" ? "mark spot" : "box panel"
    }
  }, sheet)
  const widths = () =>
    page.evaluate(() =>
      [...document.querySelectorAll("html > div")].map(
        (host) => host.shadowRoot?.firstElementChild?.getBoundingClientRect().width,
      ),
    )
  expect((await widths()).every((width) => (width ?? 0) > 0)).toBe(true)
  await page.emulateMediaType("print")
  expect(await widths()).toEqual([0, 0])
  await browser.close()
})

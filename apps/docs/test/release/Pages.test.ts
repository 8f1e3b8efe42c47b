/** The built pages: links and anchors, nothing from another host, and for everybody: axe in both themes, a phone's width. */
import { readdirSync, readFileSync, statSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import type { AxeResults, RunOptions } from "axe-core"
import type { Browser } from "puppeteer-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as Site from "./Site.ts"

const html = (address: string): string => readFileSync(Site.fileOf(address) ?? "", "utf8")
const all = (text: string, pattern: RegExp): ReadonlyArray<string> =>
  [...text.matchAll(pattern)].map(({ groups }) => groups?.["it"] ?? "")
const idsOf = (address: string): ReadonlySet<string> => new Set(all(html(address), /\sid="(?<it>[^"]+)"/g))

describe("the built site", () => {
  it("has its pages", () => {
    expect(Site.pages.length).toBeGreaterThan(30)
    expect(Site.pages).toContain("/playground")
  })

  it.each(Site.pages)("links on %s only to pages and headings that are there", (address) => {
    const broken = all(html(address), /<a\s[^>]*href="(?<it>[/#][^"]*)"/g).filter((href) => {
      const [path = "", anchor] = href.replaceAll("&amp;", "&").split("#")
      const goal = path === "" ? address : path
      if (Site.fileOf(goal) === null) return true
      return anchor !== undefined && !idsOf(goal).has(decodeURIComponent(anchor))
    })
    expect(broken).toEqual([])
  })

  it.each(Site.pages)(
    "has on %s a content policy, no script in the page, and nothing of another host",
    (address) => {
      const text = html(address)
      expect(text).toContain(
        `http-equiv="Content-Security-Policy" content="default-src 'self'; object-src 'none'; frame-src 'none'; script-src 'self';`,
      )
      expect(
        all(text, /<script(?<it>[^>]*)>/g).filter((attributes) => !attributes.includes(' src="/')),
      ).toEqual([])
      expect(all(text, /<(?:link|img|script)\s[^>]*(?:src|href)="(?<it>(?:https?:)?\/\/[^"]*)"/g)).toEqual([])
      expect(all(text, /\s(?<it>on[a-z]+)="/g)).toEqual([])
    },
  )

  it("has the Markdown of each page, and a list of these for programs", () => {
    const list = readFileSync(join(Site.folder, "llms.txt"), "utf8")
    for (const address of Site.pages) {
      const name = `${address === "/" ? "/index" : address}.md`
      expect(list).toContain(`](${name})`)
      expect(statSync(join(Site.folder, name)).size).toBeGreaterThan(50)
    }
  })

  it("brings at most 150 kB of scripts, packed, to the playground before a file is made", () => {
    const text = html("/playground")
    const chunk = all(text, /<link rel="modulepreload" href="(?<it>[^"]+)"/g)
    const own = all(text, /<script [^>]*src="(?<it>[^"]+)"/g)
    const later = readdirSync(join(Site.folder, "assets/chunks"))
      .filter((name) => name.startsWith("Playground."))
      .map((name) => `/assets/chunks/${name}`)
    const paths = new Set([...chunk, ...own, ...later])
    expect(later).toHaveLength(1)
    const bytes = [...paths].map(
      (path) => gzipSync(readFileSync(join(Site.folder, path)), { level: 9 }).byteLength,
    )
    expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(150_000)
  })
})

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

describe.runIf(Site.isTested("chrome"))("for everybody", () => {
  let browser: Browser
  let site: Awaited<ReturnType<typeof Site.serve>>
  beforeAll(async () => {
    site = await Site.serve()
    browser = await Site.launch("chrome")
  })
  afterAll(async () => {
    await browser.close()
    site.close()
  })

  it.each(Site.pages)("%s", async (address) => {
    const { complaints, page } = await Site.open(browser)
    const hosts = new Set<string>()
    page.on("request", (request) => hosts.add(new URL(request.url()).host))
    // Markdown has no table without headings, so the headings of a column of names can be empty.
    const rules = { "empty-table-header": { enabled: false } }
    const violations = async (options: RunOptions): Promise<ReadonlyArray<string>> => {
      const results = (await page.evaluate(`axe.run(${JSON.stringify({ rules, ...options })})`)) as AxeResults
      return results.violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`),
      )
    }
    const show = async (value: "light" | "dark", width: number): Promise<void> => {
      await page.setViewport({ width, height: 900 })
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value }])
      await page.goto(`${site.url}${address}`)
      await page.waitForFunction(`"__vue_app__" in document.querySelector("#app")`)
      await page.evaluate(axe)
    }
    await show("light", 1280)
    if (address === "/playground") await page.waitForSelector(".playground button[type=submit]")
    expect(await violations({ resultTypes: ["violations"] })).toEqual([])
    await show("dark", 320)
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320)
    expect(await violations({ resultTypes: ["violations"], runOnly: ["color-contrast"] })).toEqual([])
    expect([[...hosts].filter((host) => host !== "" && host !== new URL(site.url).host), complaints]).toEqual(
      [[], []],
    )
    await page.close()
  })
})

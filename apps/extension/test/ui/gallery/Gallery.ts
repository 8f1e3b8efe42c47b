/**
 * Opens scenes in Chromium: the pages of the built extension under their own security policy, before a background without a browser. Every
 * address is answered from the built folder; a page that asks for anything else fails.
 */
import { readFile } from "node:fs/promises"
import { extname, join } from "node:path"
import { chromium } from "playwright-core"
import type { BrowserContext, Page } from "playwright-core"
import { build as bundle } from "vite"
import type { Given } from "./PageBrowser.ts"
import { now } from "./Scene.ts"
import type { Scene } from "./Scene.ts"

type Look = "light" | "dark"

export interface Gallery {
  /** Opens a scene in a window of its own and brings it into its state. */
  readonly open: (scene: Scene, look: Look) => Promise<Page>
  readonly close: () => Promise<void>
}

const origin = "https://deedkit.test"

/** What a browser of each language calls its own. */
const locales = { en: "en-GB", el: "el-GR", pt_PT: "pt-PT" }

const types: { readonly [extension: string]: string } = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".png": "image/png",
}

/** The browser of a page as one script. */
const pageBrowser = async (): Promise<string> => {
  const made = await bundle({
    configFile: false,
    logLevel: "error",
    build: {
      write: false,
      minify: false,
      lib: { entry: join(import.meta.dirname, "PageBrowser.ts"), formats: ["iife"], name: "pageBrowser" },
    },
  })
  const [first] = Array.isArray(made) ? made : [made]
  if (first === undefined || !("output" in first)) throw new Error("the browser of the page was not bundled")
  return first.output[0].code
}

const serve = async (context: BrowserContext, folder: string): Promise<void> => {
  const manifest = JSON.parse(await readFile(join(folder, "manifest.json"), "utf8")) as {
    readonly content_security_policy: { readonly extension_pages: string }
  }
  await context.route("**/*", async (route) => {
    const { pathname } = new URL(route.request().url())
    const body = await readFile(join(folder, pathname)).catch(() => null)
    if (body === null) return route.fulfill({ status: 404 })
    const headers = { "content-security-policy": manifest.content_security_policy.extension_pages }
    return route.fulfill({ body, headers, contentType: types[extname(pathname)] ?? "application/json" })
  })
}

/** Starts the program; the pages come from the folder of an extension built for Chromium. */
export const make = async (program: string, folder: string): Promise<Gallery> => {
  const script = await pageBrowser()
  const browser = await chromium.launch({
    executablePath: program,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--force-color-profile=srgb",
      "--font-render-hinting=none",
      "--disable-lcd-text",
      "--disable-font-subpixel-positioning",
    ],
  })
  return {
    open: async (scene, look) => {
      const [width, height] = scene.size ?? (scene.page === "popup" ? [380, 560] : [1_000, 800])
      const context = await browser.newContext({
        viewport: { width, height },
        colorScheme: look,
        locale: locales[scene.language ?? "en"],
        timezoneId: "UTC",
        reducedMotion: "reduce",
      })
      await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin })
      await serve(context, folder)
      const page = await context.newPage()
      page.setDefaultTimeout(5_000)
      await page.clock.setFixedTime(now)
      const { direction, isAllowed, isProtected, language, tab, world } = scene
      const given = { direction, isAllowed, isProtected, language, tab, world } as Given
      await page.addInitScript({ content: `globalThis.given = ${JSON.stringify(given)};\n${script}` })
      page.on("request", (request) => {
        const { origin: asked, protocol } = new URL(request.url())
        if (asked !== origin && !["blob:", "data:"].includes(protocol))
          throw new Error(`${scene.page} asks ${request.url()}`)
      })
      page.on("pageerror", (error) => {
        throw new Error(`${scene.page} ${scene.name}: ${error.message}`)
      })
      await page.goto(`${origin}/${scene.page}.html${scene.address ?? ""}`)
      await page.locator("h1").first().waitFor()
      await scene.act?.(page)
      return page
    },
    close: () => browser.close(),
  }
}

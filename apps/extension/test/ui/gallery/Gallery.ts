/**
 * Opens scenes in Chromium: the pages of the built extension under their own security policy, before a background without a browser. A page
 * that asks another address than its own fails. One tab of each language shows scene after scene, so that the browser compiles a script once.
 */
import { once } from "node:events"
import { readFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { extname, join } from "node:path"
import { chromium } from "playwright-core"
import type { Browser, Page } from "playwright-core"
import { build as bundle } from "vite"
import type { Given } from "./PageBrowser.ts"
import { now } from "./Scene.ts"
import type { Language, Scene } from "./Scene.ts"

type Look = "light" | "dark"

export interface Gallery {
  /** Opens a scene, in the place of the one before, and brings it into its state. */
  readonly open: (scene: Scene, look: Look) => Promise<Page>
  readonly close: () => Promise<void>
}

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

interface Site {
  readonly origin: string
  readonly close: () => void
}

/** Serves the folder of an extension. */
const serve = async (folder: string): Promise<Site> => {
  const manifest = JSON.parse(await readFile(join(folder, "manifest.json"), "utf8")) as {
    readonly content_security_policy: { readonly extension_pages: string }
  }
  const server = createServer(async ({ url = "/" }, response) => {
    const { pathname } = new URL(url, "http://localhost")
    const body = await readFile(join(folder, pathname)).catch(() => null)
    if (body === null) return void response.writeHead(404).end()
    response.writeHead(200, {
      "content-security-policy": manifest.content_security_policy.extension_pages,
      "content-type": types[extname(pathname)] ?? "application/json",
      "cache-control": "max-age=3600",
    })
    response.end(body)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

/** Where a tab is between two scenes: from a page to another fragment of it, nothing would be loaded. */
const between = "/manifest.json"

/** Where a page finds what is given to it. */
const givenKey = "gallery"

/** A tab at the gallery's origin, whose pages take what is given to them before their own code runs. */
const openTab = async (browser: Browser, { origin }: Site, language: Language, script: string) => {
  const context = await browser.newContext({
    locale: locales[language],
    timezoneId: "UTC",
    reducedMotion: "reduce",
  })
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin })
  const page = await context.newPage()
  page.setDefaultTimeout(5_000)
  await page.clock.setFixedTime(now)
  await page.addInitScript({
    content: `if (location.pathname !== "${between}") {
      globalThis.given = JSON.parse(sessionStorage.getItem("${givenKey}"));
      sessionStorage.clear();
      localStorage.clear();
      ${script}
    }`,
  })
  page.on("request", (request) => {
    const asked = new URL(request.url())
    if (asked.origin !== origin && !["blob:", "data:"].includes(asked.protocol))
      throw new Error(`${page.url()} asks ${request.url()}`)
  })
  page.on("pageerror", (error) => {
    throw new Error(`${page.url()}: ${error.message}`)
  })
  // It says whether a finger points or a mouse, which Playwright settles for all pages of a tab.
  return { page, pointing: await context.newCDPSession(page) }
}

/** Starts the program; the pages come from the folder of an extension built for Chromium. */
export const make = async (program: string, folder: string): Promise<Gallery> => {
  const script = await pageBrowser()
  const site = await serve(folder)
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
  const tabs = new Map<Language, ReturnType<typeof openTab>>()
  const tabOf = (language: Language): ReturnType<typeof openTab> => {
    const tab = tabs.get(language) ?? openTab(browser, site, language, script)
    tabs.set(language, tab)
    return tab
  }
  return {
    open: async (scene, look) => {
      const { page, pointing } = await tabOf(scene.language ?? "en")
      const [width, height] = scene.size ?? (scene.page === "popup" ? [380, 560] : [1_000, 800])
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ colorScheme: look, forcedColors: "none" })
      // Nothing is below the pointer of a page that was just opened.
      await page.mouse.move(-1, -1)
      const { direction, isAllowed, isProtected, isTouched = false, language, tab, world } = scene
      await pointing.send("Emulation.setTouchEmulationEnabled", { enabled: isTouched })
      await page.goto(site.origin + between)
      const given = { direction, isAllowed, isProtected, isTouched, language, tab, world } as Given
      await page.evaluate(([key, text]) => sessionStorage.setItem(key, text), [
        givenKey,
        JSON.stringify(given),
      ] as const)
      await page.goto(`${site.origin}/${scene.page}.html${scene.address ?? ""}`)
      await page.locator("h1").first().waitFor()
      await scene.act?.(page)
      return page
    },
    close: async () => {
      await browser.close()
      site.close()
    },
  }
}

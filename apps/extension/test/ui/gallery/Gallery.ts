/**
 * Opens scenes in Chromium: the pages of the built extension under their own security policy, before a background without a browser. A page
 * that asks another address than its own fails. One tab of each language shows scene after scene, so that the browser compiles a script once.
 */
import { once } from "node:events"
import { readFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { extname, join } from "node:path"
import { launch } from "puppeteer-core"
import type { Browser } from "puppeteer-core"
import { build as bundle, defaultClientConditions } from "vite"
import type { Given } from "./PageBrowser.ts"
import { now } from "./Scene.ts"
import type { Language, Scene } from "./Scene.ts"
import type { Saving } from "./Seed.ts"
import * as Visit from "./Visit.ts"

export interface Gallery {
  /** Opens a scene, in the place of the one before, and brings it into its state. */
  readonly open: (scene: Scene, look: Visit.Look) => Promise<Visit.Visit>
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

/** A module as one script. */
const scriptOf = async (name: "PageBrowser" | "Seed"): Promise<string> => {
  const made = await bundle({
    configFile: false,
    logLevel: "error",
    resolve: { conditions: ["@deedkit/source", ...defaultClientConditions] },
    build: {
      write: false,
      minify: false,
      lib: { entry: join(import.meta.dirname, `${name}.ts`), formats: ["iife"], name },
    },
  })
  const [first] = Array.isArray(made) ? made : [made]
  if (first === undefined || !("output" in first)) throw new Error(`${name} was not bundled`)
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

/** Holds the clock of a page at the present of every scene. */
const clock = `{
  const fixed = ${Date.parse(now)}
  globalThis.Date = class extends Date {
    constructor(...given) {
      super(...(given.length === 0 ? [fixed] : given))
    }
    static now() {
      return fixed
    }
  }
}`

/** A tab at the gallery's origin, whose pages take what is given to them before their own code runs. */
const openTab = async (
  browser: Browser,
  { origin }: Site,
  language: Language,
  { pageBrowser, seed }: { readonly pageBrowser: string; readonly seed: string },
) => {
  const context = await browser.createBrowserContext()
  await context.overridePermissions(origin, [
    "clipboard-read",
    "clipboard-write",
    "clipboard-sanitized-write",
  ])
  const page = await context.newPage()
  const session = await page.createCDPSession()
  const locale = locales[language]
  await page.emulateTimezone("UTC")
  await session.send("Emulation.setLocaleOverride", { locale })
  await session.send("Emulation.setUserAgentOverride", {
    userAgent: await browser.userAgent(),
    acceptLanguage: locale,
  })
  // The tab of another language may be in front of it.
  await session.send("Emulation.setFocusEmulationEnabled", { enabled: true })
  await page.evaluateOnNewDocument(`if (location.pathname !== "${between}") {
    ${clock}
    globalThis.given = JSON.parse(sessionStorage.getItem("${givenKey}"));
    sessionStorage.clear();
    localStorage.clear();
    ${pageBrowser}
  } else {
    ${seed}
  }`)
  page.on("request", (request) => {
    const asked = new URL(request.url())
    if (asked.origin !== origin && !["blob:", "data:"].includes(asked.protocol))
      throw new Error(`${page.url()} asks ${request.url()}`)
  })
  page.on("pageerror", (error) => {
    throw new Error(`${page.url()}: ${String(error)}`)
  })
  return { page, session, visit: Visit.make(page, session) }
}

/** Starts the program; the pages come from the folder of an extension built for Chromium. */
export const make = async (program: string, folder: string): Promise<Gallery> => {
  const scripts = { pageBrowser: await scriptOf("PageBrowser"), seed: await scriptOf("Seed") }
  const site = await serve(folder)
  const browser = await launch({
    browser: "chrome",
    executablePath: program,
    defaultViewport: null,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      // Chromium keeps no page of an extension for the way back. Kept pages of this origin would: their workers, halted while they open a database, block it for all others.
      "--disable-features=BackForwardCache",
      "--force-color-profile=srgb",
      "--font-render-hinting=none",
      "--disable-lcd-text",
      "--disable-font-subpixel-positioning",
    ],
  })
  const tabs = new Map<Language, ReturnType<typeof openTab>>()
  const tabOf = (language: Language): ReturnType<typeof openTab> => {
    const tab = tabs.get(language) ?? openTab(browser, site, language, scripts)
    tabs.set(language, tab)
    return tab
  }
  return {
    open: async (scene, look) => {
      const { page, session, visit } = await tabOf(scene.language ?? "en")
      const [width, height] = scene.size ?? (scene.page === "popup" ? [380, 560] : [1_000, 800])
      const {
        cards,
        links,
        direction,
        isAllowed,
        isProtected,
        isTouched = false,
        language,
        tab,
        world,
      } = scene
      // The window of a phone is as large as its screen.
      const [screenWidth, screenHeight] = isTouched ? [width, height] : [1_920, 1_080]
      const metrics = { width, height, screenWidth, screenHeight, deviceScaleFactor: 1, mobile: false }
      await session.send("Emulation.setDeviceMetricsOverride", metrics)
      await session.send("Emulation.setTouchEmulationEnabled", { enabled: isTouched })
      await visit.setLook(look)
      // Nothing is below the pointer of a page that was just opened.
      await page.mouse.move(-1, -1)
      await page.goto(site.origin + between)
      const given = {
        cards,
        links,
        direction,
        isAllowed,
        isProtected,
        isTouched,
        language,
        tab,
        world,
      } as Given
      await visit.evaluate((key, text) => sessionStorage.setItem(key, text), givenKey, JSON.stringify(given))
      // The export has a worker of its own, which finds nothing saved.
      await visit.evaluate(
        (saved) => {
          const { saving } = globalThis as unknown as { readonly saving: Saving }
          return saved === null ? saving.clear() : saving.seed(saved)
        },
        ["export", "welcome"].includes(scene.page) ? null : world,
      )
      await page.goto(`${site.origin}/${scene.page}.html${scene.address ?? ""}`)
      await visit.sees("h1")
      await scene.act?.(visit)
      return visit
    },
    close: async () => {
      await browser.close()
      site.close()
    },
  }
}

/** Drives Firefox by WebDriver BiDi. What BiDi has no command for is done in the browser's own context. */
import { launch as start } from "puppeteer-core"
import type { Page } from "puppeteer-core"
import { until, visible } from "./Driver.ts"
import type { Driver, LaunchOptions } from "./Driver.ts"
import * as FirefoxOutside from "./FirefoxOutside.ts"
import * as PuppeteerDriver from "./PuppeteerDriver.ts"

export const programs = ["firefox-esr", "firefox"] as const

/** Values of the preference `network.proxy.type`. */
const noProxy = 0
const deadProxy = 1

/** Beside the preferences that Puppeteer sets for a browser that fetches nothing by itself. */
const preferences = {
  // A permission that is asked for after a click is given.
  "extensions.webextOptionalPermissionPrompts": false,
  // The browser's own question whether data may be stored for good is answered with yes.
  "dom.storageManager.prompt.testing": true,
  "dom.storageManager.prompt.testing.allow": true,
  // An offline browser still reaches loopback, where the tests' service listens; a proxy where nothing listens sees to that.
  "network.proxy.allow_hijacking_localhost": true,
  "network.proxy.http": "127.0.0.1",
  "network.proxy.http_port": 1,
  "network.proxy.type": noProxy,
}

/** The connection that Puppeteer speaks BiDi over. It is not in Puppeteer's types. */
interface Connected {
  readonly connection: {
    readonly send: (method: string, params: object) => Promise<{ readonly result: unknown }>
    readonly emit: (event: string, params: object) => void
  }
}

/** A tab as BiDi describes it, with the id that Puppeteer's main frame has. */
interface Context {
  readonly context: string
  readonly url: string
}

const contextOf = (page: Page): string => (page.mainFrame() as unknown as { readonly _id: string })._id

type Evaluated =
  | { readonly type: "success"; readonly result: { readonly value?: unknown } }
  | { readonly type: "exception"; readonly exceptionDetails: { readonly text: string } }

/** Reads the accessibility tree of the tab in front. There is none until the service, which begins with the first question, has met the page. */
const readNames = `(() => {
  const service = Cc["@mozilla.org/accessibilityService;1"].getService(Ci.nsIAccessibilityService)
  const names = []
  const read = (accessible) => {
    if (accessible === null) return
    names.push(accessible.name ?? "")
    for (let at = 0; at < accessible.childCount; at++) read(accessible.getChildAt(at))
  }
  read(service.getAccessibleFor(gBrowser.selectedBrowser))
  return names
})()`

/** Without a window there is nowhere to show a notification, and Firefox would end each at once: here it is shown as long as it is not taken away. */
const keepNotifications = `(() => {
  const service = {
    QueryInterface: ChromeUtils.generateQI(["nsIAlertsService"]),
    showAlert() {},
    closeAlert() {},
  }
  const factory = {
    QueryInterface: ChromeUtils.generateQI(["nsIFactory"]),
    createInstance: (id) => service.QueryInterface(id),
  }
  const registrar = Components.manager.QueryInterface(Ci.nsIComponentRegistrar)
  registrar.registerFactory(Services.uuid.generateUUID(), "alerts", "@mozilla.org/alerts-service;1", factory)
})()`

export const launch = async (program: string, options: LaunchOptions): Promise<Driver> => {
  const { endsOnInterrupt = true, isVisible = false, profile } = options
  const browser = await start({
    browser: "firefox",
    executablePath: program,
    headless: !isVisible,
    handleSIGINT: endsOnInterrupt,
    userDataDir: profile,
    defaultViewport: isVisible ? null : { width: 1280, height: 800 },
    // Else Firefox refuses pages of extensions to a client that drives it.
    args: ["--remote-allow-system-access", "--width=1280", "--height=800"],
    extraPrefsFirefox: preferences,
  })
  const { connection } = browser as unknown as Connected
  const tree = async (scope: object): Promise<ReadonlyArray<Context>> =>
    ((await connection.send("browsingContext.getTree", scope)).result as { contexts: ReadonlyArray<Context> })
      .contexts
  /**
   * Puppeteer's own list lacks the address of an extension's page, keeps such pages when they are closed, and misses a tab whose navigation
   * begins before Firefox has told of it: then Firefox does not tell of it at all, and Puppeteer is told here.
   */
  const tabs: PuppeteerDriver.Own["tabs"] = async () => {
    const contexts = await tree({ maxDepth: 0 })
    const known = new Set((await browser.pages()).map(contextOf))
    for (const context of contexts)
      // Of a tab that has gone nowhere yet, Firefox may still tell.
      if (context.url !== "about:blank" && !known.has(context.context))
        connection.emit("browsingContext.contextCreated", context)
    const pages = new Map((await browser.pages()).map((page) => [contextOf(page), page]))
    return contexts.flatMap(({ context, url }) => {
      const page = pages.get(context)
      return page === undefined ? [] : [{ page, address: url }]
    })
  }
  /** Evaluates an expression in the browser's own window, with its services at hand. */
  const run = async (expression: string): Promise<unknown> => {
    const contexts = await tree({ "moz:scope": "chrome" })
    const { result } = await connection.send("script.evaluate", {
      expression: `(async () => JSON.stringify(await ${expression}))()`,
      awaitPromise: true,
      target: { context: contexts[0]!.context },
    })
    const answer = result as Evaluated
    if (answer.type === "exception") throw new Error(`in the browser: ${answer.exceptionDetails.text}`)
    const { value } = answer.result
    return typeof value === "string" ? JSON.parse(value) : undefined
  }
  await run(keepNotifications)
  let id = ""
  /** An expression for the extension in the browser's own context. */
  const extension = () => `WebExtensionPolicy.getByID(${JSON.stringify(id)}).extension`
  const goTo = async (page: Page, url: string): Promise<void> => {
    if (!url.startsWith("moz-extension:")) return void (await page.goto(url))
    // The load event of an extension's page is lost when the tab changes its process: the address and the document are looked at instead.
    await page.goto(url, { waitUntil: [] })
    await until(
      `the page at ${url}`,
      () =>
        page
          .evaluate(() => [location.href, document.readyState] as const)
          .catch(() => ["about:blank", ""] as const),
      ([href, state]) => state === "complete" && new URL(href).pathname === new URL(url).pathname,
    )
  }
  return PuppeteerDriver.make({
    name: "Firefox",
    browser,
    installed: async (given) => {
      id = given
      return `moz-extension://${String(await run(`WebExtensionPolicy.getByID(${JSON.stringify(id)}).mozExtensionHostname`))}`
    },
    tab: (page) => ({
      goTo: (url) => goTo(page, url),
      readOut: async () => {
        await page.bringToFront()
        return ((await run(readNames)) as ReadonlyArray<string>).map(visible)
      },
      setMedium: async (medium) => {
        await page.bringToFront()
        const override = JSON.stringify(medium === "screen" ? "" : medium)
        await run(`(gBrowser.selectedBrowser.browsingContext.mediumOverride = ${override})`)
      },
      setScheme: async (scheme) => {
        await page.bringToFront()
        await page.evaluate(
          (chosen) => document.documentElement.style.setProperty("color-scheme", chosen),
          scheme,
        )
      },
      slowDown: () => Promise.reject(new Error("Firefox cannot slow its processor down")),
      use: () => Promise.reject(new Error("Firefox does not say what a page uses")),
    }),
    tabs,
    outside: FirefoxOutside.make(run, extension),
    killBackground: async () =>
      void (await run(`${extension()}.terminateBackground({ ignoreDevToolsAttached: true })`)),
    setOffline: async (isOffline) => {
      const proxy = `Services.prefs.setIntPref("network.proxy.type", ${isOffline ? deadProxy : noProxy})`
      // At once, because the extension asks as soon as it hears that it is online.
      await run(`(${proxy}, Services.io.offline = ${isOffline})`)
    },
  })
}

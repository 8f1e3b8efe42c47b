/**
 * Drives Chromium by its own protocol. The extension is loaded from its folder at the start; the background is a service worker, which is
 * stopped by closing its target.
 */
import { cp, rm } from "node:fs/promises"
import { chromium } from "playwright-core"
import type { BrowserContext, CDPSession, Page } from "playwright-core"
import * as ChromiumOutside from "./ChromiumOutside.ts"
import { evaluateBy, until, visible } from "./Driver.ts"
import type { Driver, LaunchOptions, Tab } from "./Driver.ts"

type Role = Parameters<Page["getByRole"]>[0]

/** Where Debian, Ubuntu and Google put it. */
export const programs = ["chromium", "chromium-browser", "google-chrome"] as const

const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--lang=en",
  // Else Chromium takes no other extension in place of the one that it was started with.
  "--enable-unsafe-extension-debugging",
]

const makeTab = (page: Page): Tab => {
  const find = (role: string, name: string) => page.getByRole(role as Role, { name, exact: true })
  const run: Tab["run"] = async (expression) => {
    const answer = await page.evaluate<string | undefined>(
      `(async () => JSON.stringify(await ${expression}))()`,
    )
    return answer === undefined ? undefined : JSON.parse(answer)
  }
  return {
    goTo: async (url) => void (await page.goto(url)),
    run,
    evaluate: evaluateBy(run),
    click: (role, name) => find(role, name).click(),
    fill: (label, text) => page.getByLabel(label, { exact: true }).fill(text),
    has: async (role, name) => (await find(role, name).count()) > 0,
    press: (key) => page.keyboard.press(key),
    point: (x, y) => page.mouse.move(x, y),
    drag: async (from, to) => {
      await page.mouse.move(...from)
      await page.mouse.down()
      await page.mouse.move(...to, { steps: 5 })
      await page.mouse.up()
    },
    readOut: async () => {
      const session = await page.context().newCDPSession(page)
      const { nodes } = await session.send("Accessibility.getFullAXTree")
      await session.detach()
      return nodes.flatMap(({ ignored, name }) => (ignored ? [] : [visible(String(name?.value ?? ""))]))
    },
    setMedium: (media) => page.emulateMedia({ media }),
    resize: (width, height) => page.setViewportSize({ width, height }),
    setScheme: (colorScheme) => page.emulateMedia({ colorScheme }),
    screenshot: () => page.screenshot(),
    close: () => page.close(),
  }
}

/** The address of the extension's background; its host is the extension's id. */
const workerUrl = async (context: BrowserContext): Promise<string> => {
  const [known] = context.serviceWorkers()
  return (known ?? (await context.waitForEvent("serviceworker"))).url()
}

interface TargetInfo {
  readonly targetId: string
  readonly type: string
  readonly url: string
}

export const launch = async (program: string, options: LaunchOptions): Promise<Driver> => {
  const { extension, isVisible = false, profile } = options
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: program,
    headless: !isVisible,
    // Who tries it by hand ends it by hand, and tidies up after that.
    handleSIGINT: !isVisible,
    viewport: isVisible ? null : { width: 1280, height: 800 },
    args: [...args, `--disable-extensions-except=${extension}`, `--load-extension=${extension}`],
  })
  context.setDefaultTimeout(30_000)
  // `URL` gives no origin for the scheme of extensions.
  const origin = `chrome-extension://${new URL(await workerUrl(context)).host}`
  const browser = context.browser()
  if (browser === null) throw new Error("Chromium gives no session of the browser itself")
  const session: CDPSession = await browser.newBrowserCDPSession()
  const workers = async (): Promise<ReadonlyArray<TargetInfo>> => {
    const { targetInfos } = await session.send("Target.getTargets")
    return targetInfos.filter(({ type, url }) => type === "service_worker" && url.startsWith(origin))
  }
  /**
   * The background's lives, as a page of the extension is told of them: each start has another id. The worker's target keeps its own, and
   * what the pages say may wake the next life before anyone has looked.
   */
  const lives = async (): Promise<ReadonlyArray<string>> => {
    const page = context.pages().find((one) => one.url().startsWith(origin))
    if (page === undefined) throw new Error("no page of the extension is open to tell of its background")
    return page.evaluate<ReadonlyArray<string>>(
      `chrome.runtime.getContexts({ contextTypes: ["BACKGROUND"] }).then((all) => all.map(({ contextId }) => contextId))`,
    )
  }
  return {
    name: "Chromium",
    origin,
    open: async (url) => {
      const page = await context.newPage()
      await page.goto(url)
      return makeTab(page)
    },
    tabAt: async (beginning) => {
      const find = async () => context.pages().find((page) => page.url().startsWith(beginning))
      const page = await until(`a tab at ${beginning}`, find, (found) => found !== undefined)
      await page!.bringToFront()
      return makeTab(page!)
    },
    outside: ChromiumOutside.make(() => {
      const worker = context.serviceWorkers().at(-1)
      if (worker === undefined) throw new Error("the background is not awake")
      return worker
    }),
    killBackground: async () => {
      const before = await lives()
      for (const { targetId } of await workers()) await session.send("Target.closeTarget", { targetId })
      const isLeft = async () => (await lives()).some((life) => before.includes(life))
      await until("the background to stop", isLeft, (left) => !left)
    },
    update: async (newer) => {
      await rm(extension, { recursive: true })
      await cp(newer, extension, { recursive: true })
      await session.send("Extensions.loadUnpacked", { path: extension })
    },
    setOffline: async (isOffline) => {
      await context.setOffline(isOffline)
      // A worker's `navigator.onLine` follows the emulation, and its event does not come.
      for (const worker of context.serviceWorkers()) {
        await worker.evaluate((name) => void dispatchEvent(new Event(name)), isOffline ? "offline" : "online")
      }
    },
    gone: new Promise((resolve) => context.once("close", () => resolve())),
    close: () => context.close(),
  }
}

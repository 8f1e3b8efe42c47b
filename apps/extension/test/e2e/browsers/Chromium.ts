/** Drives Chromium by its own protocol. The background is a service worker, which is stopped by closing its target. */
import { cp, rm } from "node:fs/promises"
import { launch as start, TargetType } from "puppeteer-core"
import type { Target, WebWorker } from "puppeteer-core"
import * as ChromiumOutside from "./ChromiumOutside.ts"
import { until, visible } from "./Driver.ts"
import type { Driver, LaunchOptions } from "./Driver.ts"
import * as PuppeteerDriver from "./PuppeteerDriver.ts"

/** Where Debian, Ubuntu and Google put it. */
export const programs = ["chromium", "chromium-browser", "google-chrome"] as const

export const launch = async (program: string, options: LaunchOptions): Promise<Driver> => {
  const { isVisible = false, profile } = options
  const browser = await start({
    browser: "chrome",
    executablePath: program,
    headless: !isVisible,
    // Ctrl-C ends the program that opened the window, which closes the browser.
    handleSIGINT: !isVisible,
    userDataDir: profile,
    // Chromium installs unpacked extensions at run time only for a client at the pipe.
    pipe: true,
    enableExtensions: true,
    defaultViewport: isVisible ? null : { width: 1280, height: 800 },
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--lang=en",
    ],
  })
  let origin = ""
  const isWorker = (target: Target) =>
    target.type() === TargetType.SERVICE_WORKER && target.url().startsWith(origin)
  const worker = async (): Promise<WebWorker> => {
    const target = await browser.waitForTarget(isWorker, { timeout: 10_000 })
    const found = await target.worker()
    if (found === null) throw new Error("the background has no worker")
    return found
  }
  const session = await browser.target().createCDPSession()
  const workers = async () => {
    const { targetInfos } = await session.send("Target.getTargets")
    return targetInfos.filter(({ type, url }) => type === "service_worker" && url.startsWith(origin))
  }
  /**
   * The background's lives, as a page of the extension is told of them: each start has another id. The worker's target keeps its own, and
   * a message of a page can start the next life before anyone has looked.
   */
  const lives = async (): Promise<ReadonlyArray<string>> => {
    const page = (await browser.pages()).find((one) => one.url().startsWith(origin))
    if (page === undefined) throw new Error("no page of the extension is open to tell of its background")
    return (await page.evaluate(
      `chrome.runtime.getContexts({ contextTypes: ["BACKGROUND"] }).then((all) => all.map(({ contextId }) => contextId))`,
    )) as ReadonlyArray<string>
  }
  return PuppeteerDriver.make({
    name: "Chromium",
    browser,
    installed: async (id) => {
      origin = `chrome-extension://${id}`
      return origin
    },
    tab: (page) => ({
      goTo: async (url) => void (await page.goto(url)),
      readOut: async () => {
        const session = await page.createCDPSession()
        const { nodes } = await session.send("Accessibility.getFullAXTree")
        await session.detach()
        return nodes.flatMap(({ ignored, name }) => (ignored ? [] : [visible(String(name?.value ?? ""))]))
      },
      setMedium: (medium) => page.emulateMediaType(medium),
      setScheme: (value) => page.emulateMediaFeatures([{ name: "prefers-color-scheme", value }]),
    }),
    outside: ChromiumOutside.make(worker),
    killBackground: async () => {
      const before = await lives()
      for (const { targetId } of await workers()) await session.send("Target.closeTarget", { targetId })
      const isLeft = async () => (await lives()).some((life) => before.includes(life))
      await until("the background to stop", isLeft, (left) => !left)
    },
    update: async (newer, installed) => {
      await rm(installed, { recursive: true })
      await cp(newer, installed, { recursive: true })
      await browser.installExtension(installed)
    },
    setOffline: async (isOffline) => {
      for (const page of await browser.pages()) await page.setOfflineMode(isOffline)
      const background = await worker()
      const throughput = isOffline ? 0 : -1
      await background.client.send("Network.enable")
      await background.client.send("Network.emulateNetworkConditions", {
        offline: isOffline,
        latency: 0,
        downloadThroughput: throughput,
        uploadThroughput: throughput,
      })
      // A worker's `navigator.onLine` follows the emulation, and its event does not come.
      await background.evaluate(
        (name) => void dispatchEvent(new Event(name)),
        isOffline ? "offline" : "online",
      )
    },
  })
}

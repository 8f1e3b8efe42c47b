/** Drives Chromium by its own protocol. The background is a service worker, which is stopped by closing its target. */
import { launch as start, TargetType } from "puppeteer-core"
import type { CDPSession, Page, Target } from "puppeteer-core"
import * as ChromiumOutside from "./ChromiumOutside.ts"
import { evaluateBy, until, visible } from "./Driver.ts"
import type { Driver, LaunchOptions, Tab } from "./Driver.ts"
import * as PuppeteerDriver from "./PuppeteerDriver.ts"

/** Where Debian, Ubuntu and Google put it. */
export const programs = ["chromium", "chromium-browser", "google-chrome"] as const

export const launch = async (program: string, options: LaunchOptions): Promise<Driver> => {
  const { endsOnInterrupt = true, isVisible = false, profile } = options
  const browser = await start({
    browser: "chrome",
    executablePath: program,
    headless: !isVisible,
    handleSIGINT: endsOnInterrupt,
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
  const session = await browser.target().createCDPSession()
  const workers = async () => {
    const { targetInfos } = await session.send("Target.getTargets")
    return targetInfos.filter(({ type, url }) => type === "service_worker" && url.startsWith(origin))
  }
  /** The open pages. One that has only just come has no frame yet, and no address. */
  const tabs = async () =>
    (await browser.pages()).flatMap((page) => {
      try {
        return [{ page, address: page.url() }]
      } catch {
        return []
      }
    })
  /** A page of the extension, for what only such a page may ask. */
  const ownPage = async (): Promise<Page> => {
    const own = (await tabs()).find(({ address }) => address.startsWith(origin))
    if (own === undefined) throw new Error("no page of the extension is open")
    return own.page
  }
  /**
   * The background's lives, as a page of the extension is told of them: each start has another id. The worker's target keeps its own, and
   * a message of a page can start the next life before anyone has looked.
   */
  const lives = async (): Promise<ReadonlyArray<string>> =>
    (await (
      await ownPage()
    ).evaluate(
      `chrome.runtime.getContexts({ contextTypes: ["BACKGROUND"] }).then((all) => all.map(({ contextId }) => contextId))`,
    )) as ReadonlyArray<string>
  /** A session with the background, which is woken for it: a stopped one answers nothing. */
  const attach = async (): Promise<CDPSession> => {
    await (await ownPage()).evaluate("void chrome.runtime.sendMessage({}).catch(() => {})")
    const target = await browser.waitForTarget(isWorker, { timeout: 10_000 })
    return target.createCDPSession()
  }
  const runIn = async (background: CDPSession, expression: string): Promise<unknown> => {
    const { exceptionDetails, result } = await background.send("Runtime.evaluate", {
      expression: `(async () => JSON.stringify(await ${expression}))()`,
      awaitPromise: true,
    })
    if (exceptionDetails !== undefined) throw new Error(`in the background: ${exceptionDetails.text}`)
    return typeof result.value === "string" ? JSON.parse(result.value) : undefined
  }
  /** Evaluates an expression in the background. */
  const run: Tab["run"] = async (expression) => {
    const background = await attach()
    try {
      return await runIn(background, expression)
    } finally {
      await background.detach()
    }
  }
  /** Starts the next life of a background with a session, which waits for the session's word as soon as there is a life to wait. */
  const restart = async (held: CDPSession): Promise<void> => {
    let isUp = false
    const answered = (await ownPage()).evaluate("chrome.runtime.sendMessage({}).catch(() => {})")
    void answered.then(() => (isUp = true))
    const release = async () => {
      void held.send("Runtime.runIfWaitingForDebugger").catch(() => {})
      return isUp
    }
    await until("the background to start", release, Boolean)
  }
  /** Holds the background offline for as long as it is open. */
  let offline: CDPSession | null = null
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
      slowDown: (times) => page.emulateCPUThrottling(times),
      use: async () => {
        const session = await page.createCDPSession()
        await session.send("HeapProfiler.collectGarbage")
        await session.detach()
        const { JSHeapUsedSize: bytes = NaN, TaskDuration: seconds = NaN } = await page.metrics()
        return { millis: 1_000 * seconds, bytes }
      },
    }),
    tabs,
    outside: ChromiumOutside.make(evaluateBy(run)),
    killBackground: async () => {
      const before = await lives()
      for (const { targetId } of await workers()) await session.send("Target.closeTarget", { targetId })
      const isLeft = async () => (await lives()).some((life) => before.includes(life))
      await until("the background to stop", isLeft, (left) => !left)
      if (offline !== null) await restart(offline)
    },
    setOffline: async (isOffline) => {
      for (const page of await browser.pages()) await page.setOfflineMode(isOffline)
      offline ??= await attach()
      const throughput = isOffline ? 0 : -1
      await offline.send("Network.enable")
      await offline.send("Network.emulateNetworkConditions", {
        offline: isOffline,
        latency: 0,
        downloadThroughput: throughput,
        uploadThroughput: throughput,
      })
      // A worker's `navigator.onLine` follows the emulation, and its event does not come.
      await runIn(offline, `void dispatchEvent(new Event("${isOffline ? "offline" : "online"}"))`)
      if (isOffline) return
      await offline.detach()
      offline = null
    },
  })
}

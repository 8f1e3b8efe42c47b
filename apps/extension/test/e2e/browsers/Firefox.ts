/**
 * Drives Firefox by WebDriver BiDi, which it speaks itself. The extension is installed for the session; its id of the session is chosen
 * here, so that the address of its pages is known. What BiDi has no word for is done in the browser's own context.
 */
import { spawn } from "node:child_process"
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as Bidi from "./Bidi.ts"
import { until } from "./Driver.ts"
import type { Driver, LaunchOptions } from "./Driver.ts"
import * as FirefoxOutside from "./FirefoxOutside.ts"
import { make as makeTab, run } from "./FirefoxTab.ts"

export const programs = ["firefox-esr", "firefox"] as const

const uuid = "6f3a1b62-8f0e-4a57-9a3b-2d5e1c7b9f04"

/** Values of the preference `network.proxy.type`. */
const noProxy = 0
const deadProxy = 1

/** A quiet browser: nothing is fetched that no test asks for, and a permission that is asked for after a click is given. */
const preferences = (id: string): { readonly [name: string]: string | number | boolean } => ({
  "extensions.webextensions.uuids": JSON.stringify({ [id]: uuid }),
  "extensions.webextOptionalPermissionPrompts": false,
  "extensions.update.enabled": false,
  "extensions.getAddons.cache.enabled": false,
  "app.update.auto": false,
  "browser.aboutConfig.showWarning": false,
  "browser.newtabpage.enabled": false,
  "browser.safebrowsing.malware.enabled": false,
  "browser.safebrowsing.phishing.enabled": false,
  "browser.safebrowsing.update.enabled": false,
  "browser.shell.checkDefaultBrowser": false,
  "browser.startup.homepage_override.mstone": "ignore",
  "browser.startup.page": 0,
  "datareporting.policy.dataSubmissionEnabled": false,
  // Its own question whether data may be stored for good is answered with yes.
  "dom.storageManager.prompt.testing": true,
  "dom.storageManager.prompt.testing.allow": true,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  // An offline browser still reaches loopback, where the tests' service listens; a proxy where nothing listens sees to that.
  "network.proxy.allow_hijacking_localhost": true,
  "network.proxy.http": "127.0.0.1",
  "network.proxy.http_port": 1,
  "network.proxy.type": noProxy,
  "services.settings.server": "data:,",
  "toolkit.telemetry.enabled": false,
})

const listening = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let said = ""
    child.stderr?.on("data", (text) => {
      said += String(text)
      const [, address] = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(said) ?? []
      if (address !== undefined) resolve(address)
    })
    child.once("exit", (code) => reject(new Error(`Firefox ended with ${code}:\n${said}`)))
  })

interface Contexts {
  readonly contexts: ReadonlyArray<{ readonly context: string; readonly url: string }>
}

export const launch = async (program: string, options: LaunchOptions): Promise<Driver> => {
  const { extension, isVisible = false, profile } = options
  const manifest = JSON.parse(await readFile(join(extension, "manifest.json"), "utf8"))
  const id: string = manifest.browser_specific_settings.gecko.id
  const lines = Object.entries(preferences(id)).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  )
  await writeFile(join(profile, "user.js"), lines.join("\n"))
  const child = spawn(
    program,
    [
      ...(isVisible ? [] : ["--headless"]),
      "--no-remote",
      "--profile",
      profile,
      "--remote-debugging-port=0",
      // Else Firefox refuses to show pages of extensions to whoever drives it.
      "--remote-allow-system-access",
      "--width=1280",
      "--height=800",
      "about:blank",
    ],
    { stdio: ["ignore", "ignore", "pipe"] },
  )
  const exited = once(child, "exit")
  const bidi = await Bidi.connect(`${await listening(child)}/session`)
  const install = (path: string) =>
    bidi.send("webExtension.install", { extensionData: { type: "path", path } })
  await install(extension)

  /** Evaluates an expression in the browser's own context, with its services at hand. */
  const runInBrowser = async (expression: string): Promise<unknown> => {
    const { contexts } = await bidi.send<Contexts>("browsingContext.getTree", { "moz:scope": "chrome" })
    return run(bidi, contexts[0]!.context, expression)
  }
  /** The extension in the browser's own context. */
  const inBrowser = `WebExtensionPolicy.getByID(${JSON.stringify(id)}).extension`
  const tabs = async () => (await bidi.send<Contexts>("browsingContext.getTree", { maxDepth: 0 })).contexts
  return {
    name: "Firefox",
    origin: `moz-extension://${uuid}`,
    open: async (url) => {
      const { context } = await bidi.send<{ context: string }>("browsingContext.create", { type: "tab" })
      const tab = makeTab(bidi, context)
      await tab.goTo(url)
      return tab
    },
    tabAt: async (beginning) => {
      const find = async () => (await tabs()).find(({ url }) => url.startsWith(beginning))
      const found = await until(`a tab at ${beginning}`, find, (tab) => tab !== undefined)
      const { context } = found!
      await bidi.send("browsingContext.activate", { context })
      return makeTab(bidi, context)
    },
    outside: FirefoxOutside.make(runInBrowser, inBrowser),
    killBackground: async () => {
      await runInBrowser(`${inBrowser}.terminateBackground({ ignoreDevToolsAttached: true })`)
    },
    update: async (newer) => void (await install(newer)),
    setOffline: async (isOffline) => {
      await runInBrowser(`(Services.io.offline = ${isOffline})`)
      await runInBrowser(
        `Services.prefs.setIntPref("network.proxy.type", ${isOffline ? deadProxy : noProxy})`,
      )
    },
    gone: exited.then(() => {}),
    close: async () => {
      bidi.close()
      child.kill()
      await exited
    },
  }
}

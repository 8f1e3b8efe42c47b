/**
 * Connects the background to the browser. Every listener is added before the first turn of the event loop, so that a background that the browser
 * wakes misses no event.
 */
import { browser } from "wxt/browser"
import { defineBackground } from "wxt/utils/define-background"
import * as Background from "../background/Background.ts"
import * as Platform from "../background/Platform.ts"
import * as BrowserUi from "../browser-ui/Attach.ts"
import * as Shell from "../browser-ui/Shell.ts"
import * as Toolbar from "../browser-ui/Toolbar.ts"
import * as Database from "../index/Database.ts"

export default defineBackground(() => {
  const shell = Shell.ofBrowser()
  const toolbar = Toolbar.make(shell)
  const platform = Platform.ofBrowser(toolbar.show)
  const background = Background.make({ platform, databaseOf: Database.each() })

  browser.runtime.onMessage.addListener((message: unknown, sender, sendResponse) => {
    const answer = background.onMessage(message, sender)
    if (answer === null) return false
    answer.then(sendResponse, () => sendResponse())
    return true
  })
  browser.runtime.onConnect.addListener((port) => background.onConnect(port))
  browser.runtime.onInstalled.addListener(({ reason }) => void background.onInstalled(reason))
  browser.runtime.onStartup.addListener(() => void background.onStartup())
  browser.alarms.onAlarm.addListener(({ name }) => void background.onAlarm(name))
  browser.permissions.onAdded.addListener(() => void background.onGrantsChanged())
  browser.permissions.onRemoved.addListener(() => void background.onGrantsChanged())
  browser.tabs.onRemoved.addListener((tabId) => void background.onTabRemoved(tabId))
  globalThis.addEventListener("online", () => void background.onOnline())
  BrowserUi.attach({ background, platform, shell, toolbar })
  void background.onWake()
})

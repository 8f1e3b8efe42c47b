/**
 * The browser itself as the background's platform. The only file of the background that calls `browser`, next to the listeners of the
 * entry point.
 */
import { browser } from "wxt/browser"
import type { Browser } from "wxt/browser"
import type { ListingNotice } from "../messages/ListingMessage.ts"
import type { Alarm, Service } from "./Platform.ts"

/** There is only one notification; a later one replaces it. */
export const notificationId = "watched"

const contentScript = "/listing.js"

/** Ignores a result, such as the failure of a tab that is gone or has no listener. */
const ignored = (): void => {}

/** `setCount` shows a tab's contracts on the toolbar. */
export const make = (setCount: Service["tabs"]["setCount"]): Service => ({
  self: { id: browser.runtime.id, origin: browser.runtime.getURL("").replace(/\/$/, "") },
  allowsLoopback: import.meta.env.MODE === "e2e" || import.meta.env.MODE === "development",
  isOnline: () => navigator.onLine,
  text: (name, ...values) => browser.i18n.getMessage(name, values),
  fetch: (request) => fetch(request, { cache: "no-store", referrerPolicy: "no-referrer" }),
  isGranted: (pattern) => browser.permissions.contains({ origins: [pattern] }),
  grants: async () => (await browser.permissions.getAll()).origins ?? [],
  release: (given) => browser.permissions.remove(given).then(ignored, ignored),
  scripts: {
    registered: async () =>
      (await browser.scripting.getRegisteredContentScripts()).map(
        ({ id, matches }: Browser.scripting.RegisteredContentScript) => ({ id, pattern: matches?.[0] ?? "" }),
      ),
    register: ({ id, pattern }) =>
      browser.scripting.registerContentScripts([
        { id, matches: [pattern], js: [contentScript], runAt: "document_idle", persistAcrossSessions: true },
      ]),
    unregister: (ids) => browser.scripting.unregisterContentScripts({ ids }),
    run: (tabId, name = "listing") =>
      browser.scripting.executeScript({ target: { tabId }, files: [`/${name}.js`] }).then(
        () => true,
        () => false,
      ),
  },
  tabs: {
    showing: async (pattern) => idsOf(await browser.tabs.query({ url: pattern })),
    all: async () => idsOf(await browser.tabs.query({})),
    send: (tabIds, notice: ListingNotice) => {
      for (const tabId of tabIds) browser.tabs.sendMessage(tabId, notice).then(ignored, ignored)
    },
    open: async (page) => {
      await browser.tabs.create({ url: browser.runtime.getURL(page) })
    },
    setCount,
  },
  alarms: {
    get: async (name) => {
      const alarm = await browser.alarms.get(name)
      return alarm === undefined ? null : alarmOf(alarm.scheduledTime, alarm.periodInMinutes)
    },
    set: async (name, { at, everyMinutes }) => {
      await browser.alarms.create(name, {
        when: at,
        ...(everyMinutes === undefined ? {} : { periodInMinutes: everyMinutes }),
      })
    },
    clear: async (name) => {
      await browser.alarms.clear(name)
    },
  },
  session: {
    get: async (key) => (await browser.storage.session.get(key))[key],
    set: (key, value) => browser.storage.session.set({ [key]: value }),
    remove: (key) => browser.storage.session.remove(key),
    clear: () => browser.storage.session.clear(),
  },
  notify: async (count) => {
    if (count === 0) return
    try {
      await browser.notifications?.create(notificationId, {
        type: "basic",
        iconUrl: "/icon/128.png",
        title: "Deedkit",
        message: browser.i18n.getMessage("watchedChanged", String(count)),
      })
    } catch {
      // The permission was revoked at this moment, or the system shows no notifications: the toolbar still shows the change.
    }
  },
  stayAwake: () => browser.runtime.getPlatformInfo().then(ignored, ignored),
})

const idsOf = (tabs: ReadonlyArray<Browser.tabs.Tab>): ReadonlyArray<number> =>
  tabs.flatMap(({ id }) => (id === undefined ? [] : [id]))

const alarmOf = (at: number, everyMinutes: number | undefined): Alarm =>
  everyMinutes === undefined ? { at } : { at, everyMinutes }

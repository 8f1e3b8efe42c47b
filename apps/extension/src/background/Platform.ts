/**
 * What the background gets from outside, as services that tests can replace: the browser, the databases of the accounts, and notices that something in
 * them has changed. The only file of the background that calls `browser`, next to the listeners of the entry point, so that every permission is used in
 * one place. Patterns are match patterns of one origin. Nothing here rejects only because something does not exist. A failure of the browser's own
 * storage is a defect: nothing that a user set can cause it, and nothing here can fix it.
 */
import type { Transport } from "@deedkit/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { browser } from "wxt/browser"
import type { ExtensionPage, MessageName } from "../BrowserNames.ts"
import { actionError } from "../failures/ActionFailure.ts"
import type { ActionReason } from "../failures/ActionFailure.ts"
import type { Database } from "../index/Database.ts"
import type { ListingNotice } from "../messages/ListingMessage.ts"
import type { Self } from "../messages/Sender.ts"

export interface Script {
  readonly id: string
  readonly pattern: string
}

/**
 * `sync` starts a sync at the chosen interval; `head` reads the first page, if that is enough; `resume` resumes a sync that waits, or whose
 * background was stopped; `recover` checks whether a service that failed answers again.
 */
type AlarmName = "sync" | "head" | "resume" | "recover"

export interface Alarm {
  /** Epoch milliseconds of the first time. */
  readonly at: number
  /** Minutes between further times; absent for one time only. */
  readonly everyMinutes?: number
}

/** There is only one notification; a later one replaces it. */
export const notificationId = "watched"

/** Ignores a result, such as the failure of a tab that is gone or has no listener. */
const ignored = (): void => {}

const tabsOf = async (query: { readonly url?: string }): Promise<ReadonlyArray<number>> =>
  (await browser.tabs.query(query)).flatMap(({ id }) => (id === undefined ? [] : [id]))

/** The browser itself. `setCount` sets the text on the toolbar's button while a tab is shown; empty for none. */
export const ofBrowser = (setCount: (tabId: number, text: string) => Promise<void>) => ({
  self: { id: browser.runtime.id, origin: browser.runtime.getURL("").replace(/\/$/, "") } as Self,
  /** Whether addresses of this machine may be used with http: not in the build that users get. */
  allowsLoopback: import.meta.env.MODE === "e2e" || import.meta.env.MODE === "development",
  isOnline: () => navigator.onLine,
  /** A message for people in the browser's language. */
  text: (name: MessageName, ...values: Array<string>): string => browser.i18n.getMessage(name, values),
  fetch: (request: Parameters<Transport.Fetch>[0]): ReturnType<Transport.Fetch> =>
    fetch(request, { cache: "no-store", referrerPolicy: "no-referrer" }),
  isGranted: (pattern: string): Promise<boolean> => browser.permissions.contains({ origins: [pattern] }),
  /** The pattern of every grant, whatever it was requested for. */
  grants: async (): Promise<ReadonlyArray<string>> => (await browser.permissions.getAll()).origins ?? [],
  /** Releases permissions. */
  release: (given: { origins: [pattern: string] } | { permissions: ["notifications"] }): Promise<void> =>
    browser.permissions.remove(given).then(ignored, ignored),
  scripts: {
    registered: async (): Promise<ReadonlyArray<Script>> =>
      (await browser.scripting.getRegisteredContentScripts()).map(({ id, matches }) => ({
        id,
        pattern: matches?.[0] ?? "",
      })),
    register: ({ id, pattern }: Script): Promise<void> =>
      browser.scripting.registerContentScripts([
        { id, matches: [pattern], js: ["/listing.js"], runAt: "document_idle", persistAcrossSessions: true },
      ]),
    unregister: (ids: Array<string>): Promise<void> => browser.scripting.unregisterContentScripts({ ids }),
    /**
     * Runs the content script, or the one that shows details, in a tab that was open before. False if the browser does not allow it; pending as
     * long as the page is busy.
     */
    run: (tabId: number, name: "listing" | "details" = "listing"): Promise<boolean> =>
      browser.scripting.executeScript({ target: { tabId }, files: [`/${name}.js`] }).then(
        () => true,
        () => false,
      ),
  },
  tabs: {
    /** Tabs that show a page of a granted site. */
    showing: (pattern: string) => tabsOf({ url: pattern }),
    /** Every tab, whatever it shows. */
    all: () => tabsOf({}),
    /** Sends to all tabs at once and waits for none: a page that does not answer would stop everything else. */
    send: (tabIds: ReadonlyArray<number>, notice: ListingNotice): void => {
      for (const tabId of tabIds) browser.tabs.sendMessage(tabId, notice).then(ignored, ignored)
    },
    open: async (page: ExtensionPage): Promise<void> => {
      await browser.tabs.create({ url: browser.runtime.getURL(page) })
    },
    setCount,
  },
  alarms: {
    get: async (name: AlarmName): Promise<Alarm | null> => {
      const alarm = await browser.alarms.get(name)
      if (alarm === undefined) return null
      const { periodInMinutes, scheduledTime } = alarm
      return {
        at: scheduledTime,
        ...(periodInMinutes === undefined ? {} : { everyMinutes: periodInMinutes }),
      }
    },
    set: async (name: AlarmName, { at, everyMinutes }: Alarm): Promise<void> => {
      await browser.alarms.create(name, {
        when: at,
        ...(everyMinutes === undefined ? {} : { periodInMinutes: everyMinutes }),
      })
    },
    clear: async (name: AlarmName): Promise<void> => {
      await browser.alarms.clear(name)
    },
  },
  /** Values that are kept in memory until the browser closes. Content scripts cannot read them. */
  session: {
    get: async (key: string): Promise<unknown> => (await browser.storage.session.get(key))[key],
    set: (key: string, value: unknown): Promise<void> => browser.storage.session.set({ [key]: value }),
    remove: (key: string): Promise<void> => browser.storage.session.remove(key),
    clear: (): Promise<void> => browser.storage.session.clear(),
  },
  /** Notifies the user of this many changed watched contracts, if notifications are turned on; 0 shows nothing. */
  notify: async (count: number): Promise<void> => {
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
  /** Signals to the browser that the background is at work, so that it is not stopped as idle. */
  stayAwake: (): Promise<void> => browser.runtime.getPlatformInfo().then(ignored, ignored),
})

export type Service = ReturnType<typeof ofBrowser>

export class Platform extends Context.Service<Platform, Service>()("@deedkit/extension/Platform") {}

/** Fails with the error for a reason. The values fill the placeholders of its headline. */
export const refuse = (reason: ActionReason, ...values: ReadonlyArray<string>) =>
  Platform.use(({ text }) => Effect.fail(actionError(text, reason, values)))

/**
 * Sends a notice to tabs after their number on the toolbar was cleared. All tabs are asked at once, because any page may be too busy to answer; the
 * number goes first, because a new request of a tab may set it.
 */
export const quietTabs = async (
  { send, setCount }: Service["tabs"],
  tabIds: ReadonlyArray<number>,
  notice: ListingNotice,
): Promise<void> => {
  await Promise.all(tabIds.map((tabId) => setCount(tabId, "")))
  send(tabIds, notice)
}

/** The database of each account, by its id: one object each, however often it is asked for. */
export class Databases extends Context.Service<
  Databases,
  { readonly databaseOf: (account: string) => Database }
>()("@deedkit/extension/Databases") {}

/** Notifies watchers that something which the pages show has changed. They ask for the new state themselves. */
export class Changes extends Context.Service<
  Changes,
  {
    readonly tell: () => void
    /** The returned function ends the watch. */
    readonly watch: (watcher: () => void) => () => void
  }
>()("@deedkit/extension/Changes") {
  static readonly layer = Layer.effect(
    Changes,
    Effect.sync(() => {
      const watchers = new Set<() => void>()
      return {
        tell: () => watchers.forEach((watcher) => watcher()),
        watch: (watcher) => {
          watchers.add(watcher)
          return () => void watchers.delete(watcher)
        },
      }
    }),
  )
}

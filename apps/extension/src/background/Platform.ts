/**
 * The parts of the browser that the background uses, as a service, so that tests can replace the browser and every permission is used in one
 * place. Patterns are match patterns of one origin. Nothing here rejects only because something does not exist.
 */
import type { Transport } from "@deedkit/core"
import * as Context from "effect/Context"
import type { ExtensionPage, MessageName } from "../BrowserNames.ts"
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

export interface Service {
  readonly self: Self
  /** Whether addresses of this machine may be used with http: not in the build that users get. */
  readonly allowsLoopback: boolean
  readonly isOnline: () => boolean
  /** A message for people in the browser's language. */
  readonly text: (name: MessageName, ...values: Array<string>) => string
  readonly fetch: Transport.Fetch
  readonly isGranted: (pattern: string) => Promise<boolean>
  /** The pattern of every grant, whatever it was requested for. */
  readonly grants: () => Promise<ReadonlyArray<string>>
  /** Releases permissions. */
  readonly release: (
    given: { origins: [pattern: string] } | { permissions: ["notifications"] },
  ) => Promise<void>
  readonly scripts: {
    readonly registered: () => Promise<ReadonlyArray<Script>>
    readonly register: (script: Script) => Promise<void>
    readonly unregister: (ids: Array<string>) => Promise<void>
    /**
     * Runs the content script, or the one that shows details, in a tab that was open before. False if the browser does not allow it; pending as
     * long as the page is busy.
     */
    readonly run: (tabId: number, name?: "listing" | "details") => Promise<boolean>
  }
  readonly tabs: {
    /** Tabs that show a page of a granted site. */
    readonly showing: (pattern: string) => Promise<ReadonlyArray<number>>
    /** Every tab, whatever it shows. */
    readonly all: () => Promise<ReadonlyArray<number>>
    /** Sends to all tabs at once and waits for none: a page that does not answer would stop everything else. */
    readonly send: (tabIds: ReadonlyArray<number>, notice: ListingNotice) => void
    readonly open: (page: ExtensionPage) => Promise<void>
    /** The text on the toolbar's button while this tab is shown; empty for none. */
    readonly setCount: (tabId: number, text: string) => Promise<void>
  }
  readonly alarms: {
    readonly get: (name: AlarmName) => Promise<Alarm | null>
    readonly set: (name: AlarmName, alarm: Alarm) => Promise<void>
    readonly clear: (name: AlarmName) => Promise<void>
  }
  /** Values that are kept in memory until the browser closes. Content scripts cannot read them. */
  readonly session: {
    readonly get: (key: string) => Promise<unknown>
    readonly set: (key: string, value: unknown) => Promise<void>
    readonly remove: (key: string) => Promise<void>
    readonly clear: () => Promise<void>
  }
  /** Notifies the user of this many changed watched contracts, if notifications are turned on; 0 shows nothing. */
  readonly notify: (count: number) => Promise<void>
  /** Signals to the browser that the background is at work, so that it is not stopped as idle. */
  readonly stayAwake: () => Promise<void>
}

export class Platform extends Context.Service<Platform, Service>()("@deedkit/extension/Platform") {}

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

/** A browser that does what the background asks and remembers it. */
import type { ExtensionPage } from "../../src/BrowserNames.ts"
import type { Alarm, Script, Service } from "../../src/background/Platform.ts"
import type { ListingNotice } from "../../src/messages/ListingMessage.ts"
import type { Self } from "../../src/messages/Sender.ts"

export const self: Self = { id: "deedkit", origin: "chrome-extension://deedkit" }

export interface FakePlatform extends Service {
  readonly granted: Set<string>
  readonly scriptsById: Map<string, Script>
  readonly ranIn: Array<number>
  /** Tabs in which the script that shows details was run. */
  readonly detailsIn: Array<number>
  /** Tabs that the browser lets nobody look into. */
  readonly closed: Set<number>
  /** Tabs whose page is too busy to answer anything. */
  readonly busy: Set<number>
  /** What tabs show, as patterns. */
  readonly open: Map<number, string>
  readonly opened: Array<ExtensionPage>
  readonly sent: Array<readonly [tabId: number, notice: ListingNotice["type"]]>
  readonly counts: Map<number, string>
  readonly alarmsByName: Map<string, Alarm>
  readonly kept: Map<string, unknown>
  /** Everything that was asked of the service, path and query. */
  readonly asked: Array<string>
  /** Whether registering scripts is done, and never answered. */
  isSilent: boolean
  isConnected: boolean
  /** Whether the user has turned notifications on. */
  notifies: boolean
  /** Of how many contracts each notification was. */
  readonly notified: Array<number>
  reaches: Service["fetch"]
}

const never = new Promise<never>(() => {})

export const make = (reaches: Service["fetch"]): FakePlatform => {
  const granted = new Set<string>()
  const scriptsById = new Map<string, Script>()
  const open = new Map<number, string>()
  const alarmsByName = new Map<string, Alarm>()
  const kept = new Map<string, unknown>()
  const platform: FakePlatform = {
    granted,
    scriptsById,
    open,
    alarmsByName,
    kept,
    ranIn: [],
    detailsIn: [],
    closed: new Set(),
    busy: new Set(),
    opened: [],
    sent: [],
    counts: new Map(),
    asked: [],
    isSilent: false,
    isConnected: true,
    notifies: true,
    notified: [],
    reaches,
    self,
    allowsLoopback: false,
    isOnline: () => platform.isConnected,
    text: (name, ...values) => [name, ...values].join(" "),
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url)
      platform.asked.push(pathname + search)
      if (!platform.isConnected) throw new TypeError("Failed to fetch")
      return platform.reaches(request)
    },
    isGranted: async (pattern) => granted.has(pattern),
    grants: async () => [...granted],
    release: async (given) => {
      if ("origins" in given) granted.delete(given.origins[0])
      else platform.notifies = false
    },
    scripts: {
      registered: async () => [...scriptsById.values()],
      register: async (script) => {
        if (scriptsById.has(script.id)) throw new Error(`Duplicate script ID '${script.id}'`)
        scriptsById.set(script.id, script)
        if (platform.isSilent) await never
      },
      unregister: async (ids) => {
        ids.forEach((id) => scriptsById.delete(id))
        if (platform.isSilent) await never
      },
      run: async (tabId, name) => {
        if (platform.closed.has(tabId)) return false
        if (name === "details") platform.detailsIn.push(tabId)
        else platform.ranIn.push(tabId)
        return platform.busy.has(tabId) ? never : true
      },
    },
    tabs: {
      showing: async (pattern) =>
        granted.has(pattern) ? [...open].filter(([, shown]) => shown === pattern).map(([id]) => id) : [],
      all: async () => [...open.keys()],
      send: async (tabIds, { type }): Promise<void> => {
        for (const tabId of tabIds) platform.sent.push([tabId, type])
        if (tabIds.some((tabId) => platform.busy.has(tabId))) await never
      },
      open: async (page) => void platform.opened.push(page),
      setCount: async (tabId, text) => void platform.counts.set(tabId, text),
    },
    alarms: {
      get: async (name) => alarmsByName.get(name) ?? null,
      set: async (name, alarm) => void alarmsByName.set(name, alarm),
      clear: async (name) => void alarmsByName.delete(name),
    },
    session: {
      get: async (key) => structuredClone(kept.get(key)),
      set: async (key, value) => void kept.set(key, structuredClone(value)),
      remove: async (key) => void kept.delete(key),
      clear: async () => kept.clear(),
    },
    notify: async (count) => {
      if (platform.notifies && count > 0) platform.notified.push(count)
    },
    stayAwake: async () => {},
  }
  return platform
}

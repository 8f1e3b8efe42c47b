/**
 * The background in browsers that lack parts of what the extension uses. Which browser has what is from the tables at MDN, as of browser-compat-data
 * 8; a call that a browser does not have throws here, too.
 */
import "fake-indexeddb/auto"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import type { AppState } from "../../src/messages/AppState.ts"

/** The browser of the test that runs. Each module takes its parts when it needs them. */
const current = vi.hoisted(() => ({ parts: { runtime: { id: "extension@deedkit" } } as object }))
vi.mock("wxt/browser", () => ({
  browser: new Proxy({}, { get: (_, part) => Reflect.get(current.parts, part) as unknown }),
}))
// Tests of other files may have loaded these modules without it.
vi.resetModules()
const Shell = await import("../../src/browser-ui/Shell.ts")
const Platform = await import("../../src/background/Platform.ts")
const { default: background } = await import("../../src/entrypoints/background.ts")

const origin = "moz-extension://0b0e"

type Hear = (...said: ReadonlyArray<unknown>) => unknown

/** What was registered for each event, such as `alarms.onAlarm`. */
let heard: Map<string, Array<Hear>>
let opened: Array<string>
let windows: Array<string>
let menu: Array<string>
/** Notifications that are shown. */
let notified: Map<string, string>

interface Notified {
  readonly title: string
  readonly message: string
}

const event = (name: string) => ({
  // As in browsers, a listener that is added again hears once.
  addListener: (hear: Hear) => void heard.set(name, [...new Set([...(heard.get(name) ?? []), hear])]),
  removeListener: () => {},
})

const nothing = () => Promise.resolve()

/** Every part that the background uses, as browsers of desks have it. */
const everything = () => ({
  runtime: {
    id: "extension@deedkit",
    getURL: (path: string) => `${origin}${path}`,
    getPlatformInfo: nothing,
    onMessage: event("runtime.onMessage"),
    onConnect: event("runtime.onConnect"),
    onInstalled: event("runtime.onInstalled"),
    onStartup: event("runtime.onStartup"),
  },
  i18n: { getMessage: (name: string, values: unknown = []) => [name, ...[values].flat()].join(" ") },
  permissions: {
    contains: () => Promise.resolve(false),
    getAll: () => Promise.resolve({ origins: [] }),
    onAdded: event("permissions.onAdded"),
    onRemoved: event("permissions.onRemoved"),
  },
  scripting: {
    getRegisteredContentScripts: () => Promise.resolve([]),
    registerContentScripts: nothing,
    unregisterContentScripts: nothing,
  },
  tabs: {
    query: () => Promise.resolve([]),
    create: async ({ url }: { readonly url: string }) => void opened.push(url),
    onRemoved: event("tabs.onRemoved"),
  },
  alarms: {
    get: nothing,
    create: nothing,
    clear: nothing,
    onAlarm: event("alarms.onAlarm"),
  },
  storage: { session: { get: () => Promise.resolve({}), set: nothing, remove: nothing, clear: nothing } },
  action: {
    openPopup: nothing,
    setPopup: nothing,
    setBadgeText: nothing,
    getBadgeText: () => Promise.resolve(""),
    setTitle: nothing,
    getTitle: () => Promise.resolve(""),
  },
  commands: { onCommand: event("commands.onCommand") },
  contextMenus: {
    onClicked: event("contextMenus.onClicked"),
    removeAll: nothing,
    create: ({ id }: { readonly id: string }) => void menu.push(id),
  },
  omnibox: {
    onInputStarted: event("omnibox.onInputStarted"),
    onInputChanged: event("omnibox.onInputChanged"),
    onInputEntered: event("omnibox.onInputEntered"),
  },
  sidePanel: { open: nothing },
  windows: { create: async ({ url }: { readonly url: string }) => void windows.push(url) },
})

type Part = keyof ReturnType<typeof everything>

/** What there is once the user has turned notifications on. */
const withNotifications = () => ({
  ...everything(),
  notifications: {
    create: async (id: string, { message, title }: Notified) => void notified.set(id, `${title}: ${message}`),
    clear: async (id: string) => notified.delete(id),
    onClicked: event("notifications.onClicked"),
  },
})

const browsers: ReadonlyArray<readonly [name: string, lacks: ReadonlyArray<Part>]> = [
  ["Chrome, Edge and Opera", []],
  ["a Chromium without a side panel", ["sidePanel"]],
  ["Firefox for Android", ["commands", "contextMenus", "omnibox", "sidePanel", "windows"]],
  ["Safari", ["omnibox", "sidePanel"]],
]

/** Of these, the background needs every one. */
const needed = [
  "runtime.onMessage",
  "runtime.onConnect",
  "runtime.onInstalled",
  "runtime.onStartup",
  "alarms.onAlarm",
  "permissions.onAdded",
  "permissions.onRemoved",
  "tabs.onRemoved",
]

const say = (name: string, ...said: ReadonlyArray<unknown>): void => {
  for (const hear of heard.get(name) ?? []) hear(...said)
}

const ask = (message: unknown): Promise<unknown> =>
  new Promise((resolve) =>
    say(
      "runtime.onMessage",
      message,
      { id: "extension@deedkit", origin, url: `${origin}/options.html` },
      resolve,
    ),
  )

beforeEach(() => {
  heard = new Map()
  opened = []
  windows = []
  menu = []
  notified = new Map()
  vi.stubGlobal("addEventListener", () => {})
})
afterEach(() => {
  vi.unstubAllGlobals()
})

/** Starts the background in a browser without some parts. */
const start = (lacks: ReadonlyArray<Part>): void => {
  const parts = Object.entries(everything()).filter(([part]) => !lacks.includes(part as Part))
  current.parts = Object.fromEntries(parts)
  background.main()
}

describe.each(browsers)("the background in %s", (_, lacks) => {
  beforeEach(() => start(lacks))

  it("hears of everything that it lives by, and of no part that is not there", () => {
    const parts = new Set([...heard.keys()].map((name) => name.split(".")[0]))
    expect([...heard.keys()]).toEqual(expect.arrayContaining(needed))
    expect(lacks.filter((part) => parts.has(part))).toEqual([])
    const optional = ["commands", "contextMenus", "omnibox"] as const
    expect(optional.filter((part) => !parts.has(part))).toEqual(
      optional.filter((part) => lacks.includes(part)),
    )
  })

  it("opens the first steps when it is installed, answers its pages, and has menus where there are any", async () => {
    say("runtime.onInstalled", { reason: "install" })
    await expect.poll(() => opened).toEqual([`${origin}/welcome.html`])
    expect((await ask({ type: "page.state" })) as AppState).toMatchObject({
      connection: { _tag: "NoAddress" },
    })
    const items = ["lookup-link", "lookup-selection", "open-panel"]
    await expect.poll(() => menu).toEqual(lacks.includes("contextMenus") ? [] : items)
  })
})

const withoutPanel = browsers.filter(
  ([, lacks]) => lacks.includes("sidePanel") && !lacks.includes("contextMenus"),
)

it.each(withoutPanel)("the background in %s opens the panel in a tab", async (_, lacks) => {
  start(lacks)
  say("contextMenus.onClicked", { menuItemId: "open-panel" }, { id: 1, windowId: 1 })
  await expect.poll(() => opened).toEqual([`${origin}/sidepanel.html`])
})

describe("notifications", () => {
  const notify = (count: number) => Platform.ofBrowser(async () => {}).notify(count)

  it("are not shown before they are turned on", async () => {
    start([])
    await notify(2)
    expect(notified.size).toBe(0)
    expect(heard.has("notifications.onClicked")).toBe(false)
  })

  it("say how many contracts there are and nothing else, one at a time, and open the changes when they are clicked", async () => {
    current.parts = withNotifications()
    background.main()
    await notify(0)
    expect(notified.size).toBe(0)
    await notify(2)
    await notify(3)
    expect([...notified.values()]).toEqual(["Deedkit: watchedChanged 3"])
    say("notifications.onClicked", "watched")
    await expect.poll(() => windows).toEqual([`${origin}/popup.html?changes`])
    expect(notified.size).toBe(0)
  })

  it("are heard of once they are turned on, be that while the background runs", () => {
    start([])
    current.parts = withNotifications()
    say("permissions.onAdded")
    say("permissions.onAdded")
    expect(heard.get("notifications.onClicked")).toHaveLength(1)
  })

  const refuses = () => {
    throw new Error("no permission")
  }
  it.each([
    ["shows none all the same", () => Promise.reject(new Error("no notifications here"))],
    ["has taken the permission back", refuses],
  ])("fail nothing where the browser %s", async (_, fails) => {
    start([])
    current.parts = { ...everything(), notifications: { create: fails, clear: fails } }
    await expect(notify(2)).resolves.toBeUndefined()
    await expect(Shell.ofBrowser().endNotification()).resolves.toBeUndefined()
  })

  it("open the changes in a tab where there are no windows", async () => {
    const { windows: _, ...parts } = withNotifications()
    current.parts = parts
    background.main()
    say("notifications.onClicked", "watched")
    await expect.poll(() => opened).toEqual([`${origin}/popup.html?changes`])
  })
})

it("no source uses a part that a browser may lack without asking for it first", async () => {
  const source = join(import.meta.dirname, "..", "..", "src")
  const names = (await readdir(source, { recursive: true })).filter((name) => /\.tsx?$/.test(name))
  const lacking = new Set<string>([
    "sidebarAction",
    "notifications",
    ...browsers.flatMap(([, lacks]) => lacks),
  ])
  const uses = await Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(source, name), "utf8")
      return [...text.matchAll(/\bbrowser\.(\w+)(\.|\b(?!\?))/g)].flatMap(([, part]) =>
        lacking.has(part!) ? [`${name}: ${part}`] : [],
      )
    }),
  )
  expect(new Set(uses.flat())).toEqual(
    new Set([
      // Asked for in the line before it.
      "browser-ui/Shell.ts: sidePanel",
      // What menus open, in browsers that have them.
      "browser-ui/Shell.ts: windows",
      // What the listener itself sets, once there is one.
      "browser-ui/Attach.ts: omnibox",
      // Read by a section that is shown where there are shortcuts.
      "ui/state/Shortcuts.ts: commands",
    ]),
  )
})

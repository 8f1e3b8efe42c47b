/**
 * The browser of a page in the gallery, put into the page before its own code runs: messages from the message file, ports and questions that
 * a background without a browser answers, permissions that are given or not, and a tab in front.
 */
import el from "../../../public/_locales/el/messages.json" with { type: "json" }
import en from "../../../public/_locales/en/messages.json" with { type: "json" }
import pt_PT from "../../../public/_locales/pt_PT/messages.json" with { type: "json" }
import { ports } from "../../../src/messages/PageMessage.ts"
import type { TestFinding } from "../../../src/messages/PageMessage.ts"
import type { PageRequest } from "../../../src/messages/Requests.ts"
import type { AppState } from "../../../src/messages/AppState.ts"
import type { TabRequest } from "../../../src/messages/TabMessage.ts"
import * as FakeBackground from "../desk/FakeBackground.ts"
import type { Scene } from "./Scene.ts"

interface Message {
  readonly message: string
  readonly placeholders?: { readonly [name: string]: { readonly content: string } }
}

export type Given = Pick<
  Scene,
  "world" | "tab" | "links" | "cards" | "isAllowed" | "isProtected" | "isTouched" | "direction" | "language"
>

const {
  cards = [],
  direction = "ltr",
  isAllowed = true,
  isProtected = true,
  isTouched = false,
  language = "en",
  tab = null,
  links = [],
  world,
} = (globalThis as unknown as { readonly given: Given }).given
const texts: { readonly [name: string]: Message } = { en, el, pt_PT }[language]
const background = FakeBackground.make(world)

/** The index is in the page's own database: it is not answered, or cannot be opened. */
if (world.waiting?.some((type) => type.startsWith("index."))) {
  IDBFactory.prototype.open = () => new EventTarget() as IDBOpenDBRequest
}
if (world.failing?.some((type) => type.startsWith("index."))) {
  IDBFactory.prototype.open = () => {
    throw new DOMException("the disk is broken", "UnknownError")
  }
}

const getMessage = (name: string, values: ReadonlyArray<string> = []): string => {
  if (name === "direction") return direction
  const { message = "", placeholders = {} } = texts[name] ?? {}
  return message
    .replace(/\$([A-Za-z_]+)\$/g, (_, known: string) => placeholders[known.toLowerCase()]?.content ?? "")
    .replace(/\$(\d)/g, (_, position: string) => values[Number(position) - 1] ?? "")
}

type Hear<Said> = { readonly addListener: (hear: (said: Said) => void) => void }

const connect = ({ name }: { readonly name: string }) => {
  let end = (): void => {}
  const onDisconnect: Hear<void> = { addListener: (hear) => (end = hear) }
  if (name === ports.state) {
    let stop = (): void => {}
    const onMessage: Hear<AppState> = {
      addListener: (hear) => setTimeout(() => (stop = background.watch(hear))),
    }
    return { onMessage, onDisconnect, disconnect: () => stop() }
  }
  const onMessage: Hear<TestFinding> = {
    addListener: (hear) =>
      setTimeout(() => {
        for (const finding of world.findings) hear(finding)
        if (world.testEnds) end()
      }),
  }
  return { onMessage, onDisconnect, disconnect: () => {} }
}

Object.assign(navigator.storage, {
  persisted: () => Promise.resolve(isProtected),
  persist: () => Promise.resolve(isProtected),
})

const commands = {
  getAll: () =>
    Promise.resolve([
      { name: "_execute_action", shortcut: "Alt+Shift+D" },
      { name: "toggle-badges", shortcut: "Alt+Shift+L" },
      { name: "sync", shortcut: "" },
      { name: "open-export", shortcut: "Alt+Shift+E" },
    ]),
}

const opened: Array<string> = []
const event = { addListener: () => {}, removeListener: () => {} }

Object.assign(globalThis, {
  opened,
  browser: {
    runtime: {
      id: "gallery",
      getManifest: () => ({ version: "1.0.0" }),
      getURL: (path: string) => new URL(path, location.origin).href,
      sendMessage: (request: PageRequest) => background.ask(request),
      connect,
      onMessage: event,
    },
    i18n: { getMessage },
    tabs: {
      query: () =>
        Promise.resolve(
          tab === null
            ? [{ id: 3 }]
            : [{ id: 3, url: tab, title: "Olive loft to let in Kolonaki, Athens | Homes" }],
        ),
      onActivated: event,
      onUpdated: event,
      create: ({ url }: { readonly url: string }) => Promise.resolve(void opened.push(url)),
      sendMessage: (_: number, { type }: TabRequest) =>
        Promise.resolve(type === "tab.show" ? false : { cards, total: cards.length }),
      update: () => Promise.resolve(),
      getCurrent: () => Promise.resolve({ id: 1 }),
      remove: () => Promise.resolve(),
    },
    scripting: { executeScript: () => Promise.resolve([{ result: links }]) },
    commands: isTouched ? undefined : commands,
    permissions: {
      request: () => Promise.resolve(isAllowed),
      contains: ({ origins }: { readonly origins?: ReadonlyArray<string> }) =>
        Promise.resolve(origins !== undefined && isAllowed),
      remove: () => Promise.resolve(true),
      onAdded: event,
      onRemoved: event,
    },
  },
})

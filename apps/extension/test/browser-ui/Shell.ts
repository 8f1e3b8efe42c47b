/** A browser around its pages that does what it is told and remembers it, and a background that answers from a test's own answers. */
import type { ExtensionPage } from "../../src/BrowserNames.ts"
import { indexOf } from "../ui/desk/FakeBackground.ts"
import type { Read } from "../ui/desk/FakeBackground.ts"
import type { PageIndex } from "../../src/index/PageIndex.ts"
import type { Ask } from "../../src/browser-ui/Commands.ts"
import type { MenuItem, Place, Shell } from "../../src/browser-ui/Shell.ts"
import type { PageAnswers } from "../../src/messages/PageMessage.ts"
import type { PageRequest } from "../../src/messages/Requests.ts"

export interface FakeShell extends Shell {
  readonly opened: Array<readonly [page: ExtensionPage, place: Place | "window" | "popup" | "panel"]>
  readonly menu: Array<MenuItem>
  /** Words on the button, of tabs and, as null, of all others. */
  readonly badges: Map<number | null, string>
  readonly titles: Map<number | null, string>
  readonly openTabs: Set<number>
  readonly askedAnew: Array<number>
  /** Notifications that are shown. */
  notifications: number
  opensPopups: boolean
  opensPanels: boolean
}

const setOrTakeAway = (map: Map<number | null, string>, tabId: number | null, text: string | null): void => {
  if (text === null) map.delete(tabId)
  else map.set(tabId, text)
}

export const make = (): FakeShell => {
  const shell: FakeShell = {
    opened: [],
    menu: [],
    badges: new Map(),
    titles: new Map(),
    openTabs: new Set(),
    askedAnew: [],
    notifications: 0,
    opensPopups: true,
    opensPanels: true,
    text: (name, ...values) => [name, ...values].join(" "),
    open: async (page, place) => void shell.opened.push([page, place ?? "tab"]),
    openWindow: async (page) => void shell.opened.push([page, "window"]),
    openPopup: async (page) => {
      if (shell.opensPopups) shell.opened.push([page, "popup"])
      return shell.opensPopups
    },
    openPanel: async () => {
      if (shell.opensPanels) shell.opened.push(["/sidepanel.html", "panel"])
      return shell.opensPanels
    },
    setMenu: async (items) => void shell.menu.push(...items),
    setBadge: async (tabId, text) => setOrTakeAway(shell.badges, tabId, text),
    badge: async () => shell.badges.get(null) ?? "",
    setTitle: async (tabId, title) => setOrTakeAway(shell.titles, tabId, title),
    endNotification: async () => {
      shell.notifications = 0
    },
    tabs: async () => [...shell.openTabs],
    askAnew: async (tabId) => void shell.askedAnew.push(tabId),
    readsXml: true,
  }
  return shell
}

type Answers = { readonly [Type in PageRequest["type"]]?: PageAnswers[Type] | null }

/** A background that gives these answers, nothing to anything else, and remembers what it was asked. */
export const answering = (answers: Answers): { readonly ask: Ask; readonly asked: Array<PageRequest> } => {
  const asked: Array<PageRequest> = []
  const ask: Ask = async (request) => {
    asked.push(request)
    return (answers[request.type] ?? null) as never
  }
  return { ask, asked }
}

/** An index that gives these answers, nothing to anything else, and remembers what was read. */
export const reading = (
  answers: { readonly [Type in Read["type"]]?: unknown } = {},
): { readonly index: PageIndex; readonly asked: Array<Read> } => {
  const asked: Array<Read> = []
  const index = indexOf(async (read) => {
    asked.push(read)
    return answers[read.type] ?? null
  })
  return { index, asked }
}

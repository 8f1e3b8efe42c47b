/** The popup over a counter: mounted in happy-dom before a background without a browser, with a keyboard. Imported before the popup itself. */
import * as Desk from "../desk/Desk.ts"
import { h, render } from "preact"
import { act } from "preact/test-utils"
import type { AppState } from "../../../src/messages/AppState.ts"
import type { TabRequest } from "../../../src/messages/TabMessage.ts"
import { BackgroundContext } from "../../../src/ui/state/Live.ts"
import { Popup } from "../../../src/ui/popup/Popup.tsx"
import type { Subject } from "../../../src/ui/popup/search/Subject.ts"
import * as FakeBackground from "../desk/FakeBackground.ts"
import { world } from "../gallery/Worlds.ts"

export interface Counter {
  readonly background: FakeBackground.FakeBackground
  /** What was asked, by type. */
  readonly asked: (type: FakeBackground.Asked["type"]) => ReadonlyArray<FakeBackground.Asked>
}

/** Pages that the popup has opened in tabs. */
export let opened: Array<string> = []

/** What was written to the clipboard; a clipboard that is locked refuses. */
export const clipboard = { text: "", isLocked: false }

interface TabsAndPages {
  readonly browser: { tabs?: object; scripting?: object; runtime: { getURL?: (path: string) => string } }
}

/** Lets answers come, what follows from them be asked, and that be answered, too. */
export const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 4; turn++) await Desk.settle()
}

export const open = async (
  state: AppState,
  changes: Partial<FakeBackground.World> = {},
  {
    subject = { _tag: "Page" },
    tab = null,
    title = "",
    links = [],
    script = () => Promise.reject(new Error("there is no script")),
  }: {
    readonly subject?: Subject
    readonly tab?: string | null
    /** What the page in front calls itself. */
    readonly title?: string
    /** The links that are read from it. */
    readonly links?: ReadonlyArray<unknown>
    /** The content script of the tab in front. */
    readonly script?: (request: TabRequest, tabId: number) => Promise<unknown>
  } = {},
): Promise<Counter> => {
  // What comes later in a browser is read already, so that it comes in the next moment.
  await Promise.all([
    import("../../../src/ui/popup/Aside.tsx"),
    import("../../../src/ui/popup/changes/Changes.tsx"),
    import("../../../src/ui/popup/Footer.tsx"),
    import("../../../src/ui/popup/link/LinkCards.tsx"),
    import("../../../src/ui/popup/link/LinkPage.tsx"),
    import("../../../src/ui/popup/link/LooksLike.tsx"),
    import("../../../src/ui/popup/onpage/OnPage.tsx"),
    import("../../../src/ui/popup/search/Commands.tsx"),
    import("../../../src/ui/popup/search/Filters.tsx"),
    import("../../../src/ui/popup/search/Highlight.tsx"),
    import("../../../src/ui/sync/SmallerList.tsx"),
    import("../../../src/ui/sync/SyncProgress.tsx"),
  ])
  opened = []
  Object.assign(clipboard, { text: "", isLocked: false })
  const { browser } = globalThis as unknown as TabsAndPages
  browser.tabs = {
    query: () => Promise.resolve(tab === null ? [{ id: 3 }] : [{ id: 3, url: tab, title }]),
    create: ({ url }: { readonly url: string }) => Promise.resolve(void opened.push(url)),
    sendMessage: (tabId: number, request: TabRequest) => script(request, tabId),
  }
  browser.scripting = { executeScript: () => Promise.resolve([{ result: links }]) }
  browser.runtime.getURL = (path) => path
  Object.defineProperty(navigator, "clipboard", {
    configurable: true,
    value: {
      writeText: (text: string) =>
        clipboard.isLocked
          ? Promise.reject(new Error("locked"))
          : Promise.resolve(void (clipboard.text = text)),
    },
  })
  const background = FakeBackground.make(world(state, changes))
  const page = h(Popup, { subject })
  await act(() =>
    render(
      h(BackgroundContext.Provider, {
        value: {
          ask: background.ask,
          index: background.index,
          watch: background.watch,
          test: () => () => {},
        } as never,
        children: page,
      }),
      document.body,
    ),
  )
  await settle()
  return { background, asked: (type) => background.requests.filter((request) => request.type === type) }
}

/** Presses keys where the focus is, one after the other. Gives whether the last one was kept from the browser. */
export const press = async (...keys: ReadonlyArray<string>): Promise<boolean> => {
  let isKept = false
  for (const key of keys) {
    const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })
    await act(() => void (document.activeElement ?? document.body).dispatchEvent(event))
    await settle()
    isKept = event.defaultPrevented
  }
  return isKept
}

export const box = (): HTMLInputElement => Desk.box("Search contracts")

/** Types into the search box without waiting for what it brings. */
export const typeQuickly = (text: string): void => {
  box().value = text
  box().dispatchEvent(new Event("input", { bubbles: true }))
}

export const type = async (text: string): Promise<void> => {
  await act(() => typeQuickly(text))
  await settle()
}

/** The name of the row that Enter would open. */
export const chosen = (): string => {
  const id = box().getAttribute("aria-activedescendant")
  return id === null ? "" : Desk.words(document.getElementById(id)?.querySelector(".row-name") ?? null)
}

export const rows = (): ReadonlyArray<string> =>
  [...document.querySelectorAll("[role=option] .row-name")].map((element) => Desk.words(element))

export const groups = (): ReadonlyArray<string> =>
  [...document.querySelectorAll("[role=group] > h2")].map((element) => Desk.words(element))

/** Whether a contract is looked at. */
export const isDetail = (): boolean => document.querySelector(".detail") !== null

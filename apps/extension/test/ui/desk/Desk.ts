/**
 * A page of the extension on a desk: mounted in happy-dom, before a background whose answers the test writes and a browser that grants or
 * denies. Imported before everything that uses `browser`. Finds things as people do: by the name that is shown or read out.
 */
import { grants, storage, tabs } from "./DeskBrowser.ts"
import type { ComponentChild } from "preact"
import { h, render } from "preact"
import { act } from "preact/test-utils"
import type { AppState } from "../../../src/messages/AppState.ts"
import type { ContractRow } from "../../../src/index/PageIndex.ts"
import type { UserError } from "../../../src/messages/PageMessage.ts"
import type { Background } from "../../../src/ui/state/Background.ts"
import { BackgroundContext } from "../../../src/ui/state/Live.ts"
import type { TestStage } from "../../../src/ui/state/TestWords.ts"
import { ready, unset } from "../gallery/Worlds.ts"
import { indexOf } from "./FakeBackground.ts"
import type { Asked } from "./FakeBackground.ts"

export { grants, storage, tabs }

/** Before anything was set up. */
export const empty = unset

/** Set up and read; the address is another one than in the pictures, so that no test mistakes theirs for its own. */
export const full: AppState = {
  ...ready,
  accounts: [{ id: "first", name: "", baseUrl: "https://api.example.com/" }],
  baseUrl: "https://api.example.com/",
}

export const row: ContractRow = {
  id: 17,
  kind: "rent",
  status: "active",
  unitLabel: "Loft 3",
  listingId: 41017,
  title: "The blue door",
  city: "Lisboa",
  slug: "blue-door",
  updatedAt: "2026-02-01T10:00:00Z",
}

/** What the background does with a request: an answer, a error, or a change of the state. */
export type Answer = (request: Asked, state: AppState) => unknown

export interface Desk {
  readonly requests: Array<Asked>
  readonly set: (state: AppState) => Promise<void>
  /** Ends stages of the connection test that is under way; the second argument ends the test. */
  readonly stage: (stages: ReadonlyArray<TestStage>, isEnd?: boolean) => Promise<void>
  readonly isTesting: () => boolean
  readonly background: Background
}

/** Lets promises and what they draw settle. */
export const settle = (): Promise<void> => act(async () => void (await new Promise((go) => setTimeout(go))))

/** Waits for what takes a moment on purpose; fails when it does not come. */
export const waitFor = async (isThere: () => boolean): Promise<void> => {
  for (const end = performance.now() + 10_000; performance.now() < end;) {
    if (isThere()) return
    await act(async () => void (await new Promise((go) => setTimeout(go, 2))))
  }
  throw new Error(`never came: ${words()}`)
}

export const failed = (message: string): UserError => ({ _tag: "UserError", message, advice: "Do it again." })

export const mount = async (
  state: AppState,
  page: ComponentChild,
  answer: Answer = (_, now) => now,
): Promise<Desk> => {
  let now = state
  let tell: ((state: AppState) => void) | null = null
  let test: { onStage: (stage: TestStage) => void; onEnd: () => void } | null = null
  const requests: Array<Asked> = []
  const given = async (request: Asked): Promise<unknown> => {
    requests.push(request)
    return answer(request, now)
  }
  const background: Background = {
    ask: given as Background["ask"],
    index: indexOf(given),
    watch: (onState) => {
      tell = onState
      onState(now)
      return () => {
        tell = null
      }
    },
    test: (onStage, onEnd) => {
      test = { onStage, onEnd }
      return () => {
        test = null
      }
    },
  }
  await act(() => render(h(BackgroundContext.Provider, { value: background, children: page }), document.body))
  await settle()
  return {
    requests,
    background,
    isTesting: () => test !== null,
    set: async (state) => {
      now = state
      await act(() => tell?.(state))
    },
    stage: async (stages, isEnd = false) => {
      await act(() => {
        for (const stage of stages) test?.onStage(stage)
        if (isEnd) test?.onEnd()
      })
    },
  }
}

/** Takes the page off the desk and gives the next test a browser that says yes. */
export const tidy = async (): Promise<void> => {
  await act(() => render(null, document.body))
  grants.asked = []
  grants.isAllowed = true
  grants.notifies = false
  Object.assign(tabs, { open: [], links: {} })
  storage.asked = 0
  storage.persisted = () => Promise.resolve(false)
  storage.persist = () => Promise.resolve(false)
  localStorage.clear()
  history.replaceState(null, "", "#")
}

/** The text of the page, blanks made single. */
export const words = (within: Element | null = document.body): string =>
  (within?.textContent ?? "").replace(/\s+/g, " ").trim()

/** The name by which an element is announced: its label's words, or its own. */
const nameOf = (element: Element): string =>
  element.getAttribute("aria-label") ??
  (element.id === "" ? null : words(document.querySelector(`label[for="${element.id}"]`)) || null) ??
  words(element.closest("label") ?? element)

/** The one element of a kind with this in its name. */
const one = (selector: string, name: string): Element => {
  const found = [...document.querySelectorAll(selector)].filter((element) => nameOf(element).includes(name))
  if (found.length !== 1) throw new Error(`${found.length} of ${selector} named ${name} in: ${words()}`)
  return found[0]!
}

export const button = (name: string) => one("button, a[href]", name) as HTMLButtonElement
export const box = (name: string) => one("input, select", name) as HTMLInputElement
export const has = (name: string): boolean =>
  [...document.querySelectorAll("button, a[href]")].some((element) => nameOf(element).includes(name))

export const press = async (name: string): Promise<void> => {
  await act(() => button(name).click())
  await settle()
}

export const type = async (name: string, value: string): Promise<void> => {
  const target = box(name)
  await act(() => {
    target.value = value
    target.dispatchEvent(new Event("input", { bubbles: true }))
  })
}

export const choose = async (name: string): Promise<void> => {
  await act(() => box(name).click())
  await settle()
}

/** What is announced at this moment. */
export const alerts = (): ReadonlyArray<string> =>
  [...document.querySelectorAll("[role=alert]")]
    .map((element) => words(element))
    .filter((said) => said !== "")

/**
 * What the extension shows in a page, read as only the extension itself can: its roots are closed to the page, and the browser opens them to
 * code of the extension alone. The looking is done by functions that the browser runs beside the content script; like all that are sent
 * to a browser as text, they use their arguments and nothing around them. Badges of the version before, which are elements of a name of
 * their own, are seen too.
 */
import type { Tab } from "./browsers/Driver.ts"

interface Badge {
  /** What is seen. */
  readonly text: string
  /** What is read out. */
  readonly label: string
  /** Path and query of the link that it stands in. */
  readonly path: string
  /** Of the mark on the page, in pixels. */
  readonly width: number
  readonly height: number
  readonly background: string
}

export interface Marks {
  readonly badges: ReadonlyArray<Badge>
  /** Text of the card; null when there is none. */
  readonly card: string | null
  readonly panel: { readonly text: string; readonly isOpen: boolean } | null
}

/** Runs a function beside the content script of the one tab at an address. `page` is a page of the extension. */
export const inTab = async <Args extends ReadonlyArray<unknown>, A>(
  page: Tab,
  url: string,
  act: (...args: Args) => A | Promise<A>,
  ...given: Args
): Promise<A> => {
  const answer = await page.run(`(async () => {
    const tabs = (await chrome.tabs.query({})).filter(({ url }) => url === ${JSON.stringify(url)})
    if (tabs.length !== 1) throw new Error(tabs.length + " tabs at " + ${JSON.stringify(url)})
    const [answer] = await chrome.scripting.executeScript({
      target: { tabId: tabs[0].id },
      func: ${act.toString()},
      args: ${JSON.stringify(given)},
    })
    if (answer.error) throw new Error(answer.error.message)
    return answer.result
  })()`)
  return answer as A
}

/** What the extension shows in the tab at an address. */
export const look = (page: Tab, url: string): Promise<Marks> =>
  inTab(page, url, () => {
    type Opener = { readonly openOrClosedShadowRoot?: ShadowRoot | null }
    type Dom = { readonly openOrClosedShadowRoot: (host: Element) => ShadowRoot }
    const { dom } = (globalThis as unknown as { chrome: { dom?: Dom } }).chrome
    const rootOf = (host: Element | null): ShadowRoot | null =>
      host === null
        ? null
        : (dom?.openOrClosedShadowRoot(host) ?? (host as Opener).openOrClosedShadowRoot ?? null)
    /** Texts are generated content; the version before has them as text. */
    const textOf = (element: HTMLElement | null | undefined): string => {
      if (element == null) return ""
      const within = [element, ...element.querySelectorAll<HTMLElement>("[data-text]")]
      const shown = within.flatMap(({ dataset: { more, text } }) => [text, more])
      return shown.filter(Boolean).join(" ") || element.innerText.replace(/\s+/g, " ").trim()
    }
    const badges = [...document.querySelectorAll("[data-deedkit=badge], deedkit-badge")].flatMap((host) => {
      const mark = rootOf(host)?.querySelector<HTMLElement>(".mark")
      const link = host.closest("a")
      if (mark == null || link === null) return []
      const { height, width } = mark.getBoundingClientRect()
      const background = getComputedStyle(mark).backgroundColor
      const path = link.pathname + link.search
      return [{ text: textOf(mark), label: mark.ariaLabel ?? "", path, width, height, background }]
    })
    const card = document.querySelector("[data-deedkit=card]")
    const panel = rootOf(document.querySelector("[data-deedkit=panel]"))?.querySelector<HTMLElement>(".box")
    return {
      badges,
      card: card === null ? null : textOf(rootOf(card)?.querySelector<HTMLElement>(".box")),
      panel: panel == null ? null : { text: textOf(panel), isOpen: panel.querySelector(".body") !== null },
    }
  })

/**
 * Presses a button of the panel in the tab at an address, or without a name the pill that opens it. By its key: what a script presses is not
 * heard.
 */
export const press = async (page: Tab, tab: Tab, url: string, name: string | null = null): Promise<void> => {
  await inTab(
    page,
    url,
    (wanted) => {
      type Opener = { readonly openOrClosedShadowRoot?: ShadowRoot | null }
      type Dom = { readonly openOrClosedShadowRoot: (host: Element) => ShadowRoot }
      const { dom } = (globalThis as unknown as { chrome: { dom?: Dom } }).chrome
      const host = document.querySelector("[data-deedkit=panel]")!
      const root = dom?.openOrClosedShadowRoot(host) ?? (host as Opener).openOrClosedShadowRoot
      const buttons = [...(root?.querySelectorAll<HTMLElement>("button") ?? [])]
      const button = buttons.find(({ dataset }) => wanted === null || dataset["name"] === wanted)
      if (button === undefined) throw new Error(`no "${wanted}" in the panel`)
      button.focus()
    },
    name,
  )
  await tab.press("Enter")
}

/**
 * What the extension shows in a page, read as only the extension itself can: its root is closed to the page, and the browser opens it to code
 * of the extension alone. The looking is done by functions that the browser runs beside the content script; like all that are sent to a
 * browser as text, they use their arguments and nothing around them.
 */
import { until } from "./browsers/Driver.ts"
import type { Tab } from "./browsers/Driver.ts"

interface Badge {
  /** What is seen. */
  readonly text: string
  /** What is read out. */
  readonly label: string
  /** Path and query of the link that it stands at. */
  readonly path: string
  /** Of the mark on the page, in pixels. */
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  readonly background: string
}

export interface Marks {
  /** Marks that are seen in the window, in the order of their links. */
  readonly badges: ReadonlyArray<Badge>
  /** Places in the window that show nothing, at cards without a mark. */
  readonly blank: number
  /** Text of the card; null when there is none. */
  readonly card: string | null
  /** Width and height of the area that the card is in; null when there is none. */
  readonly area: string | null
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
  inTab(page, url, async () => {
    type Opener = { readonly openOrClosedShadowRoot?: ShadowRoot | null }
    type Dom = { readonly openOrClosedShadowRoot: (host: Element) => ShadowRoot }
    const { dom } = (globalThis as unknown as { chrome: { dom?: Dom } }).chrome
    const rootOf = (host: Element | null): ShadowRoot | null =>
      host === null
        ? null
        : (dom?.openOrClosedShadowRoot(host) ?? (host as Opener).openOrClosedShadowRoot ?? null)
    /** Texts of marks are generated content. */
    const textOf = (element: HTMLElement | null | undefined): string => {
      if (element == null) return ""
      const within = [element, ...element.querySelectorAll<HTMLElement>("[data-text]")]
      const shown = within.flatMap(({ dataset: { more, text } }) => [text, more])
      return shown.filter(Boolean).join(" ") || element.innerText.replace(/\s+/g, " ").trim()
    }
    const isInWindow = (element: Element): boolean => {
      const { bottom, left, right, top } = element.getBoundingClientRect()
      return right > 0 && bottom > 0 && left < innerWidth && top < innerHeight
    }
    const sizeOf = (element: Element): string => {
      const { height, width } = element.getBoundingClientRect()
      return `${width},${height}`
    }
    const badgeOf = (mark: HTMLElement, link: HTMLAnchorElement | null) => {
      const { height, left, top, width } = mark.getBoundingClientRect()
      const background = getComputedStyle(mark).backgroundColor
      const path = link === null ? "" : link.pathname + link.search
      return { text: textOf(mark), label: mark.ariaLabel ?? "", path, left, top, width, height, background }
    }
    /** The link that is nearest to the middle of a mark's start. */
    const nearest = (mark: HTMLElement): HTMLAnchorElement | null => {
      const { height, left, top } = mark.getBoundingClientRect()
      const far = (link: Element): number => {
        const box = link.getBoundingClientRect()
        if (box.width === 0) return Infinity
        const x = Math.max(box.left - left, 0, left - box.right)
        const y = Math.max(box.top - top - height / 2, 0, top + height / 2 - box.bottom)
        return Math.hypot(x, y)
      }
      const links = [...document.querySelectorAll<HTMLAnchorElement>("a[href]")].filter((link) =>
        link.checkVisibility(),
      )
      const sorted = links.map((link) => [far(link), link] as const).toSorted(([one], [other]) => one - other)
      return sorted[0]?.[1] ?? null
    }
    const roots = [...document.querySelectorAll("html > div")].map(rootOf)
    const root = roots.find((each) => each?.querySelector(".marks") != null)
    // Marks follow the page by frames, so those of a layout that was not painted yet are at links of the one before.
    const boxes = (): string =>
      JSON.stringify(
        [...document.querySelectorAll("a[href]"), ...(root?.querySelectorAll(".spot") ?? [])].map((each) =>
          each.getBoundingClientRect(),
        ),
      )
    const nextFrame = () =>
      new Promise((resolve) => {
        requestAnimationFrame(resolve)
        // A tab that is not shown paints no frame.
        setTimeout(resolve, 100)
      })
    let before = ""
    for (let tries = 0; tries < 20 && before !== boxes(); tries++) {
      before = boxes()
      for (let frames = 0; frames < 3; frames++) await nextFrame()
    }
    const spots = [...(root?.querySelectorAll<HTMLElement>(".spot") ?? [])].filter(
      (spot) => isInWindow(spot) && spot.checkVisibility(),
    )
    const order = [...document.querySelectorAll("a[href]")]
    const marks = spots
      .filter((spot) => spot.matches(".mark"))
      .map((mark) => ({ mark, link: nearest(mark) }))
      .toSorted(({ link: one }, { link: other }) => order.indexOf(one!) - order.indexOf(other!))
    // Gestures are heard by what comes with the first of them, once its styles are there beside the two of the host and those of the marks.
    const isHeard = "deedkit details" in globalThis && (root?.adoptedStyleSheets.length ?? 0) > 3
    const card = root?.querySelector<HTMLElement>(".area > .box")
    const panel = root?.querySelector<HTMLElement>(".panel")
    return {
      badges: (isHeard ? marks : []).map(({ link, mark }) => badgeOf(mark, link)),
      blank: spots.length - marks.length,
      card: card == null ? null : textOf(card),
      area: card?.parentElement == null ? null : sizeOf(card.parentElement),
      panel: panel == null ? null : { text: textOf(panel), isOpen: panel.querySelector(".body") !== null },
    }
  })

/** What the extension shows in the tab at an address, once it is as wanted. */
export const shown = (page: Tab, url: string, isWanted: (marks: Marks) => boolean): Promise<Marks> =>
  until(`marks at ${url}`, () => look(page, url), isWanted)

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
      const roots = [...document.querySelectorAll("html > div")].map(
        (host) => dom?.openOrClosedShadowRoot(host) ?? (host as Opener).openOrClosedShadowRoot,
      )
      const selector = wanted === null ? "button" : `button[data-name="${wanted}"]`
      const button = roots
        .map((root) => root?.querySelector<HTMLElement>(selector))
        .find((found) => found != null)
      if (button === undefined) throw new Error(`no "${wanted}" in the panel`)
      button.focus()
    },
    name,
  )
  await tab.press("Enter")
}

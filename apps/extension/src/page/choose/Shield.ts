/**
 * The overlay on a page while the user chooses one of its links. An empty iframe in a closed root takes pointer and keys: the document around
 * an iframe gets none of its events, so the page sees no click and no key. Above the iframe are an outline around one link and a line with
 * instructions, which take no pointer.
 */
import { browser } from "wxt/browser"
import * as Host from "../host/Host.ts"
import { boxOf } from "../marks/Sight.ts"
import styles from "./choose.css?inline"

export interface Shield {
  /** Whether the overlay is still on the page, which can remove it. */
  readonly isThere: () => boolean
  /** Draws the outline around a link, and announces its address to screen readers; no outline for null. */
  readonly frame: (link: Element | null, target: string) => void
  /** Whether a point of the window is on the cancel button. */
  readonly isCancel: (x: number, y: number) => boolean
}

/** Takes an event, with the position of the pointer in the page's window. */
type Take = (event: Event, x: number, y: number) => void

/** Events that are stopped in the page's own document when the iframe does not get them, as under a dialog of the page. */
const stopped = [
  "click",
  "auxclick",
  "dblclick",
  "mousedown",
  "mouseup",
  "pointerdown",
  "pointerup",
  "dragstart",
]

/** Covers the page until the signal ends it. `take` gets only events of the user, none that a script has made. */
export const make = (take: Take, cancel: () => void, signal: AbortSignal): Shield => {
  const host = document.createElement("div")
  const root = host.attachShadow({ mode: "closed" })
  root.adoptedStyleSheets = Host.sheets
  Host.addStyles(root, styles)
  const pane = document.createElement("iframe")
  pane.title = browser.i18n.getMessage("chooseHint")
  const outline = Host.element("div", "outline")
  const button = Host.line("button", "cancel", browser.i18n.getMessage("chooseCancel"))
  button.addEventListener("click", (event) => event.isTrusted && cancel(), { signal })
  const hint = Host.element("div", "hint", Host.line("span", "words", pane.title), button)
  const shield = Host.element("div", "shield", pane, outline, hint)
  shield.popover = "manual"
  root.append(shield)

  const listen = (target: EventTarget, type: string, hear: (event: Event) => void): void =>
    target.addEventListener(type, (event) => event.isTrusted && hear(event), {
      capture: true,
      passive: false,
      signal,
    })
  /** The element that screen readers announce. Its text is the page's own. */
  let named: HTMLElement | null = null
  // Firefox creates the iframe's document a moment later.
  pane.addEventListener("load", () => {
    const { contentDocument, contentWindow } = pane
    if (contentDocument === null || contentWindow === null) return
    named = contentDocument.createElement("p")
    named.role = "status"
    named.style.opacity = "0"
    contentDocument.body.replaceChildren(named)
    contentDocument.documentElement.style.cursor = "crosshair"
    for (const type of ["click", "pointermove", "keydown"]) {
      listen(contentWindow, type, (event) => {
        const { clientX = 0, clientY = 0 } = event as Partial<PointerEvent>
        const { left, top, width } = shield.getBoundingClientRect()
        // A page can be zoomed by its own style.
        const scale = width / (contentWindow.innerWidth || width)
        take(event, left + clientX * scale, top + clientY * scale)
      })
    }
    pane.focus()
  })
  for (const type of stopped) {
    listen(window, type, (event) => {
      if (event.composedPath()[0] === button) return
      event.preventDefault()
      event.stopImmediatePropagation()
      const { clientX, clientY } = event as PointerEvent
      if (type === "click") take(event, clientX, clientY)
    })
  }
  listen(window, "keydown", (event) => {
    event.stopImmediatePropagation()
    take(event, 0, 0)
  })
  listen(window, "pointermove", (event) => {
    const { clientX, clientY } = event as PointerEvent
    take(event, clientX, clientY)
  })

  document.documentElement.append(host)
  shield.showPopover()
  pane.focus()
  signal.addEventListener("abort", () => host.remove())
  return {
    isThere: () => host.isConnected,
    frame: (link, target) => {
      outline.hidden = link === null
      if (named !== null && named.textContent !== target) named.textContent = target
      if (link === null) return
      const box = boxOf(link)
      const { height, left, top, width } = shield.getBoundingClientRect()
      const { style } = outline
      style.left = `${(100 * (box.left - left)) / width}%`
      style.top = `${(100 * (box.top - top)) / height}%`
      style.width = `${(100 * box.width) / width}%`
      style.height = `${(100 * box.height) / height}%`
    },
    isCancel: (x, y) => {
      const { bottom, left, right, top } = button.getBoundingClientRect()
      return x >= left && x < right && y >= top && y < bottom
    },
  }
}

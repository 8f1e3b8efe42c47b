/**
 * The one element of the extension in a foreign page: a `div` without an attribute behind the body, which stands on every page of a site that
 * was allowed, so that it says nothing of what the page shows. All else is in its closed root, under constructed style sheets. Browsers let a
 * page search, select and copy the text within closed roots, so there is none: texts are attributes, which the style sheet shows as generated
 * content, and which screen readers read. An element of a name of its own could be defined by the page, which would be given its root.
 */
import { browser } from "wxt/browser"
import { text } from "../../ui/kit/Message.ts"
import * as Sheet from "./Sheet.ts"

/** Elements of versions before, which stood in the page's own tree. */
const earlier = "[data-deedkit],deedkit-badge,deedkit-card,deedkit-panel"

/** Of the element that holds all marks; an element without it is not the extension's. */
const inner = "marks"

/** Times that the element is put back where the page takes it out or elsewhere. */
const mostReturns = 20

/** Frames until a first paint may be seen, and until its layer is given back. */
const seenAfter = 3
const settledAfter = 6

export interface Host {
  readonly root: ShadowRoot
  /** Holds the layers of the marks. */
  readonly list: HTMLElement
  /** Puts the element behind the body. */
  readonly attach: () => void
  /** Puts it back where the page has taken it out or elsewhere. */
  readonly keep: () => void
  readonly remove: () => void
}

type Opener = { readonly openOrClosedShadowRoot?: ShadowRoot | null }
type Dom = { readonly openOrClosedShadowRoot: (host: HTMLElement) => ShadowRoot | null }

/** The root of an element of whatever script, which browsers give to content scripts alone. */
const rootOf = (host: HTMLElement): ShadowRoot | null | undefined =>
  (browser as { readonly dom?: Dom }).dom?.openOrClosedShadowRoot(host) ??
  (host as Opener).openOrClosedShadowRoot

/** Takes out what scripts left that have ended without doing so: those of versions before, and of this one before an update. */
const sweep = (): void => {
  for (const element of document.querySelectorAll(earlier)) element.remove()
  for (const element of document.querySelectorAll<HTMLElement>("html > div")) {
    if (rootOf(element)?.querySelector(`.${inner}`)) element.remove()
  }
}

/** The element, in no place yet. `returned` is called when it was put back, which closes what was open in it. */
export const make = (returned: () => void): Host => {
  sweep()
  const host = document.createElement("div")
  const root = host.attachShadow({ mode: "closed" })
  root.adoptedStyleSheets = Sheet.all
  const list = element("div", inner)
  list.role = "list"
  list.ariaLabel = text("extensionAction")
  root.append(list)
  // React 18 hydrates a whole document only where it finds nothing behind the body. At this comment, the end of its own boundaries, it looks no further.
  const end = document.createComment("/$")
  let isWanted = false
  let returns = 0
  return {
    root,
    list,
    attach: () => {
      isWanted = true
      if (!host.isConnected) document.documentElement.append(end, host)
    },
    keep: () => {
      const parent = document.documentElement as Element | null
      if (!isWanted || parent === null || host.parentNode === parent || returns++ >= mostReturns) return
      parent.append(end, host)
      returned()
    },
    remove: () => {
      isWanted = false
      end.remove()
      host.remove()
    },
  }
}

/**
 * Lets what is in an element, and was never painted, appear so that the browser reports no paint of it to the page: first it is painted on a
 * layer of its own that cannot be seen, and then only composited. A text that changes needs a new element.
 */
export const silently = ({ style }: HTMLElement): void => {
  style.opacity = "0"
  style.willChange = "opacity"
  let frames = 0
  const step = (): void => {
    frames++
    if (frames === seenAfter) style.opacity = ""
    if (frames < settledAfter) requestAnimationFrame(step)
    else style.willChange = ""
  }
  requestAnimationFrame(step)
}

/** An element with a class and with elements in it. */
export const element = (tag: string, className: string, ...content: ReadonlyArray<Node>): HTMLElement => {
  const made = document.createElement(tag)
  made.className = className
  made.append(...content)
  return made
}

/** Has an element show one line of text, and no other. */
export const write = (element: HTMLElement, words: string): void => {
  element.dataset["text"] = words
}

/** Makes an element a mark in the colour of a status. Statuses that the style sheet does not know have one colour. Spec: Contract status. */
export const dress = (mark: HTMLElement, status: string, words: string): void => {
  mark.classList.add("mark")
  mark.dataset["status"] = status
  write(mark, words)
}

/** An element with a class that shows one line of text. */
export const line = (tag: string, className: string, words: string): HTMLElement => {
  const made = element(tag, className)
  write(made, words)
  return made
}

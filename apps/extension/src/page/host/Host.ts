/**
 * The one element of the extension in a foreign page: a `div` without an attribute behind the body, which stands on every page of a site that
 * was allowed, so that it says nothing of what the page shows. All else is in its closed root, under constructed style sheets. An element of a
 * name of its own could be defined by the page, which would be given its root.
 */
import { browser } from "wxt/browser"
import * as Sheet from "./Sheet.ts"

/** Elements of the version before, which stood in the page's own tree, each with a root. */
const earlier = "deedkit-badge,deedkit-card,deedkit-panel"

/** Of the element that holds all marks; an element without it is not the extension's. */
const inner = "marks"

/** Times in a row that the element is put back where the page takes it out or elsewhere, and the pause after which it is tried again. */
const mostReturns = 20
const restMillis = 5_000

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

/** Takes out what scripts left that have ended without doing so: those of the version before, and of this one before an update. */
const sweep = (): void => {
  for (const element of document.querySelectorAll<HTMLElement>(earlier)) {
    if (rootOf(element)) element.remove()
  }
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
  const list = document.createElement("div")
  list.className = inner
  root.append(list)
  // React 18 hydrates a whole document only where it finds nothing behind the body. At this comment, the end of its own boundaries, it looks no further.
  const end = document.createComment("/$")
  let isWanted = false
  let returns = 0
  let returnedAt = 0
  return {
    root,
    list,
    attach: () => {
      isWanted = true
      if (!host.isConnected) document.documentElement.append(end, host)
    },
    keep: () => {
      const parent = document.documentElement as Element | null
      if (!isWanted || parent === null || host.parentNode === parent) return
      if (performance.now() - returnedAt > restMillis) returns = 0
      if (returns++ >= mostReturns) return
      returnedAt = performance.now()
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

/**
 * The extension's only element in a site's page: a `div` without attributes after the body. Every page of a granted site has it, so it reveals nothing
 * about what the page shows. Everything else is in its closed root, under constructed style sheets. It has no name of its own because the page could
 * define such an element and would be given its root. Also what is drawn in the root: lines of text that the page cannot read, the words of badges,
 * and the layers that keep marks above the parts of the page that they belong to.
 */
import { browser } from "wxt/browser"
import styles from "./host.css?inline"
import type { Theme } from "../messages/AppState.ts"
import type { BadgeFact } from "../messages/ListingMessage.ts"
import { number, plural, text, worded } from "../ui/kit/Message.ts"
import { fits, parentOf } from "./Links.ts"

/** Class of the element that holds all marks; a host without such an element is not the extension's. */
const inner = "marks"

/** Times in a row that the element is put back when the page removes or moves it, and the pause after which that is tried again. */
const mostReturns = 20
const restMillis = 5_000

export interface Host {
  readonly root: ShadowRoot
  /** Holds the layers of the marks. */
  readonly list: HTMLElement
  /** Puts the element behind the body. */
  readonly attach: () => void
  /** Puts it back if the page has removed or moved it. */
  readonly keep: () => void
  readonly remove: () => void
}

type Opener = { readonly openOrClosedShadowRoot?: ShadowRoot | null }
type Dom = { readonly openOrClosedShadowRoot: (host: HTMLElement) => ShadowRoot | null }

/** The root of an element, whichever script made it. Browsers give it only to content scripts. */
const rootOf = (host: HTMLElement): ShadowRoot | null | undefined =>
  (browser as { readonly dom?: Dom }).dom?.openOrClosedShadowRoot(host) ??
  (host as Opener).openOrClosedShadowRoot

/** Removes elements of scripts that an update ended before they could remove them. */
const sweep = (): void => {
  for (const element of document.querySelectorAll<HTMLElement>("html > div")) {
    if (rootOf(element)?.querySelector(`.${inner}`)) element.remove()
  }
}

/** Makes the element, not attached yet. `returned` is called after it was put back, which closes what was open in it. */
export const make = (returned: () => void): Host => {
  sweep()
  const host = document.createElement("div")
  const root = host.attachShadow({ mode: "closed" })
  root.adoptedStyleSheets = sheets
  const list = document.createElement("div")
  list.className = inner
  root.append(list)
  // React 18 hydrates a whole document only if it finds nothing after the body. It stops at this comment, which ends its own boundaries.
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

const sheet = (text: string): CSSStyleSheet => {
  const made = new CSSStyleSheet()
  made.replaceSync(text)
  return made
}

const theme = sheet("")

/** The sheets that the root has from the start. */
const sheets: Array<CSSStyleSheet> = [sheet(styles), theme]

/** Sets the theme of everything that is shown now or later. */
export const setTheme = (chosen: Theme): void =>
  theme.replaceSync(chosen === "system" ? "" : `:host { color-scheme: ${chosen} !important }`)

/** Adds the styles of a part to those of a root. */
export const addStyles = (root: ShadowRoot, text: string): void => {
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet(text)]
}

/** Frames until a first paint may be visible, and until its layer is released. */
const seenAfter = 3
const settledAfter = 6

/**
 * Shows the content of an element that was never painted so that the browser reports no paint of it to the page: the content is first painted
 * on an invisible layer of its own, and then only composited. A text that changes needs a new element.
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

/** An element with a class and with content. */
export const element = (tag: string, className: string, ...content: ReadonlyArray<Node>): HTMLElement => {
  const made = document.createElement(tag)
  made.className = className
  made.append(...content)
  return made
}

/** Sets the one line of text that an element shows. */
export const write = (element: HTMLElement, words: string): void => {
  element.dataset["text"] = words
}

/** Makes an element a mark in the colour of a status. Statuses that the style sheet does not know share one colour. Spec: Contract status. */
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

/** Most characters of a value that are shown. */
const characters = 60

/** Spaces and invisible characters, except the two joiners that some scripts are written with. */
const invisible = /(?:(?![\u200C\u200D])[\s\p{Cc}\p{Cf}\p{Cs}])+/gu

/** The first half of a surrogate pair that was cut in two. */
const half = /[\uD800-\uDBFF]$/

/** A text without control characters, cut to 60 characters. */
export const shown = (text: string): string => {
  const line = text
    .slice(0, 4 * characters)
    .replace(invisible, " ")
    .trim()
  return line.length > characters ? `${line.slice(0, characters - 1).replace(half, "")}…` : line
}

const plain = /^[ -~]*$/

/**
 * A value with its direction isolated, between characters that it cannot contain itself. A value of plain ASCII needs none, and is laid
 * out sooner.
 */
export const apart = (text: string): string => {
  const line = shown(text)
  return plain.test(line) ? line : `\u2068${line}\u2069`
}

/** What stands on one picture of several, such as `1/10`. */
const counter = /^\d+\s*\/\s*\d+$/

/** The first of some texts that names a listing, as it is shown; empty if none does. */
export const nameIn = (texts: ReadonlyArray<string>): string =>
  texts.map(shown).find((text) => text !== "" && !counter.test(text)) ?? ""

/** The largest number that fits on a badge. */
const mostShown = 999

const short = (count: number): string => (count > mostShown ? `${mostShown}+` : String(count))

/** A value in words, between characters that isolate its direction; `?` if it is empty. */
const said = (value: string): string => apart(worded(value)) || "?"

/**
 * A badge in full, for screen readers: `3 contracts: 1 active (sale), 1 draft (sale), 1 ended (rent)`. Each number counts exactly the contracts that
 * the words after it describe.
 */
export const badgeLabel = ({ count, groups }: BadgeFact): string => {
  const named = groups.map((group) => `${number(group.count)} ${said(group.status)} (${said(group.kind)})`)
  const left = groups.reduce((rest, group) => rest - group.count, count)
  const more = left > 0 ? `. ${text("listingMore", number(left))}` : ""
  return `${plural("contracts", count)}: ${named.join(", ")}${more}`
}

/** Makes an element a badge in short: how many contracts have the leading status, and how many others there are: `1 active` and `+2`. */
export const writeBadge = (mark: HTMLElement, { count, leading, status }: BadgeFact): void => {
  const others = count - leading
  dress(mark, status, `${short(leading)} ${said(status)}`)
  if (others > 0) mark.dataset["more"] = `+${short(others)}`
  else delete mark.dataset["more"]
}

const above = ":modal,:popover-open,:fullscreen"

export interface Layers {
  /** The layer for a mark at an element of the page. */
  readonly of: (anchor: Element) => HTMLElement
  /** Adds to a layer an element that was never shown. */
  readonly add: (layer: HTMLElement, mark: HTMLElement) => void
  /** Hides the upper layer. With its next mark, it is shown above what the page has opened since. */
  readonly raise: () => void
}

/** The corner of the window from which a layer counts, and its zoom. */
const originOf = (layer: HTMLElement) => {
  const { left, top } = layer.getBoundingClientRect()
  return { left, top, zoom: (layer as { readonly currentCSSZoom?: number }).currentCSSZoom ?? 1 }
}

/**
 * Returns a function that gives the transform which moves a mark of a layer to a place in the window; empty without a place. Each layer is
 * measured once, so no layer may move meanwhile.
 */
export const transforms = () => {
  const origins = new Map<HTMLElement, ReturnType<typeof originOf>>()
  return (layer: HTMLElement | null, place: readonly [x: number, y: number] | null): string => {
    if (layer === null || place === null) return ""
    const { left, top, zoom } = origins.get(layer) ?? originOf(layer)
    origins.set(layer, { left, top, zoom })
    const [x, y] = [(place[0] - left) / zoom, (place[1] - top) / zoom]
    return `translate(${x.toFixed(1)}px,${y.toFixed(1)}px)`
  }
}

export const makeLayers = (list: HTMLElement): Layers => {
  const [flow, fixed, top] = ["flow", "fixed", "top"].map((name) => element("div", name)) as [
    HTMLElement,
    HTMLElement,
    HTMLElement,
  ]
  top.popover = "manual"
  list.append(flow, fixed, top)
  /** Marks that are drawn together appear together, on one layer of the compositor. */
  const batches = new Map<HTMLElement, HTMLElement>()
  /** Layers by element, kept for as long as the page cannot change: cards that stand together share one. */
  const layerAt = new Map<Element, HTMLElement>()

  const layerOf = (anchor: Element): HTMLElement => {
    const passed: Array<Element> = []
    const found = (): HTMLElement => {
      for (let at: Element | null = anchor; at !== null; at = at.assignedSlot ?? parentOf(at)) {
        if (at === document.documentElement) break
        const before = layerAt.get(at)
        if (before !== undefined) return before
        if (fits(at, above)) {
          if (!fits(top, above)) top.showPopover()
          return top
        }
        if (getComputedStyle(at).position === "fixed") return fixed
        passed.push(at)
      }
      return flow
    }
    const layer = found()
    if (layerAt.size === 0) queueMicrotask(() => layerAt.clear())
    for (const at of passed) layerAt.set(at, layer)
    return layer
  }

  const batchIn = (layer: HTMLElement): HTMLElement => {
    const known = batches.get(layer)
    if (known !== undefined) return known
    if (batches.size === 0) queueMicrotask(() => batches.clear())
    for (const old of layer.querySelectorAll(".batch:empty")) old.remove()
    const batch = element("div", "batch")
    layer.append(batch)
    batches.set(layer, batch)
    silently(batch)
    return batch
  }
  return {
    of: layerOf,
    add: (layer, mark) => batchIn(layer).append(mark),
    raise: () => {
      if (top.isConnected) top.hidePopover()
    },
  }
}

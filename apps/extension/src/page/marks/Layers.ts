/**
 * The three layers that hold marks: one that moves with the document, which the browser scrolls without a script, one that is fixed like the
 * page's fixed parts, and one above dialogs, popovers and full screen. None takes the pointer, and none makes the document larger: the first
 * is at the document's end, and content above it is no overflow.
 */
import { fits, parentOf } from "../links/Scan.ts"
import { element, silently } from "../host/Host.ts"

const above = ":modal,:popover-open,:fullscreen"

export interface Layers {
  /** The layer for a mark at an element of the page. */
  readonly of: (anchor: Element) => HTMLElement
  /** Adds to a layer an element that was never shown. */
  readonly add: (layer: HTMLElement, mark: HTMLElement) => void
  /** Hides the upper layer. With its next mark, it is shown above what the page has opened since. */
  readonly raise: () => void
}

/** The transform that moves a mark of a layer to a place in the window; empty without a place. */
export const transformOf = (
  layer: HTMLElement | null,
  place: readonly [x: number, y: number] | null,
): string => {
  if (layer === null || place === null) return ""
  const { left, top } = layer.getBoundingClientRect()
  const zoom = (layer as { readonly currentCSSZoom?: number }).currentCSSZoom ?? 1
  const [x, y] = [(place[0] - left) / zoom, (place[1] - top) / zoom]
  return `translate(${x.toFixed(1)}px,${y.toFixed(1)}px)`
}

export const make = (list: HTMLElement): Layers => {
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

/**
 * Watches the page for what is added to it, and tells of that alone, gathered for a moment. Whatever the extension itself adds is left out.
 */
import { closest } from "../marks/Elements.ts"
import * as Shadow from "../marks/Shadow.ts"

const gatherMillis = 50

/** What the page has done since the last time. */
export interface Addition {
  /** Elements that came, and links whose address changed. */
  readonly added: ReadonlySet<Element>
  /** Links whose content changed. */
  readonly changed: ReadonlySet<Element>
}

/**
 * Calls back with what was added to the page, until the signal ends it. The function that it gives watches one more tree, such as an open shadow
 * root, that belongs to the page.
 */
export const watch = (take: (addition: Addition) => void, signal: AbortSignal): ((tree: Node) => void) => {
  let added = new Set<Element>()
  let changed = new Set<Element>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const tell = (): void => {
    const addition = { added, changed }
    timer = undefined
    added = new Set()
    changed = new Set()
    take(addition)
  }
  const note = ({ addedNodes, target, type }: MutationRecord): void => {
    if (type === "attributes") {
      added.add(target as Element)
      return
    }
    for (const node of addedNodes) {
      if (node instanceof Element && !Shadow.isHost(node)) added.add(node)
    }
    const link = closest(target, "a")
    if (link !== null) changed.add(link)
  }
  const observer = new MutationObserver((records) => {
    for (const record of records) note(record)
    if (added.size + changed.size > 0) timer ??= setTimeout(tell, gatherMillis)
  })
  const observe = (tree: Node): void =>
    observer.observe(tree, { childList: true, subtree: true, attributeFilter: ["href", "data-href"] })
  observe(document)
  signal.addEventListener("abort", () => {
    observer.disconnect()
    clearTimeout(timer)
  })
  return observe
}

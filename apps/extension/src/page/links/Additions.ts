/** Watches the page for additions, and reports only those, gathered over a short time. */

const gatherMillis = 50

/**
 * Calls back with added elements, and with links whose address changed, until the signal ends it. The returned function watches one more tree of
 * the page, such as an open shadow root. Of an element it watches all attributes, because no filter finds those of a namespace.
 */
export const watch = (
  take: (added: ReadonlySet<Element>) => void,
  signal: AbortSignal,
): ((tree: Node) => void) => {
  let added = new Set<Element>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const tell = (): void => {
    const all = added
    timer = undefined
    added = new Set()
    take(all)
  }
  const note = ({ addedNodes, target, type }: MutationRecord): void => {
    if (type === "attributes") {
      added.add(target as Element)
      return
    }
    for (const node of addedNodes) {
      if (node instanceof Element) added.add(node)
    }
  }
  const observer = new MutationObserver((records) => {
    for (const record of records) note(record)
    if (added.size > 0) timer ??= setTimeout(tell, gatherMillis)
  })
  const observe = (tree: Node): void =>
    observer.observe(
      tree,
      tree instanceof Element
        ? { attributes: true }
        : { childList: true, subtree: true, attributeFilter: ["href", "data-href", "role"] },
    )
  observe(document)
  signal.addEventListener("abort", () => {
    observer.disconnect()
    clearTimeout(timer)
  })
  return observe
}

/**
 * DOM methods that no page can replace: if a form has a field with the name of one of its methods, the form gives the field instead of the
 * method.
 */

/** The nearest element that a selector matches, beginning with the node itself. */
export const closest = (node: EventTarget | null, selector: string): Element | null =>
  node instanceof Element ? Element.prototype.closest.call(node, selector) : null

/** Whether a selector matches an element. */
export const fits = (element: Element, selector: string): boolean =>
  Element.prototype.matches.call(element, selector)

/** The elements within an element that a selector matches. */
export const all = (element: Element, selector: string): Iterable<Element> =>
  Element.prototype.querySelectorAll.call(element, selector)

/** The parent of an element; at the top of a shadow root, its host. */
export const parentOf = (element: Element): Element | null =>
  (Reflect.get(Node.prototype, "parentElement", element) as Element | null) ??
  (Node.prototype.getRootNode.call(element) as Partial<ShadowRoot>).host ??
  null

/**
 * Questions to elements that no page can answer in their place: where a form has a field that is named like one of its methods, the form
 * gives the field for the method.
 */

/** The nearest element around a node, or the node itself, that a selector fits. */
export const closest = (node: EventTarget | null, selector: string): Element | null =>
  node instanceof Element ? Element.prototype.closest.call(node, selector) : null

/** Whether a selector fits an element. */
export const fits = (element: Element, selector: string): boolean =>
  Element.prototype.matches.call(element, selector)

/** The elements within an element that a selector fits. */
export const all = (element: Element, selector: string): Iterable<Element> =>
  Element.prototype.querySelectorAll.call(element, selector)

/** The element around an element, also where that is the host of the root that it stands in. */
export const parentOf = (element: Element): Element | null =>
  (Reflect.get(Node.prototype, "parentElement", element) as Element | null) ??
  (Node.prototype.getRootNode.call(element) as Partial<ShadowRoot>).host ??
  null

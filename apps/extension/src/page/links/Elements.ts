/**
 * Questions to elements that no page can answer in their place: where a form has a field that is named like one of its methods, the form
 * gives the field for the method.
 */

/** The nearest element around a node, or the node itself, that a selector fits. */
export const closest = (node: EventTarget | null, selector: string): Element | null =>
  node instanceof Element ? Element.prototype.closest.call(node, selector) : null

/** The elements within an element that a selector fits. */
export const all = (element: Element, selector: string): Iterable<Element> =>
  Element.prototype.querySelectorAll.call(element, selector)

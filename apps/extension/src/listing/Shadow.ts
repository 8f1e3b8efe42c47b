/**
 * Elements of the extension in a foreign page: each a host without attributes, its content in a closed shadow root under a constructed
 * style sheet, so that neither the page's styles nor its policy reach in, and its scripts do not either.
 */
import * as Sheet from "./Sheet.ts"

/** Names of hosts. They are never defined as custom elements. */
export const names = { badge: "deedkit-badge", card: "deedkit-card", panel: "deedkit-panel" } as const

type Name = (typeof names)[keyof typeof names]

export interface Shadow {
  readonly host: HTMLElement
  readonly root: ShadowRoot
}

export const isOurs = (node: Node): boolean => node.nodeName.startsWith("DEEDKIT-")

/** A host with an empty root, in no place yet. */
export const make = (page: Document, name: Name): Shadow => {
  const host = page.createElement(name)
  const root = host.attachShadow({ mode: "closed" })
  root.adoptedStyleSheets = Sheet.all
  return { host, root }
}

/** Takes every element of the extension out of a page, also those that an earlier version of it left behind. */
export const sweep = (page: Document): void => {
  for (const host of page.querySelectorAll(Object.values(names).join())) host.remove()
}

/** An element with a class and with texts or elements in it. Data becomes text nodes, never markup. */
export const element = (
  page: Document,
  tag: string,
  className: string,
  ...content: ReadonlyArray<Node | string>
): HTMLElement => {
  const made = page.createElement(tag)
  if (className !== "") made.className = className
  made.append(...content)
  return made
}

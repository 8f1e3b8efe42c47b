/**
 * Elements of the extension in a foreign page: each a host, its content in a closed shadow root under a constructed style sheet, so that
 * neither the page's styles nor its policy reach in. A host is a `span`: an element of a name of its own could be defined by the page, and
 * what defines an element is given its root. Browsers let a page search, select and copy the text within closed roots too, so there is none:
 * texts are attributes, which the style sheet shows as generated content, and which screen readers read.
 */
import * as Sheet from "./Sheet.ts"

/** Of every host; its value says what the host is. */
const attribute = "data-deedkit"

/** Hosts, and copies that a page made of them. */
export const selector = `[${attribute}]`

/** Hosts of versions before, which had names of their own. */
const earlier = "deedkit-badge,deedkit-card,deedkit-panel"

export interface Shadow {
  readonly host: HTMLElement
  readonly root: ShadowRoot
}

const hosts = new WeakSet<object>()

/** Whether this is a host, and no copy of one. */
export const isHost = (node: object | null): node is Element => hosts.has(node!)

/** A host with an empty root, in no place yet. */
export const make = (kind: "badge" | "card" | "panel"): Shadow => {
  const host = document.createElement("span")
  host.setAttribute(attribute, kind)
  hosts.add(host)
  const root = host.attachShadow({ mode: "closed" })
  root.adoptedStyleSheets = Sheet.all
  return { host, root }
}

/** Takes every element of the extension out of the page, also those that an earlier version of it left behind. */
export const sweep = (): void => {
  for (const host of document.querySelectorAll(`${selector},${earlier}`)) host.remove()
}

/** An element with a class and with elements in it. */
export const element = (tag: string, className: string, ...content: ReadonlyArray<Node>): HTMLElement => {
  const made = document.createElement(tag)
  made.className = className
  made.append(...content)
  return made
}

/** Has an element show one line of text, and no other. */
export const write = (element: HTMLElement, text: string): void => {
  element.dataset["text"] = text
}

/** Makes an element a mark in the colour of a status. Statuses that the style sheet does not know have one colour. Spec: Contract status. */
export const dress = (mark: HTMLElement, status: string, text: string): void => {
  mark.className = "mark"
  mark.dataset["status"] = status
  write(mark, text)
}

/** An element with a class that shows one line of text. */
export const line = (tag: string, className: string, text: string): HTMLElement => {
  const made = element(tag, className)
  write(made, text)
  return made
}

/**
 * What a content script finds in a browser and happy-dom does not have: the extension's side of `browser`, the popover calls, a layout in which
 * links stand in rows, and a look into closed shadow roots, which in a browser nobody but the script itself has. Imported before everything
 * that uses `browser`.
 */
import greek from "../../public/_locales/el/messages.json" with { type: "json" }
import english from "../../public/_locales/en/messages.json" with { type: "json" }
import portuguese from "../../public/_locales/pt_PT/messages.json" with { type: "json" }

interface Message {
  readonly message: string
  readonly placeholders?: { readonly [name: string]: { readonly content: string } }
}

type Hear = (message: unknown, sender: object, respond: (answer: unknown) => void) => void
const languages = { en: english, el: greek, pt_PT: portuguese } as const
let texts: { readonly [name: string]: Message } = english

/** Has the extension speak a language; modules that were loaded before keep their number formats. */
export const speak = (locale: keyof typeof languages): void => {
  texts = languages[locale]
}

const getMessage = (name: string, values: ReadonlyArray<string> = []): string => {
  const { message = "", placeholders = {} } = texts[name] ?? {}
  return message
    .replace(
      /\$([A-Za-z_]+)\$/g,
      (_, placeholder: string) => placeholders[placeholder.toLowerCase()]?.content ?? "",
    )
    .replace(/\$(\d)/g, (_, position: string) => values[Number(position) - 1] ?? "")
}

/** The listeners that the code under test has added. */
const listeners = new Set<Hear>()

/** What `sendMessage` does; the test sets it. */
const background: { answer: (message: unknown) => Promise<unknown> } = {
  answer: () => Promise.resolve(null),
}

/** Height of the row of each link of the page; each is as wide as the window. */
export const rowHeight = 40

/** The rows of the page's links, as they are at a moment. */
let rows: { readonly at: number; readonly of: ReadonlyMap<Element, number> } = { at: -1, of: new Map() }

const rowOf = (link: Element | null | undefined): number | undefined => {
  const at = performance.now()
  if (rows.at !== at) {
    rows = { at, of: new Map(Array.from(document.querySelectorAll("a"), (one, row) => [one, row])) }
  }
  return link == null ? undefined : rows.of.get(link)
}

/** The rows of the links that an element is, holds or lies in. */
const boxOf = (element: Element): DOMRect => {
  const within = element.localName === "a" ? [] : [...element.querySelectorAll("a")]
  const first = rowOf(element.closest("a")) ?? rowOf(within[0])
  if (first === undefined) return new DOMRect()
  return new DOMRect(
    0,
    rowHeight * first,
    innerWidth,
    rowHeight * ((rowOf(within.at(-1)) ?? first) - first + 1),
  )
}

/** Origin of the extension's pages. */
const ownOrigin = "chrome-extension://deedkit-test"

const runtime: {
  id: string | undefined
  getURL: (path: string) => string
  sendMessage: (message: unknown) => Promise<unknown>
  onMessage: object
} = {
  id: "deedkit-test",
  getURL: (path) => `${ownOrigin}/${path}`,
  sendMessage: (message) => background.answer(message),
  onMessage: {
    addListener: (hear: Hear) => void listeners.add(hear),
    removeListener: (hear: Hear) => void listeners.delete(hear),
  },
}

/** Says something to the content script, as one of the extension's own pages unless said; undefined where nobody answers. */
export const say = (message: unknown, sender: object = {}): unknown => {
  const page = { id: runtime.id, url: `${ownOrigin}/popup.html`, origin: ownOrigin }
  let answer: unknown
  for (const hear of listeners) hear(message, { ...page, ...sender }, (given) => (answer = given))
  return answer
}

Object.assign(globalThis, { browser: { runtime, i18n: { getMessage } } })

/** What was scrolled to. */
export const scrolledTo: Array<Element> = []

const roots = new WeakMap<Element, { readonly root: ShadowRoot; readonly mode: ShadowRootMode }>()

if (typeof Element !== "undefined") {
  const plain: { readonly attachShadow: (this: Element, init: ShadowRootInit) => ShadowRoot } =
    Element.prototype
  const { attachShadow } = plain
  Element.prototype.attachShadow = function (this: Element, init: ShadowRootInit) {
    const root = attachShadow.call(this, init)
    roots.set(this, { root, mode: init.mode })
    return root
  }
  Object.assign(HTMLElement.prototype, { showPopover: () => {}, hidePopover: () => {} })
  Element.prototype.getBoundingClientRect = function (this: Element) {
    return boxOf(this)
  }
  Object.assign(Element.prototype, {
    checkVisibility: () => true,
    scrollIntoView(this: Element) {
      scrolledTo.push(this)
    },
  })
  Object.assign(document, {
    elementFromPoint: (_: number, y: number) =>
      document.querySelectorAll("a")[Math.floor(y / rowHeight)] ?? document.body,
  })
}

/** The root that was attached to a host; fails when there is none or when a page could open it. */
const rootOf = (host: Element | null | undefined): ShadowRoot => {
  const known = host == null ? undefined : roots.get(host)
  if (known === undefined) throw new Error("this element has no shadow root")
  if (known.mode !== "closed") throw new Error("this shadow root is open to the page")
  return known.root
}

/** The root of the extension's element behind the body; null where there is none. */
export const ownRoot = (): ShadowRoot | null => {
  const host = document.documentElement.lastElementChild
  return host === document.body ? null : rootOf(host)
}

/** What an element in it shows: generated content, for it may hold no text. */
export const textOf = (element: HTMLElement | null | undefined): string => {
  if (element == null) throw new Error("there is no such element")
  if (element.textContent !== "") throw new Error(`this holds the text "${element.textContent}"`)
  const texts = [element, ...element.querySelectorAll<HTMLElement>("[data-text]")].flatMap(
    ({ dataset: { more, text } }) => [text, more],
  )
  return texts.filter(Boolean).join(" ")
}

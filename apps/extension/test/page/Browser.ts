/**
 * What a content script finds in a browser and happy-dom does not have: the extension's side of `browser`, the popover calls, and a look into
 * closed shadow roots, which in a browser nobody but the script itself has. Imported before everything that uses `browser`.
 */
import greek from "../../public/_locales/el/messages.json" with { type: "json" }
import english from "../../public/_locales/en/messages.json" with { type: "json" }
import portuguese from "../../public/_locales/pt_PT/messages.json" with { type: "json" }

interface Message {
  readonly message: string
  readonly placeholders?: { readonly [name: string]: { readonly content: string } }
}

type Hear = (message: unknown) => void
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

const runtime: {
  id: string | undefined
  sendMessage: (message: unknown) => Promise<unknown>
  onMessage: object
} = {
  id: "deedkit-test",
  sendMessage: (message) => background.answer(message),
  onMessage: {
    addListener: (hear: Hear) => void listeners.add(hear),
    removeListener: (hear: Hear) => void listeners.delete(hear),
  },
}

Object.assign(globalThis, { browser: { runtime, i18n: { getMessage } } })

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
  Object.assign(HTMLElement.prototype, { showPopover: () => {} })
}

/** The root that was attached to a host; fails when there is none or when a page could open it. */
export const rootOf = (host: Element | null | undefined): ShadowRoot => {
  const known = host == null ? undefined : roots.get(host)
  if (known === undefined) throw new Error("this element has no shadow root")
  if (known.mode !== "closed") throw new Error("this shadow root is open to the page")
  return known.root
}

/** What a host shows: generated content, for it may hold no text. */
export const textOf = (host: Element | null | undefined): string => {
  const root = rootOf(host)
  if (root.textContent !== "") throw new Error(`this root holds the text "${root.textContent}"`)
  const shown = [...root.querySelectorAll<HTMLElement>("[data-text]")]
  const texts = shown.flatMap(({ dataset: { more, text } }) => [text, more])
  return texts.filter(Boolean).join(" ")
}

/**
 * Who sent a message, as the browser reports it, never as the message says. The extension's own pages and the content scripts of granted sites
 * are distinguished here; any other sender is null.
 */

/** What browsers report about a sender. */
export interface RawSender {
  readonly id?: string | undefined
  readonly url?: string | undefined
  readonly origin?: string | undefined
  readonly frameId?: number | undefined
  readonly documentId?: string | undefined
  readonly tab?: { readonly id?: number | undefined } | undefined
}

/** The content script of a tab's own document, on a site of this origin; whether the site is granted is another question. */
export interface SiteSender {
  readonly _tag: "Site"
  readonly origin: string
  readonly tabId: number
  /** The browser's id of the document in the tab; another page in the same tab has another id. */
  readonly documentId?: string | undefined
}

/** A page of the extension itself, or a content script. */
export type Sender = { readonly _tag: "Page" } | SiteSender

/** Who the extension is: its id and the origin of its pages. */
export interface Self {
  readonly id: string
  readonly origin: string
}

const originOf = (url: string): string | null => (URL.canParse(url) ? new URL(url).origin : null)

/** Not in every browser does `new URL` give an origin for the schemes of extensions, so the beginning of the address is compared. */
const isOwnPage = (url: string, self: Self): boolean => url.startsWith(`${self.origin}/`)

/** Null for any other sender: another extension, a page that uses our name, a frame inside a page, or a sender without an address. */
export const of = ({ documentId, frameId, id, origin, tab, url }: RawSender, self: Self): Sender | null => {
  if (id !== self.id || url === undefined) return null
  if (isOwnPage(url, self)) return origin === undefined || origin === self.origin ? { _tag: "Page" } : null
  const site = originOf(url)
  if (site === null || site === "null" || (origin !== undefined && origin !== site)) return null
  if (tab?.id === undefined || frameId !== 0) return null
  return { _tag: "Site", origin: site, tabId: tab.id, documentId }
}

/**
 * Reads an address that a user has typed, before the browser is asked for permission: the API's base address, or a listing site. An unusable address
 * gives a message that says what a correct one looks like.
 */
import type { MessageName } from "../../BrowserNames.ts"
import { isHost } from "../../messages/OriginPattern.ts"

export type TypedAddress =
  | { readonly _tag: "Usable"; readonly url: URL }
  | { readonly _tag: "Unusable"; readonly problem: MessageName }

/** The builds for tests and for development can reach addresses of this machine; see the manifest. */
const allowsLoopback = import.meta.env.MODE === "e2e" || import.meta.env.MODE === "development"

const isLoopback = ({ hostname, protocol }: URL): boolean =>
  protocol === "http:" && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)

const unusable = (problem: MessageName): TypedAddress => ({ _tag: "Unusable", problem })

/** Reads an address as people type it; a missing `https://` is added. */
export const readAddress = (typed: string): TypedAddress => {
  const trimmed = typed.trim()
  const full = /^[a-z][a-z\d+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`
  if (trimmed === "" || !URL.canParse(full)) return unusable("typedNoAddress")
  const url = new URL(full)
  if (!isHost(url.hostname)) return unusable("typedNoAddress")
  if (url.protocol !== "https:" && !(allowsLoopback && isLoopback(url))) return unusable("typedNotHttps")
  return url.username === "" && url.password === "" ? { _tag: "Usable", url } : unusable("typedHasPassword")
}

/** An address without blanks, changed to what is kept of it. */
const kept = (typed: string, change: (url: URL) => URL): TypedAddress => {
  const address = readAddress(typed)
  if (address._tag === "Unusable") return address
  return /\s/.test(typed.trim()) ? unusable("typedNoAddress") : { _tag: "Usable", url: change(address.url) }
}

/** The address of the API: the client adds `/v1/` and the rest itself, so they are removed if they were copied along. */
export const baseAddress = (typed: string): TypedAddress =>
  kept(typed, ({ origin, pathname }) => new URL(pathname.replace(/\/v1(?:\/.*)?$/, "/"), origin))

/** A listing site: any page of it is accepted, because a site is its origin. */
export const siteAddress = (typed: string): TypedAddress => kept(typed, ({ origin }) => new URL(origin))

/** Whether two addresses are the same service: a slash at the end makes no difference. */
export const isSame = (one: string, other: string): boolean =>
  one.replace(/\/+$/, "") === other.replace(/\/+$/, "")

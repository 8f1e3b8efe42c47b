/**
 * Reads an address that a user has typed, before the browser is asked for permission: the API's base address, or a listing site. An unusable address
 * gives a message that says what a correct one looks like.
 */
import type { MessageName } from "../../BrowserNames.ts"
import * as Grants from "../state/Grants.ts"

export type TypedAddress =
  | { readonly _tag: "Usable"; readonly url: URL }
  | { readonly _tag: "Unusable"; readonly problem: MessageName }

/** The builds for tests and for development can reach addresses of this machine; see the manifest. */
const allowsLoopback = import.meta.env.MODE === "e2e" || import.meta.env.MODE === "development"

const problems = {
  NotAnAddress: "typedNoAddress",
  NotHttps: "typedNotHttps",
  HasPassword: "typedHasPassword",
} as const

const unusable = (problem: MessageName): TypedAddress => ({ _tag: "Unusable", problem })

const read = (typed: string): TypedAddress => {
  const address = Grants.readAddress(typed)
  if (address._tag !== "Valid") return unusable(problems[address._tag])
  const { url } = address
  if (url.protocol === "http:" && !allowsLoopback) return unusable("typedNotHttps")
  return /\s/.test(typed.trim()) ? unusable("typedNoAddress") : { _tag: "Usable", url }
}

/** The address of the API: the client adds `/v1/` and the rest itself, so they are removed if they were copied along. */
export const baseAddress = (typed: string): TypedAddress => {
  const address = read(typed)
  if (address._tag === "Unusable") return address
  const { origin, pathname } = address.url
  return { _tag: "Usable", url: new URL(pathname.replace(/\/v1(?:\/.*)?$/, "/"), origin) }
}

/** A listing site: any page of it is accepted, because a site is its origin. */
export const siteAddress = (typed: string): TypedAddress => {
  const address = read(typed)
  return address._tag === "Unusable" ? address : { _tag: "Usable", url: new URL(address.url.origin) }
}

/** Whether two addresses are the same service: a slash at the end makes no difference. */
export const isSame = (one: string, other: string): boolean =>
  one.replace(/\/+$/, "") === other.replace(/\/+$/, "")

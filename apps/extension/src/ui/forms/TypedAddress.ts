/**
 * What people type where an address is wanted, read before anything is asked of the browser: the API's base address, or a listing site.
 * What cannot be used is a message that says how it should look.
 */
import type { MessageName } from "../../BrowserNames.ts"
import * as Grants from "../state/Grants.ts"

export type TypedAddress =
  | { readonly _tag: "Usable"; readonly url: URL }
  | { readonly _tag: "Unusable"; readonly problem: MessageName }

/** Only the build for tests reaches addresses of this machine; see the manifest. */
const allowsLoopback = import.meta.env.MODE === "e2e"

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

/** The address of the API: what follows `/v1/` is the client's own, and is cut off where it was copied along. */
export const baseAddress = (typed: string): TypedAddress => {
  const address = read(typed)
  if (address._tag === "Unusable") return address
  const { origin, pathname } = address.url
  return { _tag: "Usable", url: new URL(pathname.replace(/\/v1(?:\/.*)?$/, "/"), origin) }
}

/** A listing site: any page of it will do, because a site is its origin. */
export const siteAddress = (typed: string): TypedAddress => {
  const address = read(typed)
  return address._tag === "Unusable" ? address : { _tag: "Usable", url: new URL(address.url.origin) }
}

/** Whether two addresses are the same service: a slash at the end makes no difference. */
export const isSame = (one: string, other: string): boolean =>
  one.replace(/\/+$/, "") === other.replace(/\/+$/, "")

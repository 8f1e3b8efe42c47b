/**
 * Requests host permissions for pages: one origin at a time, after a click, in a tab. Browsers show the prompt only while the click is being handled,
 * so the request is made before anything is awaited.
 */
import { browser } from "wxt/browser"
import { isHost, patternOf } from "../../messages/OriginPattern.ts"
import { actionError } from "../../failures/ActionFailure.ts"
import type { UserError } from "../../messages/UserError.ts"
import { text } from "../kit/Message.ts"

/** The result of reading a typed address. */
export type Address =
  | { readonly _tag: "Valid"; readonly url: URL }
  | { readonly _tag: "NotAnAddress" }
  | { readonly _tag: "NotHttps" }
  | { readonly _tag: "HasPassword" }

const isLoopback = ({ hostname }: URL): boolean => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)

/** Reads an address as people type it; a missing `https://` is added. */
export const readAddress = (typed: string): Address => {
  const trimmed = typed.trim()
  const full = /^[a-z][a-z\d+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`
  if (trimmed === "" || !URL.canParse(full)) return { _tag: "NotAnAddress" }
  const url = new URL(full)
  if (!isHost(url.hostname)) return { _tag: "NotAnAddress" }
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url))) return { _tag: "NotHttps" }
  return url.username === "" && url.password === "" ? { _tag: "Valid", url } : { _tag: "HasPassword" }
}

/** Asks the user for permission for an origin. Resolves to whether it is now granted. */
export const request = async (origin: string): Promise<boolean> => {
  const wanted = { origins: [patternOf(origin)] }
  const answer = browser.permissions.request(wanted).catch(() => false)
  return (await answer) || browser.permissions.contains(wanted)
}

/** The error for a browser's permission prompt that was declined or could not be shown. */
export const permissionDenied = (origin: string): UserError =>
  actionError(text, "PermissionDenied", [new URL(origin).host])

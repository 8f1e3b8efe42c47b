/**
 * Base URLs: whether two are the same address, and the likely meaning of one without a scheme. Pure. The client's configuration decides whether a
 * base URL is valid.
 */
import type { Failure } from "../failure/Failure.ts"
import { usageError } from "../failure/Failure.ts"

/** Origin and path of a base URL, without a trailing slash and without `/v1`; null if it is not an http or https URL. */
export const addressOf = (baseUrl: string): string | null => {
  const text = baseUrl.trim()
  if (!URL.canParse(text)) return null
  const { origin, pathname, protocol } = new URL(text)
  if (protocol !== "https:" && protocol !== "http:") return null
  return origin + pathname.replace(/\/+$/, "").replace(/\/v1$/, "")
}

/** Whether a text is an http or https URL. Nothing can be sent to any other. */
export const isUrl = (baseUrl: string): boolean => addressOf(baseUrl) !== null

/** Whether two base URLs lead to the same place. One host may serve several accounts under different paths. */
export const isSame = (left: string, right: string): boolean => {
  const address = addressOf(left)
  return address !== null && address === addressOf(right)
}

/** Host names of this machine. */
const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i

/**
 * A host with an optional port and path, but no scheme. Narrow on purpose: an API key that was pasted instead of the address must not match, because
 * the message repeats the text.
 */
const schemeless =
  /^(?:\/\/)?((?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z]{2,24}|\d{1,3}(?:\.\d{1,3}){3}|localhost|\[::1\])(:\d{1,5})?(\/[^?#@]*)?$/i

/** The likely URL of a text that is a host without a scheme; null for any other text. */
export const withScheme = (baseUrl: string): string | null => {
  const [, host, port = "", path = ""] = schemeless.exec(baseUrl.trim()) ?? []
  if (host === undefined) return null
  const meant = `${loopback.test(host) ? "http" : "https"}://${host}${port}${path}`
  return URL.canParse(meant) ? meant : null
}

/** The error for a base URL without a scheme, suggesting the likely one; null for any other text. */
export const withoutScheme = (baseUrl: string): Failure | null => {
  const meant = withScheme(baseUrl)
  return meant === null
    ? null
    : usageError(`The base URL ${baseUrl.trim()} has no scheme`, `Did you mean ${meant}?`)
}

/**
 * Base URLs as people write them: which two are the same address, and what was probably meant by one without a scheme. Pure.
 *
 * Whether one can be used at all is for the client's configuration to decide.
 */
import type { UsageError } from "../failure/UsageError.ts"
import { usageError } from "../failure/UsageError.ts"

/** Origin and path of a base URL, without a trailing slash and without `/v1`; null for what is no http or https URL. */
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

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i

/**
 * A host, a port, a path, and no scheme. Narrow on purpose: an API key that was pasted in the place of the address is not repeated, and does
 * not look like a host with a top-level domain.
 */
const schemeless =
  /^(?:\/\/)?((?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z]{2,24}|\d{1,3}(?:\.\d{1,3}){3}|localhost|\[::1\])(:\d{1,5})?(\/[^?#@]*)?$/i

/** What is wrong with a base URL that has no scheme, with the one that was probably meant; null for every other text. */
export const withoutScheme = (baseUrl: string): UsageError | null => {
  const text = baseUrl.trim()
  const [, host, port = "", path = ""] = schemeless.exec(text) ?? []
  if (host === undefined) return null
  const meant = `${loopback.test(host) ? "http" : "https"}://${host}${port}${path}`
  return URL.canParse(meant)
    ? usageError(`The base URL ${text} has no scheme`, `Did you mean ${meant}?`)
    : null
}

/**
 * A site's origin, and the pattern by which browsers grant it and run scripts there. Patterns name no port, because Firefox rejects one:
 * a grant covers more than the extension uses, because the extension compares whole origins, including the port.
 */

/** `https://homes.example/*` for `https://homes.example:8443`: what to ask the browser to grant. */
export const patternOf = (origin: string): string => {
  const { hostname, protocol } = new URL(origin)
  return `${protocol}//${hostname}/*`
}

/**
 * Whether the host of an address names one machine, by its name or number. The host of an address can contain an asterisk, which patterns take
 * for every host.
 */
export const isHost = (hostname: string): boolean =>
  /^(?:(?:[a-z\d_-]+\.)*[a-z\d_-]+\.?|\[[\da-f:.]+\])$/.test(hostname)

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3})$/

/**
 * Reads what a user typed or a page's address as an origin: https, or http on this machine if the build allows it. A bare host name is
 * taken for https. Null if it is not a site on which the extension may be shown.
 */
export const originOf = (text: string, allowsLoopback = false): string | null => {
  const trimmed = text.trim()
  const address = /^[a-z][a-z\d+.-]*:/i.test(trimmed) ? trimmed : `https://${trimmed}`
  if (trimmed === "" || !URL.canParse(address)) return null
  const { hostname, origin, password, protocol, username } = new URL(address)
  if (username !== "" || password !== "" || !isHost(hostname)) return null
  if (protocol === "https:") return origin
  return allowsLoopback && protocol === "http:" && loopback.test(hostname) ? origin : null
}

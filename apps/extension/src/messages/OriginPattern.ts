/**
 * A site's origin, and the pattern by which browsers grant it and run scripts there. Patterns name no port, because Firefox rejects one:
 * what a grant covers is wider than what the extension does, which goes by the origin, port included.
 */

/** `https://homes.example/*` for `https://homes.example:8443`: what to ask the browser to grant. */
export const patternOf = (origin: string): string => {
  const { hostname, protocol } = new URL(origin)
  return `${protocol}//${hostname}/*`
}

/**
 * Whether a host, as addresses have it, names one machine by its name or number. Addresses may have an asterisk in it, which patterns take
 * for every host.
 */
export const isHost = (hostname: string): boolean =>
  /^(?:(?:[a-z\d_-]+\.)*[a-z\d_-]+\.?|\[[\da-f:.]+\])$/.test(hostname)

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3})$/

/**
 * Reads what a user typed or a page's address as an origin: https, or http on this machine where the build allows it. A bare host name is
 * taken for https. Null when there is no site in it that the extension may be shown on.
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

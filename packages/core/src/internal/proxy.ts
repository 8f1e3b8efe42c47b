/**
 * Which proxy a request takes, by the variables that curl, Git and most other programs read, with their rules: a proxy without a scheme is an HTTP
 * proxy, the lower-case variable comes first, and an empty one counts as not set. A value that cannot be used is an error and never a direct
 * connection. Pure.
 */
import { BlockList, isIP } from "node:net"

export type ProxyVariables = Readonly<Record<string, string | undefined>>

/** A proxy, and the variable that names it. */
export interface Proxy {
  readonly variable: string
  /** With user and password, if it has them. */
  readonly url: string
  /** Scheme, host and port alone. */
  readonly origin: string
}

/** Quotes that `docker --env-file` and others leave around a value. */
const quoted = /^(["'])(.*)\1$/

const firstSet = (variables: ProxyVariables, names: ReadonlyArray<string>) => {
  for (const variable of names) {
    const value = variables[variable]?.trim().replace(quoted, "$2").trim() ?? ""
    if (value !== "") return { variable, value }
  }
  return null
}

const cases = (name: string): ReadonlyArray<string> => [name, name.toUpperCase()]

const loopback = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|::1)$/

/** Whether an entry of NO_PROXY stands for a host: itself, a domain above it, an address, or a range of addresses such as `10.0.0.0/8`. */
const covers = (entry: string, host: string, port: number): boolean => {
  if (entry === "*") return true
  const [, named = entry, only] = /^(\[[^\]]*\]|[^:]*):(\d+)$/.exec(entry) ?? []
  if (only !== undefined && Number(only) !== port) return false
  const [base = "", bits] = named
    .replace(/^\*?\./, "")
    .replaceAll(/[[\]]/g, "")
    .replace(/\.$/, "")
    .split("/")
  if (isIP(host) === 0)
    return bits === undefined && base !== "" && (host === base || host.endsWith(`.${base}`))
  const family = isIP(base)
  if (family !== isIP(host)) return false
  const kind = family === 4 ? "ipv4" : "ipv6"
  const range = new BlockList()
  const length = Number(bits ?? (family === 4 ? 32 : 128))
  if (!Number.isInteger(length) || length < 0 || length > (family === 4 ? 32 : 128)) return false
  range.addSubnet(base, length, kind)
  return range.check(host, kind)
}

/** The proxy for an address; null for a direct connection. Throws an error whose message names the variable if its value cannot be used. */
export const proxyFor = (url: string, variables: ProxyVariables): Proxy | null => {
  const { hostname, port, protocol } = new URL(url)
  const host = hostname
    .replaceAll(/^\[|\]$/g, "")
    .replace(/\.$/, "")
    .toLowerCase()
  const found = firstSet(variables, [...cases(`${protocol.slice(0, -1)}_proxy`), ...cases("all_proxy")])
  if (found === null || loopback.test(host)) return null
  const number = port === "" ? (protocol === "https:" ? 443 : 80) : Number(port)
  const exempt =
    firstSet(variables, cases("no_proxy"))
      ?.value.toLowerCase()
      .split(/[\s,]+/) ?? []
  if (exempt.some((entry) => entry !== "" && covers(entry, host, number))) return null
  const { value, variable } = found
  const scheme = /^([a-z][a-z\d+.-]*):\/\//i.exec(value)?.[1]?.toLowerCase()
  if (scheme !== undefined && scheme !== "http" && scheme !== "https") {
    throw new Error(
      `${variable} names a proxy of the kind ${scheme}, which is not supported: it takes http:// and https://`,
    )
  }
  // A password may hold a percent sign that stands for itself.
  const text = value.replaceAll(/%(?![\da-f]{2})/gi, "%25")
  const whole = scheme === undefined ? `http://${text}` : text
  const proxy = URL.canParse(whole) ? new URL(whole) : null
  if (proxy === null || !/^[\w.:[\]-]+$/.test(proxy.hostname))
    throw new Error(`${variable} does not name a proxy: it takes http://host:port`)
  // Node connects to it by itself, and can be told by nothing else to verify it: the password of the proxy would go to anybody.
  if (proxy.protocol === "https:" && variables["NODE_TLS_REJECT_UNAUTHORIZED"] === "0") {
    throw new Error(
      `${variable} names a proxy with TLS, which is not verified while NODE_TLS_REJECT_UNAUTHORIZED is 0: unset that`,
    )
  }
  return { variable, url: proxy.href, origin: `${proxy.protocol}//${proxy.host}` }
}

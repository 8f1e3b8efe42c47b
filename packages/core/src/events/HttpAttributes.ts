/**
 * The attributes of a request in spans and metrics, by OpenTelemetry's conventions for HTTP clients: the server, and a template of the URL
 * without ids and cursors. Each has few different values.
 */
import type { ListName, ServiceRequest } from "../model/ServiceRequest.ts"
import { apiKeys, contracts, me } from "../model/ServiceRequest.ts"

const collections = [contracts, apiKeys]
const known = new Set([...collections.map(({ path }) => path), me.path])

/** The attributes that are the same for all requests of a client, and the template of each request. */
export interface HttpAttributes {
  /** Host and port of the base URL. An IPv6 address has no brackets. */
  readonly server: { readonly "server.address": string; readonly "server.port": number }
  /**
   * The template of a path and query (`url.template`, in development), like `/v1/contracts/?id={id}`. Null for a path that is not in the
   * specification, because it may hold ids.
   */
  readonly templateOf: (target: string) => string | null
}

/** The attributes of a client with this base URL. */
export const make = (base: string): HttpAttributes => {
  const { hostname, pathname, port, protocol } = new URL(base)
  const prefix = pathname.replace(/\/$/, "")
  return {
    server: {
      "server.address": hostname.replace(/^\[|\]$/g, ""),
      "server.port": port === "" ? (protocol === "https:" ? 443 : 80) : Number(port),
    },
    templateOf: (target) => {
      const [path = "", query = ""] = target.split("?", 2)
      if (!known.has(path)) return null
      return /(?:^|&)id=/.test(query) ? `${prefix}${path}?id={id}` : prefix + path
    },
  }
}

/** The name of a list of the specification; `other` for a list of the program's own, whose name may hold ids. */
export const listNameOf = (name: ListName): string =>
  collections.some((collection) => collection.name === name) ? name : "other"

/** The name of the client's operation, like `contracts.get`. */
export const operationOf = ({ form, path }: ServiceRequest): string => {
  if (form === "free") return path === me.path ? "me" : "request"
  const name = collections.find((collection) => collection.path === path)?.name ?? "other"
  return `${name}.${form === "list" ? "page" : "get"}`
}

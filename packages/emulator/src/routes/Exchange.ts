/**
 * One request, as routes and faults see it.
 * Serves Endpoints 1: the path names the endpoint, the presence of `id` names the form. A path prefix is ignored.
 */
import type { Assumptions } from "../settings/Assumptions.ts"
import type { Clock } from "../settings/Clock.ts"
import type { Store, Tables } from "../store/Store.ts"
import type { Json, JsonObject } from "../wire/Wire.ts"

/** The endpoints that the specification lists. */
export type Endpoint = "contracts" | "api-keys" | "me"

/** List, retrieve, or the one form of `/v1/me/`. */
export type Form = "list" | "retrieve" | "me"

/** A request and everything that an answer may depend on. */
export interface Exchange {
  /** Count of requests since the emulator was made, from 1. */
  readonly number: number
  readonly requestId: string
  readonly method: string
  readonly url: URL
  /** The text after `Bearer`, if any. */
  readonly secret: string | undefined
  readonly endpoint: Endpoint | undefined
  readonly form: Form | undefined
  /** Which page of a list is asked for, or nearly, from 1; undefined if it is no list or the cursor cannot be read. */
  readonly page: number | undefined
  /** The assumptions, as faults changed them for this request. */
  readonly assumptions: Assumptions
  readonly store: Store
  readonly tables: Tables
  readonly clock: Clock
  readonly wait: (ms: number) => Promise<void>
  /** Never resolves; rejects once the client gives up. */
  readonly stall: () => Promise<never>
}

/** The content of an answer, before it is text. */
export type Content =
  | {
      readonly kind: "page"
      readonly items: ReadonlyArray<JsonObject>
      /** Value of `next_before_id`; undefined leaves the member out. */
      readonly next: Json | undefined
      /** Index of the first item among all records in order. */
      readonly start: number
      /** Number of the page that the cursor leads to. */
      readonly nextPage: number
    }
  | { readonly kind: "record"; readonly member: "contract" | "api_key"; readonly record: JsonObject }
  | { readonly kind: "me"; readonly body: JsonObject }

const endpoints: ReadonlyArray<readonly [string, Endpoint]> = [
  ["/v1/contracts/", "contracts"],
  ["/v1/api-keys/", "api-keys"],
  ["/v1/me/", "me"],
]

/** The endpoint of a path, whatever stands before `/v1/`; `slash`: whether it has its trailing slash. */
export const route = (path: string): { readonly endpoint: Endpoint | undefined; readonly slash: boolean } => {
  const slash = path.endsWith("/")
  const whole = slash ? path : `${path}/`
  return { endpoint: endpoints.find(([ending]) => whole.endsWith(ending))?.[1], slash }
}

/** The form that a query selects. Spec: Endpoints 1. */
export const formOf = (endpoint: Endpoint | undefined, query: URLSearchParams): Form | undefined =>
  endpoint === undefined ? undefined : endpoint === "me" ? "me" : query.has("id") ? "retrieve" : "list"

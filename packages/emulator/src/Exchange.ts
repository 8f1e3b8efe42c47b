/**
 * One request, as routes and faults see it.
 * Serves Endpoints 1: the path names the endpoint, the presence of `id` names the form. A path prefix is ignored.
 */
import type { Assumptions } from "./Assumptions.ts"
import type { Clock } from "./Clock.ts"
import type { Store, Tables } from "./Store.ts"
import type { Json, JsonObject } from "./Wire.ts"

/** The endpoints that the specification lists: each answers under `/v1/` and its name. */
const endpoints = ["api-keys", "contracts", "me"] as const

export type Endpoint = (typeof endpoints)[number]

/** List or retrieve, or the one form of an endpoint that has no records. */
export type Form = "list" | "retrieve" | "single"

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
  /** The requested page of a list, or the nearest one, from 1; undefined if this is not a list or the cursor cannot be read. */
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

/** The content of an answer, before it becomes text. */
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
  | { readonly kind: "single"; readonly body: JsonObject }

/** Why a request was refused. */
export interface Refusal {
  readonly status: number
  readonly code: string
  readonly message: string
}

/** The endpoint of a path, with any prefix before `/v1/`; `slash`: whether the path has its trailing slash. */
export const route = (path: string): { readonly endpoint: Endpoint | undefined; readonly slash: boolean } => {
  const slash = path.endsWith("/")
  const whole = slash ? path : `${path}/`
  return { endpoint: endpoints.find((name) => whole.endsWith(`/v1/${name}/`)), slash }
}

/** The form that a query selects. Spec: Endpoints 1. */
export const formOf = (endpoint: Endpoint | undefined, query: URLSearchParams): Form | undefined => {
  if (endpoint !== "contracts" && endpoint !== "api-keys") return endpoint && "single"
  return query.has("id") ? "retrieve" : "list"
}

/** The text after `Bearer`, or undefined when there is none. */
export const bearer = (header: string | null): string | undefined =>
  /^Bearer +(\S+)$/i.exec(header ?? "")?.[1]

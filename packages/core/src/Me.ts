/**
 * The answer of `GET /v1/me/`, the specification's first example request. Neither its body nor the scope it needs is shown
 * (Spec: Endpoints 7), so `ok` is checked as in every answer, and the rest is JSON of any shape.
 */
import type { Json } from "./Json.ts"

/** The account of the key as the service describes it; only `ok: true` is certain. */
export interface Me {
  readonly ok: true
  readonly [member: string]: Json
}

/** The type of what `Json.ts` reads and writes, in a file of its own: records and errors need no more than that. */

/** Any JSON value; an integer beyond ±(2^53 - 1) is a `bigint`. */
export type Json =
  | null
  | boolean
  | number
  | bigint
  | string
  | ReadonlyArray<Json>
  | { readonly [member: string]: Json }

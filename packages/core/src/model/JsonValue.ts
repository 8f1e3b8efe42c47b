/** The type of the values that `Json.ts` reads and writes. It has its own file, because records and errors need only the type. */

/** Any JSON value; an integer beyond ±(2^53 - 1) is a `bigint`. */
export type Json =
  | null
  | boolean
  | number
  | bigint
  | string
  | ReadonlyArray<Json>
  | { readonly [member: string]: Json }

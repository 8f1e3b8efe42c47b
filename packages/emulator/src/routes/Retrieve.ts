/** One record by its id, with the payload if it is requested. Serves Endpoints 1 and 3. */
import type { Collection, Orderable } from "../store/Collection.ts"
import { wholeNumber } from "./Cursor.ts"
import type { Assumptions } from "../settings/Assumptions.ts"
import type { Refusal } from "./Access.ts"

/** The record, or why there is none. */
export const retrieve = <R extends Orderable>(
  table: Collection<R>,
  query: URLSearchParams,
  assumptions: Assumptions,
): R | Refusal => {
  const id = wholeNumber(query.get("id") ?? "")
  if (id === undefined) {
    return {
      status: assumptions.malformedStatus,
      code: "malformed_parameter",
      message: "The parameter id cannot be read.",
    }
  }
  return (
    table.get(id) ?? {
      status: assumptions.unknownIdStatus,
      code: "not_found",
      message: `There is no record ${id}.`,
    }
  )
}

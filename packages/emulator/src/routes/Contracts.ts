/** `GET /v1/contracts/`: list and retrieve. Serves Endpoints; the payload's member is an assumption. */
import type { Content, Exchange } from "./Exchange.ts"
import type { Refusal } from "./Access.ts"
import { list } from "./List.ts"
import { retrieve } from "./Retrieve.ts"

/** Query parameters that each form knows, besides the cursor. */
export const parameters = { list: ["limit"], retrieve: ["id", "include_data"] } as const

export const contracts = (exchange: Exchange, realCursor: (text: string) => string): Content | Refusal => {
  const { assumptions, store, tables } = exchange
  const query = exchange.url.searchParams
  if (exchange.form === "list") return list(tables.contracts, query, assumptions, exchange.page, realCursor)
  const record = retrieve(tables.contracts, query, assumptions)
  if ("message" in record) return record
  return {
    kind: "record",
    member: "contract",
    record:
      query.get("include_data") === "1"
        ? { ...record, [assumptions.payloadMember]: store.payloadOf(record) }
        : record,
  }
}

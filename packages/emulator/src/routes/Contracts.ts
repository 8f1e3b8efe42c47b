/** `GET /v1/contracts/`: list and retrieve. Serves Endpoints; the payload's member is an assumption. */
import type { Route } from "./Exchange.ts"
import { list } from "./List.ts"
import { retrieve } from "./Retrieve.ts"

export const contracts: Route = {
  scope: () => "read:contracts",
  parameters: { list: ["limit"], retrieve: ["id", "include_data"] },
  answer: (exchange, _, realCursor) => {
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
  },
}

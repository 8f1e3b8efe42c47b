/** `GET /v1/api-keys/`: list and retrieve. Serves Endpoints; a secret is never part of it (Endpoints 4). */
import type { Route } from "./Exchange.ts"
import { list } from "./List.ts"
import { retrieve } from "./Retrieve.ts"

export const apiKeys: Route = {
  scope: () => "read:api_keys",
  parameters: { list: ["limit"], retrieve: ["id"] },
  answer: (exchange, _, realCursor) => {
    const { assumptions, tables } = exchange
    const query = exchange.url.searchParams
    if (exchange.form === "list") return list(tables.apiKeys, query, assumptions, exchange.page, realCursor)
    const record = retrieve(tables.apiKeys, query, assumptions)
    return "message" in record ? record : { kind: "record", member: "api_key", record }
  },
}

/** `GET /v1/api-keys/`: list and retrieve. Serves Endpoints; a secret is never part of it (Endpoints 4). */
import type { Content, Exchange } from "./Exchange.ts"
import type { Refusal } from "./Access.ts"
import { list } from "./List.ts"
import { retrieve } from "./Retrieve.ts"

/** Query parameters that each form knows, besides the cursor. */
export const parameters = { list: ["limit"], retrieve: ["id"] } as const

export const apiKeys = (exchange: Exchange, realCursor: (text: string) => string): Content | Refusal => {
  const { assumptions, tables } = exchange
  const query = exchange.url.searchParams
  if (exchange.form === "list") return list(tables.apiKeys, query, assumptions, exchange.page, realCursor)
  const record = retrieve(tables.apiKeys, query, assumptions)
  return "message" in record ? record : { kind: "record", member: "api_key", record }
}

/** `GET /v1/me/`: the account of the key. Its whole shape is an assumption (Endpoints 7). */
import type { Exchange, Route } from "./Exchange.ts"
import type { ApiKey, JsonObject } from "../wire/Wire.ts"

export const me: Route = {
  scope: ({ meScope }) => meScope,
  parameters: {},
  answer: (exchange, key) => ({ kind: "single", body: { ok: true, ...shape(exchange, key) } }),
}

const shape = ({ assumptions }: Exchange, key: ApiKey): JsonObject => {
  const person = { id: 7, name: "Ada Παπαδοπούλου", email: "ada@portfolio.example" }
  switch (assumptions.meShape) {
    case "account":
      return { account: { id: 3, name: "Portfolio & Söhne", plan: "team" }, user: person, scopes: key.scopes }
    case "user":
      return { user: person }
    case "key":
      return { api_key: key }
    case "flat":
      return person
    case "bare":
      return {}
  }
}

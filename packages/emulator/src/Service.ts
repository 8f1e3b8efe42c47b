/**
 * The service without its faults: from an exchange to an answer, in the order path, method, key, scope, parameters, id. Serves Endpoints, and
 * Authentication 1, 2 and 4; the statuses of its refusals are assumptions (Errors 3). Does not know connections and the journal.
 */
import { failure, json, withHeaders } from "./Answer.ts"
import type { Answer } from "./Answer.ts"
import type { Assumptions } from "./Assumptions.ts"
import type { Collection, Orderable } from "./Collection.ts"
import { route } from "./Exchange.ts"
import type { Content, Endpoint, Exchange, Form, Refusal } from "./Exchange.ts"
import { list, malformed, wholeNumber } from "./List.ts"
import { encode, encodeOnce, timestamp } from "./Wire.ts"
import type { ApiKey, JsonObject } from "./Wire.ts"

/** The changes that faults make while the service answers. */
export interface Interference {
  readonly key: (key: ApiKey) => ApiKey
  readonly content: (content: Content) => Content
  readonly realCursor: (text: string) => string
}

/** The answer, and whether key and scope were accepted. */
export const serve = (
  exchange: Exchange,
  { key: changeKey, content: changeContent, realCursor }: Interference,
): { readonly answer: Answer; readonly authorized: boolean } => {
  const { assumptions, endpoint, secret, store, url } = exchange
  const refuse = ({ status, code, message }: Refusal, authorized = false) => ({
    answer: failure(assumptions, status, code, message, exchange.requestId),
    authorized,
  })

  if (endpoint === undefined || (!route(url.pathname).slash && assumptions.trailingSlash === "required")) {
    return refuse({ status: 404, code: "not_found", message: "There is nothing at this path." })
  }
  if (!route(url.pathname).slash && assumptions.trailingSlash === "redirect") {
    const location = `${url.origin}${url.pathname}/${url.search}`
    return { answer: withHeaders(json(301, ""), { location }), authorized: false }
  }
  if (exchange.method !== "GET") {
    const { answer } = refuse({
      status: assumptions.wrongMethodStatus,
      code: "method",
      message: "Only GET works here.",
    })
    return { answer: withHeaders(answer, { allow: "GET" }), authorized: false }
  }

  const record = secret === undefined ? undefined : store.keyOf(secret)
  const key = record === undefined ? undefined : changeKey(record)
  const refused = refusal(secret, key, routes[endpoint].scope(assumptions), assumptions)
  if (refused !== undefined) {
    const { answer } = refuse(refused)
    return {
      answer: withHeaders(answer, refused.status === 401 ? { "www-authenticate": "Bearer" } : {}),
      authorized: false,
    }
  }
  if (key === undefined) throw new TypeError("a request without a key must have been refused")
  if (assumptions.touchesLastUsed) {
    store.updateKey(key.id, { last_used_at: timestamp(exchange.clock.now(), assumptions.timestampDigits) })
  }

  const unknown = unknownParameter(exchange)
  if (unknown !== undefined) {
    const message = `The parameter ${unknown} is not known.`
    return refuse({ status: assumptions.malformedStatus, code: "unknown_parameter", message }, true)
  }

  const content = routes[endpoint].answer(exchange, key, realCursor)
  return "message" in content
    ? refuse(content, true)
    : { answer: json(200, write(changeContent(content))), authorized: true }
}

/** JSON text of a success body. */
const write = (content: Content): string => {
  switch (content.kind) {
    case "page": {
      const next = content.next === undefined ? "" : `,"next_before_id":${encode(content.next)}`
      return `{"ok":true,"items":[${content.items.map(encodeOnce).join(",")}]${next}}`
    }
    case "record":
      return `{"ok":true,"${content.member}":${encode(content.record)}}`
    case "single":
      return encode(content.body)
  }
}

const unknownParameter = ({ assumptions, endpoint, form, url }: Exchange): string | undefined => {
  const known = endpoint && form && routes[endpoint].parameters[form]
  if (assumptions.unknownParameter === "ignore" || known === undefined) return undefined
  return [...url.searchParams.keys()].find(
    (name) =>
      !(known.includes(name) && (name !== "limit" || assumptions.limitSupported)) &&
      !(form === "list" && name === assumptions.cursorParameter),
  )
}

/** Undefined if the key can use an endpoint that requires `scope`; a null scope requires none. */
const refusal = (
  secret: string | undefined,
  key: ApiKey | undefined,
  scope: string | null,
  assumptions: Assumptions,
): Refusal | undefined => {
  if (secret === undefined) {
    return {
      status: assumptions.missingKeyStatus,
      code: "missing_key",
      message: "Send Authorization: Bearer.",
    }
  }
  if (key === undefined) {
    return { status: assumptions.wrongKeyStatus, code: "wrong_key", message: "This API key does not exist." }
  }
  if (key.revoked_at !== null) {
    return {
      status: assumptions.revokedKeyStatus,
      code: "revoked_key",
      message: "This API key has been revoked.",
    }
  }
  if (scope !== null && !key.scopes.includes(scope)) {
    return {
      status: assumptions.missingScopeStatus,
      code: "missing_scope",
      message: `This API key lacks the scope ${scope}.`,
    }
  }
  return undefined
}

/** How an endpoint answers. */
interface Route {
  /** The scope that it requires; null for none. */
  readonly scope: (assumptions: Assumptions) => string | null
  /** Query parameters that each form supports, besides the cursor. A form that is not listed ignores them. */
  readonly parameters: { readonly [F in Form]?: ReadonlyArray<string> }
  readonly answer: (
    exchange: Exchange,
    key: ApiKey,
    realCursor: (text: string) => string,
  ) => Content | Refusal
}

/** Every endpoint. A new one needs an entry here and its name in `Exchange.ts`. */
const routes: { readonly [E in Endpoint]: Route } = {
  contracts: {
    scope: () => "read:contracts",
    parameters: { list: ["limit"], retrieve: ["id", "include_data"] },
    answer: (exchange, _, realCursor) => {
      const { assumptions, store, tables } = exchange
      const query = exchange.url.searchParams
      if (exchange.form === "list")
        return list(tables.contracts, query, assumptions, exchange.page, realCursor)
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
  },

  /** A secret is never part of a key record (Endpoints 4). */
  "api-keys": {
    scope: () => "read:api_keys",
    parameters: { list: ["limit"], retrieve: ["id"] },
    answer: (exchange, _, realCursor) => {
      const { assumptions, tables } = exchange
      const query = exchange.url.searchParams
      if (exchange.form === "list") return list(tables.apiKeys, query, assumptions, exchange.page, realCursor)
      const record = retrieve(tables.apiKeys, query, assumptions)
      return "message" in record ? record : { kind: "record", member: "api_key", record }
    },
  },

  me: {
    scope: ({ meScope }) => meScope,
    parameters: {},
    answer: (exchange, key) => ({ kind: "single", body: { ok: true, ...owner(exchange, key) } }),
  },
}

/** The record that `id` names, or why there is none. */
const retrieve = <R extends Orderable>(
  table: Collection<R>,
  query: URLSearchParams,
  assumptions: Assumptions,
): R | Refusal => {
  const id = wholeNumber(query.get("id") ?? "")
  if (id === undefined) return malformed(assumptions, "id")
  return (
    table.get(id) ?? {
      status: assumptions.unknownIdStatus,
      code: "not_found",
      message: `There is no record ${id}.`,
    }
  )
}

/** What `/v1/me/` says of a key; its whole shape is an assumption (Endpoints 7). */
const owner = ({ assumptions }: Exchange, key: ApiKey): JsonObject => {
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

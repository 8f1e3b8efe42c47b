/**
 * The service without its faults: from an exchange to an answer, in the order path, method, key, scope, parameters, id.
 * Serves Endpoints and Authentication. Does not know connections and the journal.
 */
import { failure, json, withHeaders } from "../wire/Answer.ts"
import type { Answer } from "../wire/Answer.ts"
import type { Content, Exchange } from "../routes/Exchange.ts"
import { route } from "../routes/Exchange.ts"
import { refusal } from "../routes/Access.ts"
import type { Refusal } from "../routes/Access.ts"
import { routes } from "../routes/index.ts"
import { encode, encodeOnce, timestamp } from "../wire/Wire.ts"
import type { ApiKey } from "../wire/Wire.ts"

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

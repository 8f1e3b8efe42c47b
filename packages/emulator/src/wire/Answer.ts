/**
 * An answer as a plain value: status, headers, text, and how it is to be delivered, so that faults can change any of it
 * before a byte is sent. Serves Errors 2 with the shapes that the assumption `errorShape` names. Does not know sockets
 * and streams: those belong to `Delivery` and the node entry.
 */
import type { Assumptions } from "../settings/Assumptions.ts"
import { encode } from "./Wire.ts"
import type { JsonObject } from "./Wire.ts"

/** How the bytes are sent; an empty object is an ordinary answer. */
export interface Delivery {
  /** The connection ends before any head. */
  readonly drop?: boolean
  /** Bytes of the body after which the connection ends. */
  readonly cutAfter?: number
  /** Bytes of the body after which nothing more is sent. */
  readonly stallAfter?: number
  /** Bytes in each chunk, and the milliseconds before each. */
  readonly throttle?: { readonly chunkBytes: number; readonly chunkMs: number }
  /** The body is sent gzipped. */
  readonly gzip?: boolean
}

/** An answer before its delivery. */
export interface Answer {
  readonly status: number
  /** Lower-case names; `content-length` is added on delivery. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly delivery: Delivery
}

/** A JSON answer from text that is JSON already. */
export const json = (
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Answer => ({
  status,
  headers: { "content-type": "application/json; charset=utf-8", ...headers },
  body,
  delivery: {},
})

/** A page of HTML. */
export const html = (status: number, body: string): Answer => ({
  status,
  headers: { "content-type": "text/html; charset=utf-8" },
  body,
  delivery: {},
})

/** The same answer with more headers. */
export const withHeaders = (answer: Answer, headers: Readonly<Record<string, string>>): Answer => ({
  ...answer,
  headers: { ...answer.headers, ...headers },
})

/** The same answer with another delivery. */
export const withDelivery = (answer: Answer, delivery: Delivery): Answer => ({
  ...answer,
  delivery: { ...answer.delivery, ...delivery },
})

/** An error in the assumed shape. `code` is for machines, `message` for people. Spec: Errors 2. */
export const failure = (
  assumptions: Assumptions,
  status: number,
  code: string,
  message: string,
  requestId: string,
): Answer => {
  const body = (value: JsonObject) => json(status, encode(value))
  switch (assumptions.errorShape) {
    case "flat":
      return body({ ok: false, error: code, message })
    case "nested":
      return body({ ok: false, error: { code, message, request_id: requestId } })
    case "list":
      return body({ errors: [{ code, detail: message }] })
    case "problem":
      return withHeaders(body({ type: "about:blank", title: code, status, detail: message }), {
        "content-type": "application/problem+json",
      })
    case "text":
      return withHeaders(json(status, message), { "content-type": "text/plain; charset=utf-8" })
    case "html":
      return html(status, `<!doctype html><title>${status}</title><h1>${code}</h1><p>${message}</p>`)
    case "empty":
      return { status, headers: {}, body: "", delivery: {} }
  }
}

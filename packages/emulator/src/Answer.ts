/**
 * An answer as a plain value: status, headers, text, and how it is to be delivered, so that faults can change any of it before a byte is sent;
 * then its bytes, with the waits, cuts and stalls that it asks for. One generator serves the in-process `Response` and the socket.
 */
import type { Assumptions } from "./Assumptions.ts"
import { stall, wait } from "./Clock.ts"
import type { Clock } from "./Clock.ts"
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

/** The error that an HTTP layer reports when a connection ends before the head, or in the middle of a body. */
export const connectionLost = (message: "fetch failed" | "terminated"): TypeError =>
  new TypeError(message, { cause: Object.assign(new Error("other side closed"), { code: "UND_ERR_SOCKET" }) })

/** Whether the body is sent whole and at once. */
export const isPlain = ({ cutAfter, stallAfter, throttle }: Delivery): boolean =>
  cutAfter === undefined && stallAfter === undefined && throttle === undefined

/** Bytes of the body that are sent. */
export const bytesSent = (length: number, { cutAfter, drop, stallAfter }: Delivery): number =>
  drop === true ? 0 : Math.min(length, cutAfter ?? length, stallAfter ?? length)

/** The bytes as they are sent; throws `connectionLost` at a cut, and the signal's reason when the client gives up. */
export async function* chunks(
  bytes: Uint8Array<ArrayBuffer>,
  delivery: Delivery,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const end = bytesSent(bytes.length, delivery)
  const step = delivery.throttle?.chunkBytes ?? Math.max(1, end)
  for (let at = 0; at < end; at += step) {
    if (delivery.throttle !== undefined) await wait(clock, delivery.throttle.chunkMs, signal)
    yield bytes.subarray(at, Math.min(end, at + step))
  }
  if (delivery.stallAfter !== undefined && end < bytes.length) await stall(signal)
  if (end < bytes.length) throw connectionLost("terminated")
}

/** The bytes, gzipped. */
export const gzipped = async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(
    await new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer(),
  )

const bodiless = new Set([204, 205, 304])

/**
 * The answer as `fetch` would give it. Rejects with `TypeError("fetch failed")` for a dropped connection.
 * A gzipped body is returned unpacked, as an HTTP layer does, with the headers of the packed one.
 */
export const toResponse = async (
  answer: Answer,
  bytes: Uint8Array<ArrayBuffer>,
  clock: Clock,
  signal: AbortSignal,
): Promise<Response> => {
  const { delivery } = answer
  if (delivery.drop === true) throw connectionLost("fetch failed")
  const length = delivery.gzip === true ? (await gzipped(bytes)).length : bytes.length
  const head = { status: answer.status, headers: { ...answer.headers, "content-length": String(length) } }
  if (bodiless.has(answer.status)) return new Response(null, head)
  return new Response(isPlain(delivery) ? bytes : stream(chunks(bytes, delivery, clock, signal)), head)
}

const stream = (
  source: AsyncGenerator<Uint8Array<ArrayBuffer>, void>,
): ReadableStream<Uint8Array<ArrayBuffer>> =>
  new ReadableStream(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await source.next()
          if (done === true) controller.close()
          else controller.enqueue(value)
        } catch (error) {
          controller.error(error)
        }
      },
    },
    { highWaterMark: 0 },
  )

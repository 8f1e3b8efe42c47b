/**
 * Sends one request and returns status, headers and text. It does not retry, check or hold the key.
 *
 * The default sends with the platform's `fetch`, so it works in Node, browsers and workers. `@deedkit/core/node` has one on `node:http`,
 * which takes about half the processor time. Redirects are never followed, because the key belongs to one origin.
 */
import * as Context from "effect/Context"
import type { ReasonOf } from "./ClientError.ts"
import { alarm } from "./internal/timer.ts"

/** One request, ready to be sent. Times are in milliseconds. */
export interface TransportRequest {
  readonly url: string
  /** Exactly the headers to send. Holds the key: do not keep or log it. */
  readonly headers: Readonly<Record<string, string>>
  /** `connectMillis` and `idleMillis`: `Infinity` for no limit. */
  readonly connectMillis: number
  readonly idleMillis: number
  readonly maxBodyBytes: number
}

export interface TransportResponse {
  readonly status: number
  /** A header's value by lower-case name; null when the header is absent. */
  readonly header: (name: string) => string | null
  readonly text: string
  /** False when the body was not text in its charset, so that `text` has U+FFFD where bytes could not be read. Default true. */
  readonly wellEncoded?: boolean | undefined
}

/** The error with which a transport rejects when it knows how the request failed. Any other rejection counts as a failed connection. */
export class TransportFault extends Error {
  override readonly name = "TransportFault"
  /** `too-large` and `idle` are limits of the request; the other values are phases of a failure. */
  readonly phase: ReasonOf<"TransportFailed">["phase"] | "too-large" | "idle" | "connect-timeout"
  /** The platform's code, like `ECONNRESET`. */
  readonly code: string | null
  /** Status and headers, when the head had arrived. */
  readonly head: Pick<TransportResponse, "status" | "header"> | null
  /** The proxy that the request took, without user and password. */
  readonly proxy: string | null
  constructor(
    phase: TransportFault["phase"],
    message: string,
    options: {
      readonly code?: string | null
      readonly head?: TransportFault["head"]
      readonly proxy?: string | null
    } = {},
  ) {
    super(message)
    this.phase = phase
    this.code = options.code ?? null
    this.head = options.head ?? null
    this.proxy = options.proxy ?? null
  }
}

/** How an attempt is cancelled. An `AbortSignal` is made only for transports that read it: it costs more than a small request. */
export interface Cancellation {
  readonly signal: AbortSignal
  /** Sets the function that runs when the attempt is cancelled. Only the last one that was set runs. */
  readonly onCancel: (listener: () => void) => void
}

/** Sends a request; rejects with a `TransportFault`, or with anything else, which counts as a failed connection. Stops when it is cancelled. */
export type Send = (request: TransportRequest, cancellation: Cancellation) => Promise<TransportResponse>

/**
 * The transport of a client: an Effect reference whose default is `fetch`. It is read once, when the client is made: provide it to the client's layer
 * by `Layer.provide`. Merged beside that layer, or provided around a single call, it has no effect.
 */
export const Transport = Context.Reference<Send>("@deedkit/core/Transport", {
  defaultValue: () => viaFetch(),
})

/** The part of `fetch` that is used: a request handler, a service worker's or a test's function fits as well. */
export type Fetch = (request: Request) => Promise<Response>

/**
 * A transport on `fetch`. `fetch` does not report when it is connected, so the connect limit has no effect here; the attempt's limit does.
 * `redirect: "manual"` shows a redirect as status 0 in browsers and as its real status elsewhere.
 *
 * No answer is taken from or kept in an HTTP cache: browsers find cached answers only by URL, whatever key the request carries. The `Request`
 * that your own `fetch` receives says `cache: "no-store"` too. Node adds `Cache-Control: no-cache` and `Pragma: no-cache` to such requests, as
 * the Fetch standard says.
 */
export const viaFetch =
  (fetch?: Fetch): Send =>
  async (request, { signal }) => {
    const init = {
      headers: request.headers,
      redirect: "manual",
      credentials: "omit",
      cache: "no-store",
      signal,
    } as const
    const response =
      fetch === undefined
        ? await globalThis.fetch(request.url, init)
        : await fetch(new Request(request.url, init))
    const header = (name: string): string | null => response.headers.get(name)
    const head = { status: response.type === "opaqueredirect" ? 302 : response.status, header }
    if (Number(header("content-length") ?? 0) > request.maxBodyBytes) {
      await response.body?.cancel()
      throw new TransportFault("too-large", "the body is too large", { head })
    }
    try {
      return { ...head, ...decode(await readBody(response, request), header("content-type")) }
    } catch (cause) {
      if (cause instanceof TransportFault) throw new TransportFault(cause.phase, cause.message, { head })
      throw new TransportFault("body", detailOf(cause), { code: codeOf(cause), head })
    }
  }

const readBody = async (response: Response, request: TransportRequest): Promise<Uint8Array> => {
  if (response.body === null) return new Uint8Array()
  const reader = response.body.getReader()
  const parts: Array<Uint8Array> = []
  let bytes = 0
  for (;;) {
    const part = await withinIdle(
      reader.read(),
      request.idleMillis,
      () => void reader.cancel().catch(() => {}),
    )
    if (part.done) return joined(parts, bytes)
    bytes += part.value.byteLength
    if (bytes > request.maxBodyBytes) {
      await reader.cancel().catch(() => {})
      throw new TransportFault("too-large", "the body is too large")
    }
    parts.push(part.value)
  }
}

/** Joins several buffers, so that the text is decoded at once: a concatenated text is slower to parse. @internal */
export const joined = (parts: ReadonlyArray<Uint8Array>, bytes: number): Uint8Array => {
  if (parts.length === 1) return parts[0]!
  const whole = new Uint8Array(bytes)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.byteLength
  }
  return whole
}

const withinIdle = <A>(promise: Promise<A>, idleMillis: number, cancel: () => void): Promise<A> =>
  new Promise((resolve, reject) => {
    const { stop } = alarm(idleMillis, () => {
      cancel()
      reject(new TransportFault("idle", "no data arrived"))
    })
    promise.finally(stop).then(resolve, reject)
  })

/** The platform's code of a failure, searched along its causes; null if there is none. @internal */
export const codeOf = (cause: unknown): string | null => {
  for (let at = cause, depth = 0; typeof at === "object" && at !== null && depth < 5; depth++) {
    const code = (at as { code?: unknown }).code
    if (typeof code === "string") return code
    at = (at as { cause?: unknown }).cause
  }
  return null
}

/** The innermost message of a failure: that of `fetch` says only `fetch failed`. @internal */
export const detailOf = (cause: unknown): string => {
  let message = "the connection failed"
  for (let at = cause, depth = 0; typeof at === "object" && at !== null && depth < 5; depth++) {
    const inner = (at as { message?: unknown }).message
    if (typeof inner === "string" && inner !== "") message = inner
    at = (at as { cause?: unknown }).cause
  }
  return message
}

/** The text of a body, and whether all bytes of the body could be decoded. */
export interface Decoded {
  readonly text: string
  /** False when bytes could not be decoded; U+FFFD stands in their place. */
  readonly wellEncoded: boolean
}

/** In a text, replaces bytes that could not be decoded. */
export const replacementCharacter = "\ufffd"

/** Null when the bytes are not text in this charset, or the charset is unknown. */
const read = (bytes: Uint8Array, charset: string, fatal: boolean): string | null => {
  try {
    return new TextDecoder(charset, { fatal }).decode(bytes)
  } catch {
    return null
  }
}

const declared = (contentType: string | null): string | null =>
  /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? "")?.[1] ?? null

/** The text of a body, without a byte order mark. */
export const decode = (bytes: Uint8Array, contentType: string | null): Decoded => {
  const text = read(bytes, "utf-8", true)
  return text === null ? decodeOther(bytes, contentType) : { text, wellEncoded: true }
}

/** The text of a body that is not UTF-8: in the charset that it declares, otherwise with U+FFFD for bytes that cannot be decoded. */
export const decodeOther = (bytes: Uint8Array, contentType: string | null): Decoded => {
  const charset = declared(contentType) ?? "utf-8"
  const text = read(bytes, charset, true)
  return text === null
    ? { text: read(bytes, charset, false) ?? read(bytes, "utf-8", false) ?? "", wellEncoded: false }
    : { text, wellEncoded: true }
}

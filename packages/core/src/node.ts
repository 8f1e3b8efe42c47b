/**
 * A transport on `node:http` and `node:https` with kept-alive connections: about half the processor time of `fetch`, and a real limit
 * for connecting. TLS certificates are always verified; redirects are never followed.
 */
import * as http from "node:http"
import * as https from "node:https"
import { pipeline } from "node:stream"
import type { Readable } from "node:stream"
import * as zlib from "node:zlib"
import type { Send, TransportResponse } from "./Transport.ts"
import { codeOf, detailOf, TransportFault } from "./Transport.ts"

export interface NodeTransportOptions {
  /** Connections kept open at most. Default 8. */
  readonly maxSockets?: number | undefined
}

const spareBytes = 262_144
const spareBytesKept = 4 * 1_048_576

/** Makes the transport. `close` lets the connections go, so that a process can end at once. */
export const make = (
  options: NodeTransportOptions = {},
): { readonly send: Send; readonly close: () => void } => {
  const settings = { keepAlive: true, maxSockets: options.maxSockets ?? 8 }
  const agents = { http: new http.Agent(settings), https: new https.Agent(settings) }
  // Bodies are gathered in one buffer that is used again: a fresh one a page costs more than the copying.
  let spare: Buffer | null = null
  let target: {
    readonly base: string
    readonly secure: boolean
    readonly host: string
    readonly port: number
  } | null = null
  const targetOf = (base: string) => {
    if (target?.base === base) return target
    const { hostname, port, protocol } = new URL(base)
    const secure = protocol === "https:"
    const host = hostname.replace(/^\[|\]$/g, "")
    target = { base, secure, host, port: port === "" ? (secure ? 443 : 80) : Number(port) }
    return target
  }
  const send: Send = (outgoing, { onCancel }) =>
    new Promise<TransportResponse>((resolve, reject) => {
      const { headers, url } = outgoing
      const slash = url.indexOf("/", url.indexOf("//") + 2)
      const { host, port, secure } = targetOf(url.slice(0, slash))
      const agent = secure ? agents.https : agents.http
      const request = (secure ? https : http).request({ agent, headers, host, path: url.slice(slash), port })
      onCancel(() => request.destroy(new Error("called off")))
      let connected = false
      const refuse = (cause: unknown): void =>
        reject(
          cause instanceof TransportFault
            ? cause
            : new TransportFault(connected ? "request" : "connect", detailOf(cause), { code: codeOf(cause) }),
        )
      request.once("socket", (socket) => {
        connected = !socket.connecting
        if (connected) return
        const late = (): void => void request.destroy(new TransportFault("connect-timeout", "no connection"))
        const timer = setTimeout(late, outgoing.connectMillis)
        request.once("close", () => clearTimeout(timer))
        socket.once(secure ? "secureConnect" : "connect", () => {
          connected = true
          clearTimeout(timer)
        })
      })
      request.on("error", refuse)
      request.once("response", (response) => {
        const header = (name: string): string | null => {
          const value = response.headers[name]
          return value === undefined ? null : Array.isArray(value) ? value.join(", ") : value
        }
        const head = { status: response.statusCode ?? 0, header }
        const broken = (cause: unknown): void => {
          clearTimeout(idle)
          const phase = cause instanceof TransportFault ? cause.phase : "body"
          reject(new TransportFault(phase, detailOf(cause), { code: codeOf(cause), head }))
        }
        const stop = (fault: TransportFault): void => {
          broken(fault)
          response.destroy()
        }
        const idle = setTimeout(
          () => stop(new TransportFault("idle", "no data arrived")),
          outgoing.idleMillis,
        )
        const body = decoded(response, header("content-encoding"), broken)
        let bytes = 0
        let buffer = spare ?? Buffer.allocUnsafeSlow(spareBytes)
        spare = null
        body.on("data", (chunk: Buffer) => {
          const end = bytes + chunk.byteLength
          if (end > outgoing.maxBodyBytes)
            return stop(new TransportFault("too-large", "the body is too large"))
          if (end > buffer.byteLength) {
            const larger = Buffer.allocUnsafeSlow(Math.max(end, buffer.byteLength * 2))
            buffer.copy(larger, 0, 0, bytes)
            buffer = larger
          }
          buffer.set(chunk, bytes)
          bytes = end
          idle.refresh()
        })
        body.once("error", broken)
        body.once("end", () => {
          clearTimeout(idle)
          const text = buffer.toString("utf8", 0, bytes)
          if (buffer.byteLength <= spareBytesKept) spare = buffer
          resolve({ ...head, text })
        })
      })
      request.end()
    })
  return {
    send,
    close: () => {
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

/** The body without its content coding. No coding is asked for, but a server or a proxy may use one all the same. */
const decoded = (
  response: http.IncomingMessage,
  encoding: string | null,
  broken: (cause: unknown) => void,
): Readable => {
  const decoder =
    encoding === "gzip" || encoding === "x-gzip"
      ? zlib.createGunzip()
      : encoding === "br"
        ? zlib.createBrotliDecompress()
        : encoding === "deflate"
          ? zlib.createInflate()
          : null
  if (decoder === null) return response
  return pipeline(response, decoder, (cause) => {
    if (cause) broken(cause)
  })
}

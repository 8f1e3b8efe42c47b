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
  /**
   * Where `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` (in either case) are looked for, usually `process.env`. Default: no proxy. This machine itself is never asked through one. Needs Node 22.21
   * or 24.5.
   */
  readonly proxyEnv?: Readonly<Record<string, string | undefined>> | undefined
}

const proxyNames = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"]

const agentSettings = ({ maxSockets = 8, proxyEnv }: NodeTransportOptions): http.AgentOptions => {
  const settings = { keepAlive: true, maxSockets }
  if (proxyEnv === undefined || !proxyNames.some((name) => proxyEnv[name])) return settings
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
  if (major < 22 || (major === 22 && minor < 21) || major === 23 || (major === 24 && minor < 5)) {
    throw new Error(
      `A proxy is set (${proxyNames.filter((name) => proxyEnv[name]).join(", ")}), and Node ${process.versions.node} cannot use it. Use Node 22.21, 24.5 or later, or unset the proxy.`,
    )
  }
  const exempt = [proxyEnv["NO_PROXY"] ?? proxyEnv["no_proxy"] ?? "", "localhost", "127.0.0.1", "::1"]
  const noProxy = exempt.filter((name) => name !== "").join(",")
  return { ...settings, proxyEnv: { ...proxyEnv, NO_PROXY: noProxy, no_proxy: noProxy } }
}

const spareBytes = 262_144
const spareBytesKept = 4 * 1_048_576

/** Makes the transport. `close` lets the connections go, so that a process can end at once. */
export const make = (
  options: NodeTransportOptions = {},
): { readonly send: Send; readonly close: () => void } => {
  const settings = agentSettings(options)
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
          const mark = bytes >= 3 && buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf ? 3 : 0
          const text = buffer.toString("utf8", mark, bytes)
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

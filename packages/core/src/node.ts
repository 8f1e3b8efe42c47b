/**
 * A transport on `node:http` and `node:https` with kept-alive connections: about half the processor time of `fetch`, and a real limit
 * for connecting. TLS certificates are always verified; redirects are never followed.
 *
 * A server may close an idle connection at the moment at which it is reused. A request that is lost this way before the first byte of an answer
 * is sent again at once, on a new connection. This does not count as an attempt of the call.
 */
import { isUtf8 } from "node:buffer"
import * as http from "node:http"
import * as https from "node:https"
import * as dns from "node:dns"
import type { LookupFunction } from "node:net"
import { pipeline, Transform } from "node:stream"
import type { Readable } from "node:stream"
import * as zlib from "node:zlib"
import type { Proxy, ProxyVariables } from "./internal/proxy.ts"
import { proxyFor as choose } from "./internal/proxy.ts"
import { alarm } from "./internal/timer.ts"
import type { Cancellation, Decoded, Send, TransportRequest, TransportResponse } from "./Transport.ts"
import { codeOf, decodeOther, detailOf, TransportFault } from "./Transport.ts"

/** The options of the transport. */
export interface NodeTransportOptions {
  /** The most connections kept open. Default 8. */
  readonly maxSockets?: number | undefined
  /**
   * The environment with `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` (in either case), usually `process.env`, read as curl reads it; with
   * `NODE_TLS_REJECT_UNAUTHORIZED`, a proxy with TLS that Node would not verify is refused. Default: no proxy. Loopback addresses never use one. Needs Node 22.21 or 24.5.
   */
  readonly proxyEnv?: ProxyVariables | undefined
}

export type { Proxy, ProxyVariables } from "./internal/proxy.ts"

/** The proxy for an address, by the variables of the environment; null for a direct connection. Throws if there is one that cannot be used. */
export const proxyFor = (url: string, variables: ProxyVariables): Proxy | null => {
  const proxy = choose(url, variables)
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
  if (
    proxy !== null &&
    (major < 22 || (major === 22 && minor < 21) || major === 23 || (major === 24 && minor < 5))
  ) {
    throw new Error(
      `A proxy is set (${proxy.variable}), and Node ${process.versions.node} cannot use it. Use Node 22.21, 24.5 or later, or unset the proxy.`,
    )
  }
  return proxy
}

/** The way to a server: direct or by a proxy, on connections that are kept, or on new ones. */
interface Route {
  readonly proxy: Proxy | null
  readonly kept: Agents
  readonly fresh: Agents
}

interface Agents {
  readonly http: http.Agent
  readonly https: https.Agent
}

const agentsOf = (settings: http.AgentOptions): Agents => ({
  http: new http.Agent(settings),
  https: new https.Agent(settings),
})

/** Names below `localhost` are this machine, as in browsers and curl: a resolver that asks the network for them would give the key away. */
const lookup: LookupFunction = (host, options, done) =>
  dns.lookup(host.endsWith(".localhost") ? "localhost" : host, options, done)

/** Error codes of a request whose connection was closed by the server. */
const closedCodes: ReadonlySet<string | null> = new Set(["ECONNRESET", "EPIPE"])

/** Bytes of the headers of an answer. Gateways add many; Node's default is a quarter of it. */
const maxHeaderSize = 65_536

const spareBytes = 262_144
const spareBytesKept = 4 * 1_048_576

/** Makes the transport. `close` closes its connections, so that the process can end at once. A request fails if its proxy cannot be used. */
export const make = (
  options: NodeTransportOptions = {},
): { readonly send: Send; readonly close: () => void } => {
  const { maxSockets = 8, proxyEnv = {} } = options
  const routes = new Map<string, Route>()
  const routeOf = (proxy: Proxy | null, connectMillis: number): Route => {
    const name = proxy === null ? "" : `${connectMillis} ${proxy.url}`
    const known = routes.get(name)
    if (known !== undefined) return known
    // Said here, because otherwise the variable NODE_TLS_REJECT_UNAUTHORIZED can turn it off, and the key goes to anybody.
    const settings = {
      maxSockets,
      lookup,
      // Node gives up an address after a quarter of a second, and goes on to the next one: too soon for a server that is far away, or for one lost
      // packet, which is sent again after a second.
      autoSelectFamilyAttemptTimeout: 2_000,
      rejectUnauthorized: true,
      ...(proxy === null
        ? {}
        : {
            proxyEnv: { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url },
            // Of the way through the proxy: a request gets its socket only after it. Node takes this limit from the agent alone.
            timeout: connectMillis === Infinity ? 0 : connectMillis,
          }),
    }
    const route = {
      proxy,
      kept: agentsOf({ ...settings, keepAlive: true }),
      fresh: agentsOf({ ...settings, keepAlive: false }),
    }
    routes.set(name, route)
    return route
  }
  // Bodies are collected in one buffer that is reused: a new one for each page costs more than copying.
  let spare: Buffer | null = null
  let target: {
    readonly base: string
    readonly connectMillis: number
    readonly secure: boolean
    readonly host: string
    readonly port: number
    readonly route: Route
  } | null = null
  const targetOf = (base: string, connectMillis: number) => {
    if (target?.base === base && target.connectMillis === connectMillis) return target
    const { hostname, port, protocol } = new URL(base)
    const secure = protocol === "https:"
    const host = hostname.replace(/^\[|\]$/g, "")
    const route = routeOf(proxyFor(base, proxyEnv), connectMillis)
    const number = port === "" ? (secure ? 443 : 80) : Number(port)
    target = { base, connectMillis, secure, host, port: number, route }
    return target
  }
  /** Sends once. `sendAgain` is called instead of rejecting when a kept-alive connection had been closed before the first byte. */
  const sendOn = (
    way: "kept" | "fresh",
    outgoing: TransportRequest,
    { onCancel }: Cancellation,
    sendAgain: (() => Promise<TransportResponse>) | null,
  ) =>
    new Promise<TransportResponse>((resolve, reject) => {
      const { headers, url } = outgoing
      const slash = url.indexOf("/", url.indexOf("//") + 2)
      const { host, port, route, secure } = targetOf(url.slice(0, slash), outgoing.connectMillis)
      const agent = secure ? route[way].https : route[way].http
      const path = url.slice(slash)
      const request = (secure ? https : http).request({ agent, headers, host, maxHeaderSize, path, port })
      onCancel(() => request.destroy(new Error("cancelled")))
      let connected = false
      let bytesBefore = 0
      const refuse = (cause: unknown): void => {
        if (cause instanceof TransportFault) return reject(cause)
        const code = codeOf(cause)
        const isUnanswered = request.reusedSocket && request.socket?.bytesRead === bytesBefore
        if (sendAgain !== null && isUnanswered && closedCodes.has(code)) return resolve(sendAgain())
        const proxy = route.proxy === null ? null : `${route.proxy.origin} (${route.proxy.variable})`
        const detail = tunnelDetail(cause) ?? detailOf(cause)
        reject(new TransportFault(connected ? "request" : "connect", detail, { code, proxy }))
      }
      request.once("socket", (socket) => {
        bytesBefore = socket.bytesRead
        connected = !socket.connecting
        if (connected) return
        const late = (): void => void request.destroy(new TransportFault("connect-timeout", "no connection"))
        const { stop } = alarm(outgoing.connectMillis, late)
        request.once("close", stop)
        socket.once(secure ? "secureConnect" : "connect", () => {
          connected = true
          stop()
        })
      })
      request.on("error", refuse)
      // Without a listener the connection would end silently, and the attempt would end only at its time limit.
      request.once("upgrade", (response, socket) => {
        socket.destroy()
        resolve({ ...headOf(response), text: "" })
      })
      request.once("response", (response) => {
        const head = headOf(response)
        const broken = (cause: unknown): void => {
          idle.stop()
          const phase = cause instanceof TransportFault ? cause.phase : "body"
          reject(new TransportFault(phase, detailOf(cause), { code: codeOf(cause), head }))
        }
        const stop = (fault: TransportFault): void => {
          broken(fault)
          response.destroy()
        }
        const idle = alarm(outgoing.idleMillis, () => stop(new TransportFault("idle", "no data arrived")))
        const body = unpacked(response, head.header("content-encoding"), broken)
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
          idle.restart()
        })
        body.once("error", broken)
        body.once("end", () => {
          idle.stop()
          const decoded = decodedBody(buffer.subarray(0, bytes), head)
          if (buffer.byteLength <= spareBytesKept) spare = buffer
          resolve({ ...head, ...decoded })
        })
      })
      request.end()
    })
  const send: Send = (outgoing, cancellation) =>
    sendOn("kept", outgoing, cancellation, () => sendOn("fresh", outgoing, cancellation, null))
  return {
    send,
    close: () => {
      for (const { fresh, kept } of routes.values()) {
        for (const agent of [kept.http, kept.https, fresh.http, fresh.https]) agent.destroy()
      }
    },
  }
}

/** What a proxy did that made no connection; null for every other error. */
const tunnelDetail = (cause: unknown): string | null => {
  const { code, statusCode } = cause as { readonly code?: string; readonly statusCode?: number }
  if (code !== "ERR_PROXY_TUNNEL") return null
  return !(Number(statusCode) > 0) ? "the proxy did not answer" : `the proxy answered ${statusCode}`
}

const headOf = (response: http.IncomingMessage): Pick<TransportResponse, "status" | "header"> => ({
  status: response.statusCode ?? 0,
  header: (name) => {
    const value = response.headers[name]
    return value === undefined ? null : Array.isArray(value) ? value.join(", ") : value
  },
})

/** Like `decode`, with the faster functions of Node. */
const decodedBody = (body: Buffer, { header }: Pick<TransportResponse, "header">): Decoded => {
  if (!isUtf8(body)) return decodeOther(body, header("content-type"))
  const hasMark = body.length >= 3 && body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf
  return { text: body.toString("utf8", hasMark ? 3 : 0), wellEncoded: true }
}

/** `deflate` with the zlib header, as specified, or without it, as some servers send it: the first byte shows which. */
const inflate = (): Transform => {
  let inner: zlib.Inflate | zlib.InflateRaw | null = null
  const begin = (outer: Transform, first: number): zlib.Inflate | zlib.InflateRaw => {
    inner = (first & 15) === 8 ? zlib.createInflate() : zlib.createInflateRaw()
    inner.on("data", (piece: Buffer) => outer.push(piece))
    inner.once("error", (cause) => outer.destroy(cause))
    return inner
  }
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const to = inner ?? begin(this, chunk[0] ?? 0)
      to.write(chunk, () => done())
    },
    flush(done) {
      if (inner === null) return done()
      inner.once("end", () => done())
      inner.end()
    },
    destroy(cause, done) {
      inner?.destroy()
      done(cause)
    },
  })
}

const decoders: ReadonlyMap<string, () => Transform> = new Map([
  ["gzip", () => zlib.createGunzip()],
  ["x-gzip", () => zlib.createGunzip()],
  ["br", () => zlib.createBrotliDecompress()],
  ["deflate", inflate],
  ["zstd", () => zlib.createZstdDecompress()],
])

/**
 * Unpacks the body by `codings`, the value of a header: names in any case, in the order in which they were applied. The transport requests
 * none, but a server or a proxy may still use one or several. An unknown coding is ignored: some servers name one and send plain text. Calls
 * `broken` with an error of decoding.
 */
const unpacked = (response: Readable, codings: string | null, broken: (cause: unknown) => void): Readable => {
  if (codings === null) return response
  let body = response
  for (const coding of codings.toLowerCase().split(",").toReversed()) {
    const decoder = decoders.get(coding.trim())
    if (decoder === undefined) continue
    body = pipeline(body, decoder(), (cause) => {
      if (cause) broken(cause)
    })
  }
  return body
}

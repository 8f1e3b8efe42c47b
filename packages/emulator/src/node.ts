/**
 * Serves an emulator on a real port, so that dropped, cut and stalled connections are real ones.
 * The only file that uses `node:http`. Listens on loopback unless told otherwise.
 */
import { createServer } from "node:http"
import type { IncomingMessage, ServerResponse } from "node:http"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { control } from "./Control.ts"
import { chunks, gzipped, isPlain } from "./Answer.ts"
import type { Emulator, Prepared } from "./Emulator.ts"
import { site } from "./Site.ts"

/** Where to listen. */
export interface ListenOptions {
  /** Default 0: any free port. */
  readonly port?: number
  /** Default `127.0.0.1`. */
  readonly host?: string
}

/** A server that listens. */
export interface Server {
  /** Without a trailing slash: `http://127.0.0.1:41231`. */
  readonly url: string
  readonly port: number
  /** Closes open connections too. */
  readonly close: () => Promise<void>
}

/** Serves the emulator's traffic. Rejects when the port is taken. */
export const listen = (emulator: Emulator, options: ListenOptions = {}): Promise<Server> =>
  open(options, async (request, response, signal) => {
    await send(response, await emulator.answer(request), emulator, signal)
  })

/** Serves the control port of an emulator, separate from its traffic. Rejects when the port is taken. */
export const listenControl = (emulator: Emulator, options: ListenOptions = {}): Promise<Server> =>
  open(options, plainly(control(emulator)))

/** Serves a web site with the listings of an emulator, separate from its traffic. Rejects when the port is taken. */
export const listenSite = (emulator: Emulator, options: ListenOptions = {}): Promise<Server> =>
  open(options, plainly(site(emulator)))

type Handle = (request: Request, response: ServerResponse, signal: AbortSignal) => Promise<void>

const plainly =
  (answering: (request: Request) => Response | Promise<Response>): Handle =>
  async (request, response) => {
    const answer = await answering(request)
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    response.end(Buffer.from(await answer.arrayBuffer()))
  }

const open = async (options: ListenOptions, handle: Handle): Promise<Server> => {
  const { port = 0, host = "127.0.0.1" } = options
  const server = createServer((incoming, response) => {
    const gone = new AbortController()
    response.once("close", () => {
      if (!response.writableFinished) gone.abort()
    })
    const work = async () => handle(await toRequest(incoming, gone.signal), response, gone.signal)
    work().catch(() => response.destroy())
  })
  server.keepAliveTimeout = 60_000
  server.listen(port, host)
  await once(server, "listening")
  const address = server.address() as AddressInfo
  return {
    url: `http://${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}`,
    port: address.port,
    close: async () => {
      if (!server.listening) return
      const closed = once(server, "close")
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

const toRequest = async (incoming: IncomingMessage, signal: AbortSignal): Promise<Request> => {
  const { headers, method = "GET", url = "/" } = incoming
  const parts: Array<Uint8Array> = []
  if (method !== "GET" && method !== "HEAD") for await (const part of incoming) parts.push(part)
  const pairs = Object.entries(headers).flatMap(([name, value]): Array<[string, string]> =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]],
  )
  return new Request(url.startsWith("/") ? `http://${headers.host ?? "127.0.0.1"}${url}` : url, {
    method,
    headers: pairs,
    signal,
    ...(parts.length === 0 ? {} : { body: Buffer.concat(parts) }),
  })
}

const send = async (
  response: ServerResponse,
  prepared: Prepared,
  emulator: Emulator,
  signal: AbortSignal,
) => {
  const { delivery, headers, status } = prepared.answer
  if (delivery.drop === true) {
    response.destroy()
    return
  }
  const bytes = delivery.gzip === true ? await gzipped(prepared.bytes) : prepared.bytes
  response.writeHead(status, { ...headers, "content-length": bytes.length })
  if (isPlain(delivery)) {
    response.end(bytes)
    return
  }
  response.flushHeaders()
  for await (const chunk of chunks(bytes, delivery, emulator.clock, signal)) {
    await new Promise<void>((resolve, reject) =>
      response.write(chunk, (error) => (error === null || error === undefined ? resolve() : reject(error))),
    )
  }
  response.end()
}

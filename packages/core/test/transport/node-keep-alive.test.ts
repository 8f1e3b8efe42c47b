import { once } from "node:events"
import { createServer } from "node:net"
import type { AddressInfo, Socket } from "node:net"
import * as Effect from "effect/Effect"
import { afterEach, describe, expect, it } from "vitest"
import type { ClientEvent } from "../../src/ClientEvent.ts"
import * as PropertyClient from "../../src/PropertyClient.ts"
import * as NodeTransport from "../../src/node.ts"
import type { Cancellation, TransportRequest } from "../../src/Transport.ts"
import { Transport, viaFetch } from "../../src/Transport.ts"

const closing: Array<() => unknown> = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const answer = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 11\r\n\r\n{"ok":true}'

/** What is done with each request, by the number of its connection and its number on it; both count from 1. */
type Answering = (socket: Socket, connection: number, request: number) => unknown

/** A server whose connections are counted. */
const serve = async (answering: Answering) => {
  const counts = { connections: 0, requests: 0 }
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const connection = (counts.connections += 1)
    let requests = 0
    sockets.add(socket)
    socket.on("error", () => {})
    socket.on("data", () => {
      counts.requests += 1
      requests += 1
      answering(socket, connection, requests)
    })
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { counts, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const transport = () => {
  const made = NodeTransport.make()
  closing.push(made.close)
  return made.send
}
const never: Cancellation = { signal: new AbortController().signal, onCancel: () => {} }
const requestOf = (url: string): TransportRequest => ({
  url: `${url}/`,
  headers: { accept: "application/json" },
  connectMillis: 5_000,
  idleMillis: 5_000,
  maxBodyBytes: 1_000,
})

/** Answers the first request of a connection, and closes it in the moment in which a second one comes. */
const closingIdle =
  (close: (socket: Socket) => unknown): Answering =>
  (socket, _connection, request) =>
    request === 1 ? socket.write(answer) : close(socket)

describe("a kept-alive connection that the server closes when it is used again", () => {
  it.each([
    ["resets", (socket: Socket) => socket.resetAndDestroy()],
    ["ends", (socket: Socket) => socket.end()],
  ])("that it %s costs no attempt and no wait: 60 gets, 60 attempts", async (_how, close) => {
    const { counts, url } = await serve(closingIdle(close))
    const client = await Effect.runPromise(
      Effect.provideService(
        PropertyClient.make({ baseUrl: url, apiKey: "dk_key", rate: 0, retry: { attempts: 1 } }),
        Transport,
        transport(),
      ),
    )
    const events: Array<ClientEvent> = []
    client.listen((event) => events.push(event))
    for (let get = 0; get < 60; get++) await Effect.runPromise(client.me())
    expect(events.map((event) => (event._tag === "Attempted" ? event.outcome : event._tag))).toEqual(
      Array(60).fill("ok"),
    )
    // Otherwise no connection was closed under a request.
    expect(counts.requests).toBeGreaterThan(80)
  })

  it("is reported by fetch as a failed connection, which is an attempt", async () => {
    let closed = 0
    const { counts, url } = await serve(
      closingIdle((socket) => {
        closed += 1
        socket.resetAndDestroy()
      }),
    )
    const send = viaFetch()
    const failures: Array<string> = []
    for (let get = 0; get < 20; get++) {
      await send(requestOf(url), never).catch((cause: Error) => failures.push(cause.message))
    }
    expect(failures).toEqual(Array(closed).fill("fetch failed"))
    expect(closed).toBeGreaterThan(0)
    expect(counts.requests).toBe(20)
  })

  it("is given up for a new one once: what that one does is the outcome", async () => {
    const { counts, url } = await serve((socket, connection, request) =>
      connection === 1 && request === 1 ? socket.write(answer) : socket.resetAndDestroy(),
    )
    const send = transport()
    await send(requestOf(url), never)
    await expect(send(requestOf(url), never)).rejects.toMatchObject({ phase: "request", code: "ECONNRESET" })
    expect(counts).toEqual({ connections: 2, requests: 3 })
  })

  it("is given up for a new one that is no kept-alive one, however many of those there are", async () => {
    const held: Array<Socket> = []
    const { counts, url } = await serve((socket, connection, request) => {
      if (request > 1) return socket.resetAndDestroy()
      if (connection > 4) return socket.write(answer)
      held.push(socket)
      if (held.length === 4) for (const each of held) each.write(answer)
    })
    const send = transport()
    await Promise.all(Array.from({ length: 4 }, () => send(requestOf(url), never)))
    await Promise.all(Array.from({ length: 4 }, () => send(requestOf(url), never)))
    expect(counts).toEqual({ connections: 8, requests: 12 })
  })

  it("is a failed attempt once a byte of the answer has come", async () => {
    const { counts, url } = await serve((socket, _connection, request) => {
      if (request === 1) return socket.write(answer)
      socket.write("HTTP/1.1 2", () => socket.end())
    })
    const send = transport()
    await send(requestOf(url), never)
    await expect(send(requestOf(url), never)).rejects.toMatchObject({ phase: "request", code: "ECONNRESET" })
    expect(counts).toEqual({ connections: 1, requests: 2 })
  })

  it("is a failed attempt where the connection was new", async () => {
    const { counts, url } = await serve((socket) => socket.resetAndDestroy())
    await expect(transport()(requestOf(url), never)).rejects.toMatchObject({ code: "ECONNRESET" })
    expect(counts).toEqual({ connections: 1, requests: 1 })
  })

  it("leaves a request that can be cancelled on its new connection", async () => {
    let cancel = (): void => {}
    const closed = Promise.withResolvers<void>()
    const { url } = await serve((socket, connection, request) => {
      if (connection === 1) return request === 1 ? socket.write(answer) : socket.resetAndDestroy()
      socket.once("close", () => closed.resolve())
      cancel()
    })
    const send = transport()
    await send(requestOf(url), never)
    const onCancel = (listener: () => void): void => void (cancel = listener)
    await expect(send(requestOf(url), { ...never, onCancel })).rejects.toThrow("cancelled")
    await closed.promise
  })
})

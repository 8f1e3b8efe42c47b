import { once } from "node:events"
import { createServer } from "node:http"
import type { RequestListener, ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { afterEach, describe, expect, it } from "vitest"
import * as adapter from "../../src/http-client.ts"
import type { TransportRequest, TransportResponse } from "../../src/transport/Transport.ts"

const closing: Array<() => unknown> = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener).listen(0, "127.0.0.1")
  await once(server, "listening")
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const mebibyte = 1_048_576

/** Writes until nobody reads any more. */
const writeForEver = (response: ServerResponse, piece: Buffer): void => {
  while (!response.destroyed) {
    if (response.write(piece)) continue
    response.once("drain", () => writeForEver(response, piece))
    return
  }
}

describe.each([
  ["FetchHttpClient", FetchHttpClient.layer],
  ["NodeHttpClient on node:http", NodeHttpClient.layerNodeHttp],
  ["NodeHttpClient on undici", NodeHttpClient.layerUndici],
])("a transport on %s", (_name, layer) => {
  const sent = (url: string, limits: Partial<TransportRequest>): Promise<TransportResponse> =>
    Effect.runPromise(
      Effect.flatMap(adapter.make, (send) =>
        Effect.promise(() =>
          send(
            {
              url,
              headers: {},
              connectMillis: 5_000,
              idleMillis: 5_000,
              maxBodyBytes: mebibyte,
              ...limits,
            },
            { signal: new AbortController().signal, onCancel: () => {} },
          ),
        ),
      ).pipe(Effect.provide(layer)),
    )

  it("reads no more of a body than the limit of size, and ends its connection", async () => {
    let written = 0
    const closed = Promise.withResolvers<void>()
    const piece = Buffer.alloc(65_536, 32)
    const url = await serve((_request, response) => {
      response.once("close", closed.resolve)
      const write = response.write.bind(response)
      response.write = ((chunk: Buffer) => {
        written += chunk.byteLength
        return write(chunk)
      }) as typeof response.write
      writeForEver(response, piece)
    })
    await expect(sent(url, {})).rejects.toMatchObject({ phase: "too-large", head: { status: 200 } })
    await closed.promise
    // What two sockets and the streams above them hold is added to the limit.
    expect(written).toBeLessThan(24 * mebibyte)
  })

  it("reads a body of exactly the limit, and refuses one byte more", async () => {
    const url = await serve(
      (request, response) => void response.end(" ".repeat(Number(request.url?.slice(1)))),
    )
    expect((await sent(`${url}1000`, { maxBodyBytes: 1_000 })).text).toHaveLength(1_000)
    await expect(sent(`${url}1001`, { maxBodyBytes: 1_000 })).rejects.toMatchObject({ phase: "too-large" })
  })

  it("ends a body that falls silent, and its connection", async () => {
    const closed = Promise.withResolvers<void>()
    const url = await serve((_request, response) => {
      response.once("close", closed.resolve)
      response.write('{"ok":')
    })
    await expect(sent(url, { idleMillis: 60 })).rejects.toMatchObject({
      phase: "idle",
      head: { status: 200 },
    })
    await closed.promise
  })

  it("reads a body that takes longer than the limit of silence and is never silent", async () => {
    const url = await serve((_request, response) => {
      let left = 12
      const timer = setInterval(() => {
        response.write(" ")
        if (--left === 0) {
          clearInterval(timer)
          response.end("{}")
        }
      }, 100)
    })
    expect((await sent(url, { idleMillis: 1_000 })).text.trim()).toBe("{}")
  })

  it.each([200, 204])("reads an answer without a body as an empty text: %d", async (status) => {
    const url = await serve((_request, response) => void response.writeHead(status).end())
    expect(await sent(url, {})).toMatchObject({ status, text: "" })
  })

  it("reports a body that breaks off, with its status", async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { "content-length": "100" })
      response.write("{", () => response.destroy())
    })
    await expect(sent(url, {})).rejects.toMatchObject({ phase: "body", head: { status: 200 } })
  })
})

import { once } from "node:events"
import { createServer } from "node:http"
import type { RequestListener } from "node:http"
import { createServer as createPlainServer } from "node:net"
import type { AddressInfo } from "node:net"
import type { Duplex } from "node:stream"
import { afterEach, describe, expect, it } from "vitest"
import * as NodeTransport from "../../src/node.ts"
import type { Cancellation, TransportRequest } from "../../src/Transport.ts"
import { viaFetch } from "../../src/Transport.ts"

const closing: Array<() => unknown> = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const serve = async (
  listener: RequestListener,
  onConnect: (socket: Duplex) => void = () => {},
): Promise<number> => {
  const server = createServer(listener).listen(0, "127.0.0.1")
  server.on("connect", (_request, socket) => onConnect(socket))
  await once(server, "listening")
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** Node's agents have proxies from the version on that has this flag. */
const canUseProxies = process.allowedNodeEnvironmentFlags.has("--use-env-proxy")

const transport = (options: NodeTransport.NodeTransportOptions = {}) => {
  const made = NodeTransport.make(options)
  closing.push(made.close)
  return made
}

const never: Cancellation = { signal: new AbortController().signal, onCancel: () => {} }
const requestOf = (url: string, more: Partial<TransportRequest> = {}): TransportRequest => ({
  url,
  headers: { accept: "application/json" },
  connectMillis: 10_000,
  idleMillis: 10_000,
  maxBodyBytes: 10_000_000,
  ...more,
})

describe("the transport on node:http", () => {
  it("opens no more connections than maxSockets", async () => {
    const ports = new Set<number | undefined>()
    const port = await serve((request, response) => {
      ports.add(request.socket.remotePort)
      setImmediate(() => response.end("{}"))
    })
    const { send } = transport({ maxSockets: 2 })
    const url = `http://127.0.0.1:${port}/`
    await Promise.all(Array.from({ length: 20 }, () => send(requestOf(url), never)))
    expect(ports.size).toBe(2)
  })

  it("mixes nothing up between answers of many sizes at once", async () => {
    const port = await serve((request, response) => {
      const size = Number(request.url?.slice(1))
      response.end(String.fromCodePoint(97 + (size % 26)).repeat(size))
    })
    const { send } = transport()
    const sizes = Array.from({ length: 40 }, (_, at) => ((at * 7_919) % 40) * 25_000 + at)
    const answers = await Promise.all(
      sizes.map((size) => send(requestOf(`http://127.0.0.1:${port}/${size}`), never)),
    )
    for (const [at, size] of sizes.entries()) {
      expect(answers[at]?.text === String.fromCodePoint(97 + (size % 26)).repeat(size)).toBe(true)
    }
  })

  it("reads a text whose characters are cut between two packets", async () => {
    const bytes = Buffer.from('{"city":"東京🏠"}')
    const port = await serve(async (_request, response) => {
      for (const byte of bytes) await new Promise((resolve) => response.write(Buffer.from([byte]), resolve))
      response.end()
    })
    expect((await transport().send(requestOf(`http://127.0.0.1:${port}/`), never)).text).toBe(String(bytes))
  })

  it("leaves a byte order mark out of the text, as fetch does", async () => {
    const port = await serve((_, response) => void response.end("\ufeff{}"))
    const request = requestOf(`http://127.0.0.1:${port}/`)
    const texts = await Promise.all(
      [transport().send, viaFetch()].map((send) => send(request, never).then(({ text }) => text)),
    )
    expect(texts).toEqual(["{}", "{}"])
  })

  it("joins a header that came more than once", async () => {
    const port = await serve((_request, response) => {
      response.setHeader("set-cookie", ["a=1", "b=2"])
      response.end("{}")
    })
    const { header } = await transport().send(requestOf(`http://127.0.0.1:${port}/`), never)
    expect(header("set-cookie")).toBe("a=1, b=2")
  })

  it("counts the TLS handshake as part of connecting", async () => {
    const silent = createPlainServer(() => {}).listen(0, "127.0.0.1")
    await once(silent, "listening")
    closing.push(() => silent.close())
    const { port } = silent.address() as AddressInfo
    const sent = transport().send(requestOf(`https://127.0.0.1:${port}/`, { connectMillis: 40 }), never)
    await expect(sent).rejects.toMatchObject({ name: "TransportFault", phase: "connect-timeout" })
  })

  it("asks hosts by IPv6 address", async () => {
    const server = createServer((request, response) => response.end(JSON.stringify(request.headers.host)))
    server.listen(0, "::1")
    await once(server, "listening")
    closing.push(() => server.close())
    const { port } = server.address() as AddressInfo
    const { text } = await transport().send(requestOf(`http://[::1]:${port}/`), never)
    expect(text).toBe(`"[::1]:${port}"`)
  })

  it("gives a switch to another protocol as the answer that it is, at once, and lets the connection go", async () => {
    let gone: Promise<unknown> | undefined
    const server = createPlainServer((socket) => {
      gone = once(socket, "close")
      socket.on("error", () => {})
      socket.once("data", () =>
        socket.write(
          "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\nhello",
        ),
      )
    }).listen(0, "127.0.0.1")
    await once(server, "listening")
    closing.push(() => server.close())
    const { port } = server.address() as AddressInfo
    const { header, status, text } = await transport().send(requestOf(`http://127.0.0.1:${port}/`), never)
    expect([status, header("upgrade"), text]).toEqual([101, "other", ""])
    await gone
  })

  it("leaves a body alone whose coding is not known", async () => {
    const port = await serve((_request, response) => {
      response.setHeader("content-encoding", "constructor")
      response.end("{}")
    })
    expect((await transport().send(requestOf(`http://127.0.0.1:${port}/`), never)).text).toBe("{}")
  })

  it("says that a body breaks off whose coding is not what it says", async () => {
    for (const coding of ["gzip", "deflate", "deflate, gzip"]) {
      const port = await serve((_request, response) => {
        response.setHeader("content-encoding", coding)
        response.end(Buffer.from([0xff, 0xfe, 0xfd, 0xfc, 0xfb]))
      })
      await expect(transport().send(requestOf(`http://127.0.0.1:${port}/`), never)).rejects.toMatchObject({
        phase: "body",
      })
    }
  })

  it("lets a process end: close ends the connections that are kept", async () => {
    let closed: Promise<unknown> | undefined
    const port = await serve((request, response) => {
      closed = once(request.socket, "close")
      response.end("{}")
    })
    const { close, send } = transport()
    await send(requestOf(`http://127.0.0.1:${port}/`), never)
    close()
    await closed
    expect(closed).toBeDefined()
  })

  it("uses a proxy that the environment names, or says that this Node cannot, and never for a loopback address", async () => {
    const seen: Array<string | undefined> = []
    const proxy = await serve((request, response) => {
      seen.push(request.url)
      response.end('{"from":"proxy"}')
    })
    const direct = await serve((_request, response) => response.end('{"from":"direct"}'))
    const { send } = transport({ proxyEnv: { HTTP_PROXY: `http://127.0.0.1:${proxy}` } })
    const straight = await send(requestOf(`http://127.0.0.1:${direct}/`), never)
    expect(straight.text).toBe('{"from":"direct"}')
    const asked = send(requestOf("http://api.example.test/v1/me/"), never)
    if (!canUseProxies) {
      return expect(asked).rejects.toThrow(/A proxy is set \(HTTP_PROXY\), and Node .* cannot use it/)
    }
    expect((await asked).text).toBe('{"from":"proxy"}')
    expect(seen).toEqual(["http://api.example.test/v1/me/"])
  })

  it.runIf(canUseProxies).each([
    ["refuses", "HTTP/1.1 502 no\r\n\r\n", "the proxy answered 502"],
    ["asks for a password", "HTTP/1.1 407 no\r\n\r\n", "the proxy answered 407"],
    ["never answers", null, "the proxy did not answer"],
  ])("names a proxy that %s", async (_, answer, message) => {
    const sockets: Array<Duplex> = []
    const proxy = await serve(
      (_request, response) => response.end(),
      (socket) => {
        sockets.push(socket)
        if (answer !== null) socket.end(answer)
      },
    )
    closing.push(() => sockets.forEach((socket) => socket.destroy()))
    const { send } = transport({ proxyEnv: { HTTPS_PROXY: `http://ada:secret@127.0.0.1:${proxy}` } })
    const asked = send({ ...requestOf("https://api.example.test/v1/me/"), connectMillis: 300 }, never)
    await expect(asked).rejects.toMatchObject({
      phase: "connect",
      code: "ERR_PROXY_TUNNEL",
      message,
      proxy: `http://127.0.0.1:${proxy} (HTTPS_PROXY)`,
    })
  })

  it.runIf(canUseProxies)(
    "waits for a proxy as long as each request may, and not as the first one could",
    async () => {
      const sockets: Array<Duplex> = []
      const proxy = await serve(
        (_request, response) => response.end(),
        (socket) => sockets.push(socket),
      )
      closing.push(() => sockets.forEach((socket) => socket.destroy()))
      const { send } = transport({ proxyEnv: { HTTPS_PROXY: `http://127.0.0.1:${proxy}` } })
      const ended: Array<number> = []
      const limits = [1_500, 100, Infinity, 600]
      const asked = limits.map(async (connectMillis) => {
        const fault = await send(
          requestOf("https://api.example.test/v1/me/", { connectMillis }),
          never,
        ).catch((cause: unknown) => cause)
        ended.push(connectMillis)
        return fault
      })
      await Promise.all([asked[0], asked[1], asked[3]])
      expect(ended).toEqual([100, 600, 1_500])
    },
  )

  it("leaves the proxy out for the hosts of NO_PROXY", async () => {
    let seen = 0
    const proxy = await serve((_request, response) => {
      seen += 1
      response.end("{}")
    })
    const proxyEnv = { http_proxy: `http://127.0.0.1:${proxy}`, no_proxy: "api.example.test" }
    const { send } = transport({ proxyEnv })
    await expect(send(requestOf("http://api.example.test:9/v1/me/"), never)).rejects.toMatchObject({
      phase: "connect",
    })
    expect(seen).toBe(0)
  })
})

import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import type { RequestListener, Server as HttpServer } from "node:http"
import { createServer as createSecureServer } from "node:https"
import { once } from "node:events"
import { createServer as createPlainServer } from "node:net"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as emulation from "@deedkit/emulator"
import type { Fault } from "@deedkit/emulator"
import { listen } from "@deedkit/emulator/node"
import * as Effect from "effect/Effect"
import { afterAll, afterEach, describe, expect, it, vi } from "vitest"
import type { ClientOptions } from "../../src/ClientConfig.ts"
import * as NodeTransport from "../../src/node.ts"
import * as PropertyClient from "../../src/PropertyClient.ts"
import type { Cancellation, Send, TransportRequest } from "../../src/Transport.ts"
import { Transport, TransportFault, viaFetch } from "../../src/Transport.ts"
import { failure, idsOf, readList } from "../fixtures/Setup.ts"

const closing: Array<() => unknown> = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const nodeTransport = (): Send => {
  const { close, send } = NodeTransport.make()
  closing.push(close)
  return send
}
interface Candidate {
  readonly name: string
  readonly make: () => Send
  /** Headers that the platform adds because no cache may answer. */
  readonly added: ReadonlyArray<string>
}
const transports: ReadonlyArray<Candidate> = [
  { name: "fetch", make: () => viaFetch(), added: ["cache-control", "pragma"] },
  { name: "node:http", make: nodeTransport, added: [] },
]

/** A server for answers that no service gives. */
const serve = async (listener: RequestListener, server: HttpServer = createServer()): Promise<string> => {
  server.on("request", listener).listen(0, "127.0.0.1")
  await once(server, "listening")
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

let seed = 0

/** Keys of its own for each test, so that no rate limiter is shared. */
const service = async (faults: ReadonlyArray<Fault> = []) => {
  const emulator = emulation.make({ contracts: 130, seed: ++seed, faults })
  const server = await listen(emulator)
  closing.push(server.close)
  return { emulator, url: server.url }
}

const hasty: Partial<ClientOptions> = {
  rate: 0,
  retry: { attempts: 2, baseMillis: 2, leastMillis: 1 },
}

const clientOf = (send: Send, options: ClientOptions) =>
  Effect.runPromise(Effect.provideService(PropertyClient.make({ ...hasty, ...options }), Transport, send))

const never: Cancellation = { signal: new AbortController().signal, onCancel: () => {} }
const requestOf = (url: string, more: Partial<TransportRequest> = {}): TransportRequest => ({
  url,
  headers: { accept: "application/json" },
  connectMillis: 10_000,
  idleMillis: 10_000,
  maxBodyBytes: 1_000_000,
  ...more,
})

/** What a transport rejects with. */
const faultOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => {
      throw new Error(`was fulfilled with ${JSON.stringify(value)}`)
    },
    (cause: unknown) => cause,
  )

describe.each(transports)("$name", ({ added, make }) => {
  const client = async (faults: ReadonlyArray<Fault>, options: Partial<ClientOptions> = {}) => {
    const { emulator, url } = await service(faults)
    const of = await clientOf(make(), { baseUrl: url, apiKey: emulator.apiKey, ...options })
    return { client: of, emulator }
  }
  const errorOf = async (faults: ReadonlyArray<Fault>, options: Partial<ClientOptions> = {}) => {
    const it = await client(faults, options)
    return { ...it, error: await Effect.runPromise(failure(it.client.me())) }
  }

  it("gives status, headers by lower-case name, and text", async () => {
    const host = await serve((_request, response) => {
      response.writeHead(203, { "X-Request-Id": "r1", "content-type": "application/json" })
      response.end('{"ok":true,"città":"São — 東京 🏠"}')
    })
    const response = await make()(requestOf(`http://${host}/v1/me/?a=b%20c`), never)
    expect([response.status, response.header("x-request-id"), response.header("none")]).toEqual([
      203,
      "r1",
      null,
    ])
    expect(response.text).toBe('{"ok":true,"città":"São — 東京 🏠"}')
  })

  it("sends exactly the headers that it is given, and those that HTTP needs", async () => {
    let path: string | undefined
    let headers: ReadonlyArray<string> = []
    const host = await serve((request, response) => {
      path = request.url
      headers = Object.keys(request.headers)
      response.end("{}")
    })
    await make()(
      requestOf(`http://${host}/p/v1/?x=%5B1%5D`, { headers: { authorization: "Bearer k" } }),
      never,
    )
    expect(path).toBe("/p/v1/?x=%5B1%5D")
    const plumbing = new Set([
      "host",
      "connection",
      "accept-encoding",
      "accept-language",
      "sec-fetch-mode",
      "user-agent",
    ])
    const given = headers.filter((name) => !plumbing.has(name) && name !== "accept")
    expect(given.toSorted()).toEqual(["authorization", ...added])
  })

  it("reads and looks up", async () => {
    const { client: of, emulator } = await client([])
    const { error, records } = await Effect.runPromise(readList(of.contracts.pages({ limit: 40 })))
    expect(error).toBeNull()
    expect(records).toEqual(JSON.parse(JSON.stringify(emulator.store.contracts)))
    const { id } = emulator.store.contracts[5]!
    expect((await Effect.runPromise(of.contracts.get(id))).id).toBe(id)
  })

  it.each(["gzip", "slow"] as const)("gives the same records for %s answers", async (name) => {
    const fault: Fault = name === "slow" ? { name, bytesPerSecond: 2_000_000, chunkMs: 2 } : { name }
    const { client: of, emulator } = await client([fault])
    const contracts = await Effect.runPromise(of.contracts.collect({ max: "all" }))
    expect(idsOf(contracts)).toEqual(idsOf(emulator.store.contracts))
  })

  it.each(["deflate", "br", "zstd"] as const)("unpacks %s, which it has not asked for", async (encoding) => {
    const { brotliCompressSync, deflateSync, zstdCompressSync } = await import("node:zlib")
    const pack = { deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync }[encoding]
    const packed = pack('{"ok":true}')
    const host = await serve((_request, response) => {
      response
        .writeHead(200, { "content-encoding": encoding, "content-type": "application/json" })
        .end(packed)
    })
    expect((await make()(requestOf(`http://${host}/`), never)).text).toBe('{"ok":true}')
  })

  it.each([
    ["GZIP", ["gzip"]],
    [" x-gzip ", ["gzip"]],
    ["deflate, gzip", ["deflate", "gzip"]],
    ["br,Deflate", ["br", "deflate"]],
  ])("unpacks the codings %j, whatever their case, in their order", async (header, codings) => {
    const { brotliCompressSync, deflateSync, gzipSync } = await import("node:zlib")
    const coders: Readonly<Record<string, (body: Uint8Array) => Uint8Array>> = {
      gzip: gzipSync,
      deflate: deflateSync,
      br: brotliCompressSync,
    }
    const packed = codings.reduce<Uint8Array>(
      (body, coding) => coders[coding]!(body),
      Buffer.from('{"ok":true}'),
    )
    const host = await serve((_request, response) => {
      response.writeHead(200, { "content-encoding": header, "content-type": "application/json" }).end(packed)
    })
    expect((await make()(requestOf(`http://${host}/`), never)).text).toBe('{"ok":true}')
  })

  it("unpacks deflate without its header, in pieces of any size", async () => {
    const { deflateRawSync } = await import("node:zlib")
    const text = JSON.stringify(Array.from({ length: 3_000 }, (_, at) => `${at * 7919}`))
    const packed = deflateRawSync(text)
    const host = await serve((_request, response) => {
      response.writeHead(200, { "content-encoding": "deflate", "content-type": "application/json" })
      response.write(packed.subarray(0, 1), () => response.end(packed.subarray(1)))
    })
    expect((await make()(requestOf(`http://${host}/`), never)).text === text).toBe(true)
  })

  it("reads a body in the charset that it declares, and says where characters are not known", async () => {
    let type = "application/json; charset=iso-8859-1"
    const host = await serve((_request, response) => {
      response.writeHead(200, { "content-type": type }).end(Buffer.from('{"city":"Café"}', "latin1"))
    })
    const send = make()
    const told = await send(requestOf(`http://${host}/`), never)
    type = "application/json"
    const untold = await send(requestOf(`http://${host}/`), never)
    expect([told, untold]).toMatchObject([
      { text: '{"city":"Café"}', wellEncoded: true },
      { text: '{"city":"Caf\ufffd"}', wellEncoded: false },
    ])
  })

  it.each([30 * 86_400_000, Infinity])(
    "waits for a body and a connection with limits of %d ms",
    async (millis) => {
      const host = await serve((_request, response) => {
        response.write('{"ok":')
        setTimeout(() => response.end("true}"), 20)
      })
      const limits = { connectMillis: millis, idleMillis: millis }
      expect((await make()(requestOf(`http://${host}/`, limits), never)).text).toBe('{"ok":true}')
    },
  )

  it("says phase request for a connection that ends before the head, and tries again", async () => {
    const { emulator, error } = await errorOf([{ name: "drop" }])
    expect(error.reason).toMatchObject({ _tag: "TransportFailed", code: expect.any(String) })
    expect(emulator.journal.entries).toHaveLength(2)
    expect(error.retryable).toBe(true)
  })

  it("says phase body, with the request's id, for a body that breaks off", async () => {
    const { emulator, error } = await errorOf([{ name: "cut" }])
    expect(error.reason).toMatchObject({ _tag: "TransportFailed", phase: "body" })
    expect(error.requestId).toBe(emulator.journal.entries.at(-1)?.requestId)
    expect(error.attempts).toMatchObject([{ status: 200, phase: "body" }, { status: 200 }])
  })

  it("says phase body for a packed body that breaks off", async () => {
    const { error } = await errorOf([{ name: "gzip" }, { name: "cut", bytes: 30 }])
    expect(error.reason).toMatchObject({ _tag: "TransportFailed", phase: "body" })
  })

  it("gives up at the attempt's limit when no head comes", async () => {
    const { error } = await errorOf([{ name: "stall", head: false }], { timeLimits: { attempt: 60 } })
    expect(error.reason).toEqual({ _tag: "TimedOut", which: "attempt", afterMillis: 60 })
    expect(error.attempts).toHaveLength(2)
  })

  it("gives up at the idle limit when a body falls silent", async () => {
    const { error } = await errorOf([{ name: "stall", bytes: 10 }], {
      timeLimits: { idle: 60, attempt: 10_000 },
    })
    expect(error.reason).toEqual({ _tag: "TimedOut", which: "idle", afterMillis: 60 })
  })

  it("does not count a body that keeps arriving as idle", async () => {
    const { client: of } = await client([{ name: "slow", bytesPerSecond: 100, chunkMs: 50 }], {
      timeLimits: { idle: 1_000 },
    })
    expect(await Effect.runPromise(of.me())).toMatchObject({ ok: true })
  })

  it("says phase connect and ECONNREFUSED for a dead port", async () => {
    const free = createPlainServer().listen(0, "127.0.0.1")
    await once(free, "listening")
    const { port } = free.address() as AddressInfo
    free.close()
    await once(free, "close")
    const of = await clientOf(make(), { baseUrl: `http://127.0.0.1:${port}`, apiKey: "dk_dead" })
    const error = await Effect.runPromise(failure(of.me()))
    expect(error.reason).toMatchObject({ _tag: "TransportFailed", phase: "connect", code: "ECONNREFUSED" })
    expect(error.attempts).toHaveLength(2)
  })

  it("says NotTheApi for a page of HTML, once", async () => {
    const { emulator, error } = await errorOf([{ name: "not-json" }])
    expect(error.reason).toMatchObject({
      _tag: "NotTheApi",
      status: 200,
      contentType: "text/html; charset=utf-8",
    })
    expect(emulator.journal.entries).toHaveLength(1)
  })

  it.each([
    ["with its length said first", [{ name: "huge", bytes: 200_000 }]],
    [
      "in pieces",
      [
        { name: "huge", bytes: 200_000 },
        { name: "slow", bytesPerSecond: 20_000_000, chunkMs: 1 },
      ],
    ],
    ["packed small", [{ name: "huge", bytes: 200_000 }, { name: "gzip" }]],
  ] as const)("says BodyTooLarge for a large body %s, and does not try again", async (_, faults) => {
    const { emulator, error } = await errorOf(faults, { maxBodyBytes: 100_000 })
    expect(error.reason).toEqual({ _tag: "BodyTooLarge", maxBodyBytes: 100_000 })
    expect(emulator.journal.entries).toHaveLength(1)
  })

  it("stops reading a body without a length at the limit", async () => {
    let sent = 0
    const host = await serve((_request, response) => {
      const more = (): void => {
        sent += 65_536
        if (!response.destroyed && sent < 50_000_000) response.write(Buffer.alloc(65_536, 32), more)
      }
      more()
    })
    const fault = await faultOf(make()(requestOf(`http://${host}/`, { maxBodyBytes: 200_000 }), never))
    expect(fault).toMatchObject({ phase: "too-large" })
    expect(sent).toBeLessThan(50_000_000)
  })

  it.each([301, 302, 303, 307, 308])(
    "does not follow a %d: the other server sees no request",
    async (status) => {
      let seen = 0
      const elsewhere = await serve((_request, response) => {
        seen += 1
        response.end("{}")
      })
      const { error } = await errorOf([
        { name: "redirect", status: status as 302, to: `http://${elsewhere}/v1/me/?token=1` },
      ])
      expect(error.reason).toEqual({
        _tag: "Redirected",
        status,
        location: `http://${elsewhere}/v1/me/`,
        sameOrigin: false,
      })
      expect(error.attempts).toHaveLength(1)
      expect(seen).toBe(0)
    },
  )

  it("does not follow a redirect within the origin either, and names the address", async () => {
    const { emulator, error } = await errorOf([{ name: "redirect" }])
    expect(error.reason).toMatchObject({
      sameOrigin: true,
      location: expect.stringMatching(/\/moved\/v1\/me\/$/),
    })
    expect(emulator.journal.entries).toHaveLength(1)
  })

  it("keeps its connection for the next request", async () => {
    const ports = new Set<number | undefined>()
    const host = await serve((request, response) => {
      ports.add(request.socket.remotePort)
      response.setHeader("content-type", "application/json")
      response.end('{"ok":true}')
    })
    const of = await clientOf(make(), { baseUrl: `http://${host}`, apiKey: "dk_alive" })
    for (let at = 0; at < 10; at++) await Effect.runPromise(of.me())
    // fetch opens a second connection while the first one is not free yet, and then stays with the two.
    expect(ports.size).toBeLessThanOrEqual(2)
  })

  it("closes the connection when the attempt is cancelled", async () => {
    const controller = new AbortController()
    let gone: Promise<unknown> | undefined
    const host = await serve((request) => {
      gone = once(request.socket, "close")
      controller.abort()
    })
    const cancellation: Cancellation = {
      signal: controller.signal,
      onCancel: (listener) => controller.signal.addEventListener("abort", listener),
    }
    await faultOf(make()(requestOf(`http://${host}/`), cancellation))
    await gone
    expect(gone).toBeDefined()
  })
})

describe("errors of both", () => {
  it.each<Fault>([
    { name: "cut" },
    { name: "not-json" },
    { name: "redirect" },
    { name: "truncated-json" },
    { name: "huge", bytes: 100_000 },
    { name: "server-error" },
    { name: "html-error" },
    { name: "key-revoked" },
    { name: "stall", head: false },
    { name: "status", code: 204 },
  ])("are the same for $name", async (fault) => {
    const options = { maxBodyBytes: 50_000, timeLimits: { attempt: fault.name === "stall" ? 200 : 10_000 } }
    const reasons = []
    for (const { make } of transports) {
      const { emulator, url } = await service([fault])
      const client = await clientOf(make(), { baseUrl: url, apiKey: emulator.apiKey, ...options })
      const { reason } = await Effect.runPromise(failure(client.me()))
      const {
        code: _code,
        detail: _detail,
        location: _location,
        ...same
      } = { ...reason } as { [name: string]: unknown }
      reasons.push(same)
    }
    expect(reasons[0]).toEqual(reasons[1])
  })
})

const openssl = spawnSync("openssl", ["version"], { stdio: "ignore" }).status === 0
if (!openssl)
  console.warn("SKIPPED: openssl is not installed, so certificates that are not trusted are not tried.")

describe("https", () => {
  const folder = openssl ? mkdtempSync(join(tmpdir(), "deedkit-tls-")) : ""
  afterAll(() => {
    if (folder !== "") rmSync(folder, { recursive: true, force: true })
  })
  const certificate = () => {
    const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")]
    const subject = ["-subj", "/CN=localhost", "-days", "2", "-addext", "subjectAltName=IP:127.0.0.1"]
    const kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    execFileSync("openssl", ["req", ...kind, "-keyout", key, "-out", cert, ...subject], { stdio: "ignore" })
    return { key: readFileSync(key), cert: readFileSync(cert) }
  }

  it.runIf(openssl).each(transports)(
    "$name says phase tls for an untrusted certificate, does not try again and sends no request",
    async ({ make }) => {
      let seen = 0
      const host = await serve((_request, response) => {
        seen += 1
        response.end("{}")
      }, createSecureServer(certificate()))
      const client = await clientOf(make(), { baseUrl: `https://${host}`, apiKey: "dk_tls" })
      const error = await Effect.runPromise(failure(client.me()))
      expect(error.reason).toMatchObject({
        _tag: "TransportFailed",
        phase: "tls",
        code: "DEPTH_ZERO_SELF_SIGNED_CERT",
      })
      expect(error.attempts).toHaveLength(1)
      expect(error.retryable).toBe(false)
      expect(seen).toBe(0)
    },
  )

  it.runIf(openssl)("node:http refuses it although NODE_TLS_REJECT_UNAUTHORIZED is 0", async () => {
    let seen = 0
    const host = await serve((_request, response) => {
      seen += 1
      response.end("{}")
    }, createSecureServer(certificate()))
    const client = await clientOf(nodeTransport(), { baseUrl: `https://${host}`, apiKey: "dk_tls" })
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0")
    closing.push(() => vi.unstubAllEnvs())
    const error = await Effect.runPromise(failure(client.me()))
    expect(error.reason).toMatchObject({ _tag: "TransportFailed", phase: "tls" })
    expect(seen).toBe(0)
  })

  it.each(transports)("$name says phase protocol when the other side speaks plain http", async ({ make }) => {
    const host = await serve((_request, response) => response.end("{}"))
    const client = await clientOf(make(), { baseUrl: `https://${host}`, apiKey: "dk_plain" })
    const error = await Effect.runPromise(failure(client.me()))
    expect(error.reason).toMatchObject({ _tag: "TransportFailed", phase: "protocol" })
    expect(error.attempts).toHaveLength(1)
  })
})

describe("a fetch of your own", () => {
  it("is given the request with redirects off, no credentials and a signal", async () => {
    let seen: Request | undefined
    const send = viaFetch(async (request) => {
      seen = request
      return new Response("{}")
    })
    await send(requestOf("https://api.example.test/v1/me/"), never)
    expect([seen?.redirect, seen?.credentials, seen?.method]).toEqual(["manual", "omit", "GET"])
  })

  it("is given a request that no cache may answer or keep", async () => {
    let seen: Request | undefined
    const send = viaFetch(async (request) => {
      seen = request
      return new Response("{}")
    })
    await send(requestOf("https://api.example.test/"), never)
    expect(seen?.cache).toBe("no-store")
    expect(new Request(seen!, { referrerPolicy: "no-referrer" }).cache).toBe("no-store")
  })

  it("that shows a redirect only as opaque still shows that it was one", async () => {
    const opaque = Object.create(new Response(null), {
      type: { value: "opaqueredirect" },
      status: { value: 0 },
      headers: { value: new Headers() },
      body: { value: null },
    }) as Response
    const response = await viaFetch(async () => opaque)(requestOf("https://api.example.test/"), never)
    expect(response.status).toBe(302)
  })

  it("that rejects counts as a failed connection, with the platform's code", async () => {
    const cause = Object.assign(new Error("getaddrinfo ENOTFOUND api.example.test"), { code: "ENOTFOUND" })
    const send = viaFetch(() => Promise.reject(new TypeError("fetch failed", { cause })))
    const client = await clientOf(send, { baseUrl: "https://api.example.test", apiKey: "dk_nx" })
    const error = await Effect.runPromise(failure(client.me()))
    expect(error.reason).toEqual({
      _tag: "TransportFailed",
      phase: "connect",
      code: "ENOTFOUND",
      detail: "getaddrinfo ENOTFOUND api.example.test",
    })
  })
})

describe("TransportFault", () => {
  it("of a transport of your own is kept as its phase", async () => {
    const send: Send = () => Promise.reject(new TransportFault("request", "reset", { code: "ECONNRESET" }))
    const client = await clientOf(send, { baseUrl: "https://api.example.test", apiKey: "dk_own" })
    const error = await Effect.runPromise(failure(client.me()))
    expect(error.reason).toEqual({
      _tag: "TransportFailed",
      phase: "request",
      code: "ECONNRESET",
      detail: "reset",
    })
  })
})

import { connect } from "node:net"
import { make } from "@deedkit/emulator"
import type { Emulator } from "@deedkit/emulator"
import { listen } from "@deedkit/emulator/node"
import type { Server } from "@deedkit/emulator/node"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { ask } from "./asking.ts"

let emulator: Emulator
let server: Server

beforeEach(async () => {
  emulator = make({ contracts: 20 })
  server = await listen(emulator)
})
afterEach(() => server.close())

const over = (path: string, init: RequestInit = {}) =>
  fetch(`${server.url}${path}`, { ...init, headers: { authorization: `Bearer ${emulator.apiKey}` } })

/** Everything that the socket gives for one request, head included, until it closes. */
const raw = (path: string) =>
  new Promise<string>((resolve) => {
    let text = ""
    const socket = connect(server.port, "127.0.0.1", () =>
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${emulator.apiKey}\r\nConnection: close\r\n\r\n`,
      ),
    )
    socket.setEncoding("utf8").on("data", (part: string) => (text += part))
    socket.on("error", () => {}).on("close", () => resolve(text))
  })

describe("listen", () => {
  it("listens on loopback and answers what the emulator answers in process", async () => {
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`)
    const answer = await over("/v1/contracts/?limit=3")
    expect(answer.status).toBe(200)
    expect(await answer.text()).toBe(await (await ask(emulator, "/v1/contracts/?limit=3")).text())
    expect(answer.headers.get("x-request-id")).toBe(emulator.journal.entries[0]?.requestId)
  })

  it("keeps a connection for the next request", async () => {
    const text = await new Promise<string>((resolve) => {
      let received = ""
      const ask = (last: string) =>
        socket.write(`GET /v1/nothing/ HTTP/1.1\r\nHost: x\r\nConnection: ${last}\r\n\r\n`)
      const socket = connect(server.port, "127.0.0.1", () => ask("keep-alive"))
      socket.setEncoding("utf8").on("close", () => resolve(received))
      socket.on("data", (part: string) => {
        received += part
        if (emulator.journal.entries.length === 1 && received.endsWith("}")) ask("close")
      })
    })
    expect(text.match(/HTTP\/1\.1 404/g)).toHaveLength(2)
    expect(emulator.journal.entries.map(({ path }) => path)).toEqual(["/v1/nothing/", "/v1/nothing/"])
  })

  it("takes a path that begins with two slashes for a path, as it does in process", async () => {
    expect((await over("//v1/me/")).status).toBe(200)
    expect((await ask(emulator, "//v1/me/")).status).toBe(200)
    expect(emulator.journal.entries.map(({ path }) => path)).toEqual(["//v1/me/", "//v1/me/"])
  })

  it("sends no body with a status that allows none", async () => {
    for (const code of [204, 304]) {
      emulator.faults.set([{ name: "status", code }])
      const [head, body] = (await raw("/v1/me/")).split("\r\n\r\n")
      expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${code} `))
      expect(body).toBe("")
    }
  })

  it("rejects when the port is taken", async () => {
    await expect(listen(make(), { port: server.port })).rejects.toThrow("EADDRINUSE")
  })

  it("closes once, with connections open, and may be closed again", async () => {
    emulator.faults.set(["stall"])
    const answer = await over("/v1/me/")
    await server.close()
    await expect(answer.text()).rejects.toThrow(TypeError)
    await server.close()
    await expect(over("/v1/me/")).rejects.toThrow(TypeError)
  })
})

describe("faults on a real socket", () => {
  it("drop closes it without a byte", async () => {
    emulator.faults.set(["drop"])
    expect(await raw("/v1/me/")).toBe("")
    await expect(over("/v1/me/")).rejects.toThrow("fetch failed")
  })

  it("cut closes it in the middle of the body", async () => {
    emulator.faults.set(["cut:bytes=40"])
    const [head, body] = (await raw("/v1/me/")).split("\r\n\r\n")
    expect(body).toHaveLength(40)
    expect(Number(/content-length: (\d+)/i.exec(head ?? "")?.[1])).toBeGreaterThan(40)
    await expect((await over("/v1/me/")).text()).rejects.toThrow("terminated")
  })

  it("stall sends the head alone until the client gives up", async () => {
    emulator.faults.set(["stall"])
    const controller = new AbortController()
    const answer = await over("/v1/me/", { signal: controller.signal })
    expect(answer.status).toBe(200)
    controller.abort()
    await expect(answer.text()).rejects.toThrow("abort")
  })

  it("slow sends all of it in parts", async () => {
    emulator.faults.set(["slow:bytesPerSecond=100000,chunkMs=1"])
    const answer = await over("/v1/me/")
    expect(JSON.parse(await answer.text())).toHaveProperty("ok", true)
  })

  it("gzip sends packed bytes that fetch unpacks", async () => {
    emulator.faults.set(["gzip"])
    expect((await raw("/v1/me/")).split("\r\n\r\n")[1]?.startsWith("{")).toBe(false)
    const answer = await over("/v1/contracts/?limit=1")
    expect(answer.headers.get("content-encoding")).toBe("gzip")
    expect(await answer.json()).toHaveProperty("items", emulator.store.contracts.slice(0, 1))
  })

  it("huge arrives whole", async () => {
    emulator.faults.set(["huge:bytes=20000000"])
    expect((await (await over("/v1/me/")).arrayBuffer()).byteLength).toBeGreaterThan(20_000_000)
  })

  it("a method with a body is refused like any other", async () => {
    expect((await over("/v1/me/", { method: "POST", body: "x=1" })).status).toBe(405)
  })
})

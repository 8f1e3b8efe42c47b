import { make } from "@deedkit/emulator"
import { describe, expect, it } from "vitest"
import { ask, read, statusOf } from "./asking.ts"

describe("endpoints", () => {
  it("answer the list form with ok, items and next_before_id", async () => {
    const emulator = make()
    for (const path of ["/v1/contracts/", "/v1/api-keys/"]) {
      const body = await read(emulator, path)
      expect(Object.keys(body)).toEqual(["ok", "items", "next_before_id"])
      expect(body.ok).toBe(true)
    }
  })

  it("answer the retrieve form with ok and the record", async () => {
    const emulator = make()
    const [contract] = emulator.store.contracts
    const [key] = emulator.store.apiKeys
    expect(await read(emulator, `/v1/contracts/?id=${contract?.id}`)).toEqual({ ok: true, contract })
    expect(await read(emulator, `/v1/api-keys/?id=${key?.id}`)).toEqual({ ok: true, api_key: key })
  })

  it("take the presence of id for the retrieve form, whatever its value", async () => {
    const emulator = make()
    expect(await statusOf(emulator, "/v1/contracts/?id=")).toBe(400)
    expect(await statusOf(emulator, "/v1/contracts/?id=abc")).toBe(400)
    expect(await statusOf(emulator, "/v1/contracts/?id=0")).toBe(400)
    expect(await statusOf(emulator, "/v1/api-keys/?id=999999")).toBe(404)
  })

  it("stand under any path prefix and nowhere else", async () => {
    const emulator = make()
    expect(await statusOf(emulator, "/tenant-7/api/v1/contracts/")).toBe(200)
    expect(await statusOf(emulator, "/v1/listings/")).toBe(404)
    expect(await statusOf(emulator, "/v2/contracts/")).toBe(404)
    expect(await statusOf(emulator, "/")).toBe(404)
  })

  it("take GET alone", async () => {
    const emulator = make()
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]) {
      const answer = await emulator.fetch("http://emulator.test/v1/contracts/", { method })
      expect(answer.status).toBe(405)
      expect(answer.headers.get("allow")).toBe("GET")
    }
  })

  it("carry content-length and a JSON content-type", async () => {
    const answer = await ask(make(), "/v1/contracts/")
    const bytes = new Uint8Array(await answer.arrayBuffer())
    expect(answer.headers.get("content-length")).toBe(String(bytes.length))
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/)
  })
})

describe("authorization", () => {
  it("requires each endpoint's own scope", async () => {
    const emulator = make()
    const { contractsOnly, full, keysOnly, noScopes, revoked } = emulator.secrets
    const statuses = async (path: string) =>
      Promise.all(
        [full, contractsOnly, keysOnly, noScopes, revoked, "wrong", null].map((key) =>
          statusOf(emulator, path, key),
        ),
      )
    expect(await statuses("/v1/contracts/")).toEqual([200, 200, 403, 403, 401, 401, 401])
    expect(await statuses("/v1/api-keys/")).toEqual([200, 403, 200, 403, 401, 401, 401])
    expect(await statuses("/v1/me/")).toEqual([200, 403, 403, 403, 401, 401, 401])
  })

  it("needs the scheme Bearer", async () => {
    const emulator = make()
    for (const authorization of [`Basic ${emulator.apiKey}`, emulator.apiKey, "Bearer", "Bearer a b"]) {
      const answer = await emulator.fetch("http://emulator.test/v1/me/", { headers: { authorization } })
      expect(answer.status).toBe(401)
    }
  })
})

describe("fetch", () => {
  it("takes a Request as well as a URL", async () => {
    const emulator = make()
    const headers = { authorization: `Bearer ${emulator.apiKey}` }
    const request = new Request("https://any.host.example/v1/me/", { headers })
    expect((await emulator.fetch(request)).status).toBe(200)
    expect((await emulator.fetch(new URL(request.url), { headers })).status).toBe(200)
  })

  it("rejects with the reason of a signal that was aborted before", async () => {
    const emulator = make()
    const signal = AbortSignal.abort("gone")
    await expect(emulator.fetch("http://emulator.test/v1/me/", { signal })).rejects.toBe("gone")
    expect(emulator.journal.entries).toEqual([])
  })

  it("rejects a redirect under the mode error", async () => {
    const emulator = make({ faults: ["redirect"] })
    await expect(emulator.fetch("http://emulator.test/v1/me/", { redirect: "error" })).rejects.toThrow(
      TypeError,
    )
  })
})

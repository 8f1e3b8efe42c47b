import { make } from "@deedkit/emulator"
import type { Emulator } from "@deedkit/emulator"
import { listenControl } from "@deedkit/emulator/node"
import { describe, expect, it } from "vitest"
import { control } from "../src/Control.ts"
import { statusOf } from "./asking.ts"

const steer = async (emulator: Emulator, method: string, path: string, body?: unknown) => {
  const answer = await control(emulator)(
    new Request(`http://control.test${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    }),
  )
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

describe("the control port", () => {
  it("sets, adds, shows and clears faults, as text or as data", async () => {
    const emulator = make()
    await steer(emulator, "PUT", "/faults", ["status:code=418"])
    expect(await statusOf(emulator, "/v1/me/")).toBe(418)
    const { body } = await steer(emulator, "POST", "/faults", [{ name: "latency", ms: 0 }])
    expect(body["texts"]).toEqual(["status:code=418", "latency:ms=0"])
    expect((await steer(emulator, "GET", "/faults")).body["faults"]).toEqual(emulator.faults.list())
    await steer(emulator, "DELETE", "/faults")
    expect(emulator.faults.list()).toEqual([])
  })

  it("shows and forgets the journal, and is not in it", async () => {
    const emulator = make()
    await statusOf(emulator, "/v1/me/")
    const { body } = await steer(emulator, "GET", "/journal")
    expect(body["entries"]).toEqual(emulator.journal.entries)
    expect(emulator.journal.entries).toHaveLength(1)
    await steer(emulator, "DELETE", "/journal")
    expect(emulator.journal.entries).toEqual([])
  })

  it("changes the store", async () => {
    const emulator = make({ contracts: 3 })
    expect((await steer(emulator, "GET", "/store")).body).toEqual({ contracts: 3, api_keys: 12 })
    const inserted = (await steer(emulator, "POST", "/store/contracts", { status: "active" })).body
    const path = `/store/contracts/${String(inserted["id"])}`
    expect(emulator.store.contracts[0]).toEqual(inserted)
    expect((await steer(emulator, "PATCH", path, { kind: "sale" })).body["kind"]).toBe("sale")
    expect((await steer(emulator, "DELETE", path)).body).toEqual({ removed: true })
    expect((await steer(emulator, "GET", "/store/contracts")).body["items"]).toEqual(emulator.store.contracts)
  })

  it("changes keys and revokes them", async () => {
    const emulator = make()
    const { body } = await steer(emulator, "POST", "/store/api-keys", { scopes: ["read:me"] })
    const secret = String(body["secret"])
    const { id } = body["record"] as { id: number }
    expect(await statusOf(emulator, "/v1/me/", secret)).toBe(200)
    await steer(emulator, "PATCH", `/store/api-keys/${id}`, { scopes: [] })
    expect(await statusOf(emulator, "/v1/me/", secret)).toBe(403)
    await steer(emulator, "POST", `/store/api-keys/${id}/revoke`)
    expect(await statusOf(emulator, "/v1/me/", secret)).toBe(401)
    expect((await steer(emulator, "DELETE", `/store/api-keys/${id}`)).body).toEqual({ removed: true })
    expect((await steer(emulator, "GET", "/store/api-keys")).body["items"]).toEqual(emulator.store.apiKeys)
  })

  it("tells assumptions, secrets, and what can be asked", async () => {
    const emulator = make()
    expect((await steer(emulator, "GET", "/assumptions")).body).toEqual(emulator.assumptions)
    expect((await steer(emulator, "GET", "/secrets")).body).toEqual(emulator.secrets)
    expect(Object.keys((await steer(emulator, "GET", "/")).body)).toContain("PUT /faults")
  })

  it("answers mistakes with 400 or 404 and a sentence", async () => {
    const emulator = make()
    expect(await steer(emulator, "PUT", "/faults", ["latncy"])).toEqual({
      status: 400,
      body: { error: 'there is no fault "latncy"; did you mean "latency"?' },
    })
    expect((await steer(emulator, "PUT", "/faults", { name: "drop" })).status).toBe(400)
    expect((await steer(emulator, "PATCH", "/store/contracts/1", {})).status).toBe(400)
    expect((await steer(emulator, "POST", "/store/contracts", [])).status).toBe(400)
    expect((await steer(emulator, "GET", "/nothing")).status).toBe(404)
    expect((await steer(emulator, "PUT", "/store/contracts/1", {})).status).toBe(404)
  })

  it("takes no body that a web page could send unasked", async () => {
    const request = new Request("http://control.test/faults", { method: "PUT", body: '["drop"]' })
    expect((await control(make())(request)).status).toBe(400)
  })

  it("listens on a port of its own, and is not in the journal", async () => {
    const emulator = make({ contracts: 3 })
    const server = await listenControl(emulator)
    const answer = await fetch(`${server.url}/faults`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: '["status:code=418"]',
    })
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { faults: [{ name: "status", code: 418 }], texts: ["status:code=418"] },
    ])
    expect(await statusOf(emulator, "/v1/me/")).toBe(418)
    expect(emulator.journal.entries).toHaveLength(1)
    await server.close()
  })
})

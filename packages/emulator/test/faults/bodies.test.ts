import { make } from "@deedkit/emulator"
import { describe, expect, it } from "vitest"
import { ask, read } from "../asking.ts"

const path = "/v1/contracts/?limit=5"
const textOf = async (fault: string, where = path) => (await ask(make({ faults: [fault] }), where)).text()

describe("not-json", () => {
  it("answers 200 with a page", async () => {
    const answer = await ask(make({ faults: ["not-json"] }), path)
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
    expect(await answer.text()).toContain("Please sign in")
  })

  it("lets page and content-type be chosen", async () => {
    const answer = await ask(make({ faults: ["not-json:html=a, b,contentType=application/json"] }), path)
    expect([answer.headers.get("content-type"), await answer.text()]).toEqual(["application/json", "a, b"])
  })
})

describe("html-error", () => {
  it("answers with a gateway's page", async () => {
    const answer = await ask(make({ faults: ["html-error:status=504"] }), path)
    expect([answer.status, answer.headers.get("content-type")]).toEqual([504, "text/html; charset=utf-8"])
    expect(await answer.text()).toContain("<h1>504")
  })
})

describe("ok-false", () => {
  it.each([
    ["false", false],
    ["missing", undefined],
    ["text", "true"],
  ])("says %s instead of true", async (form, ok) => {
    const answer = await ask(make({ faults: [`ok-false:form=${form}`] }), path)
    expect(answer.status).toBe(200)
    expect(((await answer.json()) as { ok?: unknown }).ok).toBe(ok)
  })

  it("stays JSON where ok is the only member", async () => {
    const emulator = make({ assumptions: { meShape: "bare" }, faults: ["ok-false:form=missing"] })
    expect(await (await ask(emulator, "/v1/me/")).json()).toEqual({})
  })
})

describe("invalid-json", () => {
  it.each(["trailing-comma", "two-documents", "single-quotes", "empty"])("sends %s", async (form) => {
    const text = await textOf(`invalid-json:form=${form}`)
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError)
  })
})

describe("truncated-json", () => {
  it("is well framed and stops in the middle", async () => {
    const whole = await (await ask(make(), path)).text()
    const answer = await ask(make({ faults: ["truncated-json:fraction=0.3"] }), path)
    const bytes = new Uint8Array(await answer.arrayBuffer())
    expect(answer.headers.get("content-length")).toBe(String(bytes.length))
    expect(whole.startsWith(new TextDecoder().decode(bytes))).toBe(true)
    expect(bytes.length).toBeLessThan(whole.length / 2)
  })
})

describe("wrong-form", () => {
  it("answers a list like a retrieve and a retrieve like a list", async () => {
    const emulator = make({ faults: ["wrong-form"] })
    const [contract] = emulator.store.contracts
    const [key] = emulator.store.apiKeys
    expect(await read(emulator, path)).toEqual({ ok: true, contract })
    expect(await read(emulator, "/v1/api-keys/")).toEqual({ ok: true, api_key: key })
    expect(await read(emulator, `/v1/contracts/?id=${contract?.id}`)).toEqual({
      ok: true,
      items: [contract],
      next_before_id: null,
    })
  })
})

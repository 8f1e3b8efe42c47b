import { describe, expect, it } from "vitest"
import * as Checkup from "../../src/checkup/index.ts"
import { scripted } from "../../src/testing/index.ts"
import { checked, reasonOf } from "../fixtures/Checked.ts"
import { baseUrl } from "../fixtures/Setup.ts"

const access = () => [Checkup.connection, Checkup.key]

describe("address, encryption, key and scopes", () => {
  it("are found with one small request for each endpoint", async () => {
    const { emulator, findings } = await checked({ stages: access })
    expect(findings).toMatchObject([
      { _tag: "Address", base: baseUrl, error: null },
      { _tag: "Tls", isEncrypted: true, error: null },
      { _tag: "Key", error: null },
      { _tag: "Scope", endpoint: "me", scope: null, error: null },
      { _tag: "Scope", endpoint: "contracts", scope: "read:contracts", error: null },
      { _tag: "Scope", endpoint: "api-keys", scope: "read:api_keys", error: null },
    ])
    expect(emulator.journal.entries.map(({ path, query }) => [path, query])).toEqual([
      ["/v1/me/", {}],
      ["/v1/contracts/", { limit: "1" }],
      ["/v1/api-keys/", { limit: "1" }],
    ])
  })

  it.each([
    [
      "a proxy's page of HTML with 200",
      "not-json",
      { _tag: "NotTheApi", contentType: "text/html; charset=utf-8" },
    ],
    [
      "a redirect to a login page",
      "redirect:to=https://login.example.test/sign-in,status=302",
      { _tag: "Redirected", location: "https://login.example.test/sign-in", sameOrigin: false },
    ],
    ["429 at once", "rate-limit:retryAfter=90", { _tag: "RateLimited", source: "retry-after" }],
    ["an error page of HTML", "html-error:status=502", { _tag: "ServerFault", status: 502 }],
  ] as const)("end with %s: nothing more is asked", async (_, fault, reason) => {
    const { findings, one, requests } = await checked({ emulator: { faults: [fault] }, stages: access })
    expect(requests).toBe(1)
    expect(one("Address")).toMatchObject({ trials: [{ endpoint: "me" }], error: { reason } })
    expect(one("Tls")).toMatchObject({ isEncrypted: true, error: null })
    expect(findings.slice(2)).toMatchObject([
      { _tag: "Key", error: { reason } },
      { _tag: "Scope", endpoint: "me", error: { reason } },
    ])
  })

  it("end with a certificate that is not trusted, which is about the encryption", async () => {
    const { one, requests } = await checked({ send: scripted(() => ({ fault: "tls" })).send, stages: access })
    expect(requests).toBe(1)
    const reason = { _tag: "TransportFailed", phase: "tls" }
    expect(one("Address")).toMatchObject({ error: { reason } })
    expect(one("Tls")).toMatchObject({ isEncrypted: true, error: { reason } })
  })

  it("end with a server that is too slow, of whose encryption nothing is known", async () => {
    const { one, requests } = await checked({
      emulator: { faults: ["latency:ms=60000"] },
      client: { timeLimits: { attempt: "2 seconds" } },
      stages: access,
    })
    expect(requests).toBe(1)
    expect([reasonOf(one("Address")), reasonOf(one("Tls"))]).toEqual(["TimedOut", "TimedOut"])
  })

  it("find no encryption where the address is on this machine, and nothing about it where no server listens", async () => {
    const client = { baseUrl: "http://127.0.0.1:1" }
    expect((await checked({ client, stages: access })).one("Tls")).toMatchObject({ isEncrypted: false })
    const { send } = scripted(() => ({ fault: "connect" }))
    const { findings, one } = await checked({ client, send, stages: access })
    expect(one("Tls")).toBeUndefined()
    expect(findings.map(reasonOf)).toEqual(["TransportFailed", "TransportFailed", "TransportFailed"])
  })

  it("try every endpoint of a server that knows none of the paths", async () => {
    const { one } = await checked({ emulator: { faults: ["status:code=404"] }, stages: access })
    const trials = one("Address")!.trials
    expect(trials.map(({ endpoint, error }) => [endpoint, error?.reason._tag])).toEqual([
      ["me", "NotFound"],
      ["contracts", "NotFound"],
      ["api-keys", "NotFound"],
    ])
    expect(one("Key")?.error?.request?.path).toBe("/v1/contracts/")
  })

  it("find a key that is not accepted, and nothing about its scopes", async () => {
    const { all, one, requests } = await checked({ secret: "revoked", stages: access })
    expect([reasonOf(one("Key")), all("Scope"), requests]).toEqual(["Unauthenticated", [], 3])
  })

  it("find which scope is missing", async () => {
    const { all, one } = await checked({ secret: "contractsOnly", stages: access })
    expect(reasonOf(one("Key"))).toBeNull()
    expect(all("Scope").map((finding) => [finding.endpoint, reasonOf(finding)])).toEqual([
      ["me", "Forbidden"],
      ["contracts", null],
      ["api-keys", "Forbidden"],
    ])
  })

  it("find a key without any scope", async () => {
    const { one } = await checked({ secret: "noScopes", stages: access })
    expect(one("Key")?.error?.reason).toMatchObject({ _tag: "Forbidden", scope: "read:contracts" })
  })
})

describe("one endpoint after another", () => {
  const two = () => [Checkup.endpoint("contracts"), Checkup.endpoint("api-keys")]

  it.each([
    ["after one that works", [], [null, null]],
    ["after a missing scope", ["scope-missing:scope=read:contracts"], ["Forbidden", null]],
    ["not after a key that is not accepted", ["key-revoked"], ["Unauthenticated"]],
    ["not after an answer that is not the API's", ["not-json"], ["NotTheApi"]],
    ["not after a list without its end", ["missing-next"], ["EnvelopeInvalid"]],
    ["not after a 429", ["rate-limit:retryAfter=90"], ["RateLimited"]],
  ] as const)("is tried %s", async (_, faults, expected) => {
    const { all, requests } = await checked({ emulator: { faults }, stages: two })
    expect(all("Scope").map(reasonOf)).toEqual(expected)
    expect(requests).toBe(expected.length)
  })

  it("does not take a record that is not as specified for a failure", async () => {
    const { all } = await checked({ emulator: { faults: ["missing-field"] }, stages: two })
    expect(all("Scope").map(reasonOf)).toEqual([null, null])
  })
})

describe("the search for the cursor's parameter", () => {
  const search = () => [Checkup.endpoint("contracts"), Checkup.cursor]

  it.each([
    ["the assumed one", {}, { _tag: "Verified", parameter: "before_id" }],
    [
      "another name",
      { faults: ["cursor-renamed:parameter=page_token"] },
      { _tag: "Verified", parameter: "page_token" },
    ],
    ["none, where the cursor is ignored", { faults: ["cursor-ignored"] }, { _tag: "NoneWorks" }],
    ["nothing in an empty account", { contracts: 0 }, { _tag: "CannotTell" }],
    ["nothing with one contract", { contracts: 1 }, { _tag: "CannotTell" }],
  ] as const)("finds %s", async (_, emulator, found) => {
    const { one } = await checked({ emulator, stages: search })
    expect(one("CursorParameter")).toMatchObject({ assumed: "before_id", found, error: null })
  })

  it("is not made without contracts", async () => {
    const { one, requests } = await checked({ secret: "keysOnly", stages: search })
    expect([one("CursorParameter"), requests]).toEqual([undefined, 1])
  })

  it("says why it failed", async () => {
    const { one } = await checked({ emulator: { faults: ["server-error:requests=3"] }, stages: search })
    expect(one("CursorParameter")).toMatchObject({ found: null })
    expect(reasonOf(one("CursorParameter"))).toBe("ServerFault")
  })
})

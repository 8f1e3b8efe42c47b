import * as emulation from "@deedkit/emulator"
import type { EmulatorOptions } from "@deedkit/emulator"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as PropertyClient from "../../src/client/PropertyClient.ts"
import * as Json from "../../src/model/Json.ts"
import { contract, listing } from "../../src/testing/Fixtures.ts"
import { recordCalls, replayCalls, scripted, virtualClock } from "../../src/testing/index.ts"
import type { ScriptedAnswer } from "../../src/testing/index.ts"
import type { Send } from "../../src/transport/Transport.ts"
import { Transport, viaFetch } from "../../src/transport/Transport.ts"
import { failure, readList, world } from "../fixtures/Setup.ts"

const key = "dk_live_0123456789abcdef"

/** What a program does with a client: everything that it offers. */
const tool = (send: Send, base = "https://maria.example.test/tenant-maria") =>
  Effect.gen(function* () {
    const options = { baseUrl: base, apiKey: key, rate: 0, cursorParam: "auto" as const }
    const client = yield* PropertyClient.make(options)
    const { error, pages, records } = yield* readList(
      client.contracts.pages({ prove: true, onRejected: "collect" }),
    )
    const keys = yield* Effect.exit(client.apiKeys.collect({ max: "all" }))
    const me = yield* Effect.exit(client.me())
    const first =
      records[0] === undefined
        ? null
        : yield* Effect.exit(client.contracts.get(records[0].id, { includeData: true }))
    return {
      ids: records.map(({ id, kind, status, updated_at }) => [id, kind, status, updated_at]),
      error: error?.reason._tag ?? null,
      rejected: pages.flatMap((page) => page.rejected.map(({ issues }) => issues)),
      completeness: pages.at(-1)?.summary.completeness,
      anomalies: pages.at(-1)?.summary.anomalies,
      outcomes: [keys._tag, me._tag, first?._tag],
    }
  }).pipe(
    Effect.provideService(Transport, send),
    Effect.provideService(Clock.Clock, virtualClock(0)),
    Effect.runPromise,
  )

const recordingOf = async (send: Send) => {
  const recorder = recordCalls(send)
  const outcome = await tool(recorder.send)
  return { outcome, recording: recorder.recording() }
}

describe("a recording of calls", () => {
  const services: ReadonlyArray<EmulatorOptions> = [
    { contracts: 130 },
    { contracts: 60, assumptions: { cursorKind: "string", ordering: "updated", defaultLimit: 7 } },
    { contracts: 40, assumptions: { cursorKind: "bigint", unknownMember: true, listingWhenNone: "absent" } },
    {
      contracts: 30,
      assumptions: { cursorParameter: "page[after]", unknownParameter: "reject", defaultLimit: 9 },
    },
    { contracts: 30, faults: [{ name: "missing-field", field: "status", when: { every: 2 } }] },
    { contracts: 30, faults: [{ name: "odd-timestamp", form: "rubbish", when: { page: 1 } }] },
    { contracts: 5, faults: [{ name: "not-json" }] },
    { contracts: 5, faults: [{ name: "redirect" }] },
    { contracts: 5, faults: [{ name: "scope-missing" }] },
  ]

  it.each(services)("has the same outcome when it is replayed: %j", async (options) => {
    const service = emulation.make(options)
    const send = viaFetch((request) => {
      const url = new URL(request.url)
      url.pathname = url.pathname.replace("/tenant-maria", "")
      const headers = new Headers(request.headers)
      headers.set("authorization", `Bearer ${service.apiKey}`)
      return service.fetch(new Request(url, { headers }))
    })
    const { outcome, recording } = await recordingOf(send)
    const replayed = replayCalls(JSON.parse(JSON.stringify(recording)))
    expect(await tool(replayed.send, "http://localhost:8080")).toEqual(outcome)
    expect(replayed.left()).toEqual([])
  })

  it("repeats failures of the transport, and the answers after them", async () => {
    const page: ScriptedAnswer = { body: { ok: true, items: [contract()], next_before_id: null } }
    const { send } = scripted([{ fault: "body" }, page])
    const recorder = recordCalls(send)
    const first = await world({ transport: recorder.send })
    await first.run(first.client.contracts.collect({ max: "all" }))
    const replayed = replayCalls(recorder.recording())
    const again = await world({ transport: replayed.send })
    expect(await again.run(again.client.contracts.collect({ max: "all" }))).toHaveLength(1)
    expect(again.events.filter(({ _tag }) => _tag === "Attempted")).toHaveLength(2)
  })

  it("answers what was not recorded with an error that names it, and gives the last answer again", async () => {
    const { send } = scripted([{ body: { ok: true, contract: contract({ id: 12 }) } }])
    const recorder = recordCalls(send)
    const first = await world({ transport: recorder.send })
    await first.run(first.client.contracts.get(12))
    const again = await world({ transport: replayCalls(recorder.recording()).send })
    expect((await again.run(again.client.contracts.get(12))).id).toBe(12)
    expect((await again.run(again.client.contracts.get(12))).id).toBe(12)
    const error = await again.run(failure(again.client.contracts.get(13)))
    expect(error.message).toContain("the recording has no answer to /v1/contracts/?id=13")
  })

  it("changes nothing of what is sent and answered", async () => {
    const deep = `{"ok":true,"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`
    const answers = ["<html>Maria</html>", "", "{ broken", deep, '{"ok":true}'].map((body) => ({ body }))
    for (const answer of answers) {
      const request = {
        url: "https://a.test/v1/me/",
        headers: {},
        connectMillis: 1,
        idleMillis: 1,
        maxBodyBytes: 1,
      }
      const cancellation = { signal: new AbortController().signal, onCancel: () => {} }
      const response = await recordCalls(scripted([answer]).send).send(request, cancellation)
      expect(response.text).toBe(answer.body)
    }
  })
})

describe("what is personal", () => {
  const secret = "Maria Papadopoulou"
  const personal = {
    ...contract({
      id: 4711,
      unit_label: `Flat of ${secret}`,
      unit_id: { tenant: secret, phone: 306912345678, "maria@example.test": 9007199254740993n },
      listing: listing({ slug: secret, title: secret, city: secret, area: secret }),
    }),
    tenant: secret,
    notes: [{ text: secret, maria_papadopoulou: [secret, true, 1250.5] }],
    deposit: 1250,
  }

  const recorded = async (body: unknown, headers: Record<string, string> = {}): Promise<string> => {
    const recorder = recordCalls(scripted(() => ({ body, headers })).send)
    await tool(recorder.send).catch(() => {})
    return Json.stringify(recorder.recording())
  }

  it("is in no recording: names, labels, addresses, payloads, accounts, messages, the key and the service", async () => {
    const texts = await Promise.all([
      recorded({ ok: true, items: [personal], next_before_id: null }),
      recorded({ ok: true, contract: personal, account: { name: secret, email: "maria@example.test" } }),
      recorded({ ok: true, api_key: { id: 1, name: secret, scopes: [secret] } }),
      recorded({ ok: true, items: [], next_before_id: secret }),
      recorded({ ok: false, error: { message: `${secret} with the key ${key}` } }),
      recorded(`<html>${secret}</html>`),
      recorded(`{"ok":true,"items":[{"name":"${secret}`),
      recorded([secret]),
      recorded(secret),
      recorded({}, { "x-request-id": secret, location: `/${secret}`, "content-type": `text/${key}` }),
    ])
    for (const text of texts) {
      expect(text).not.toMatch(/maria|papadopoulou|69123|1250|0123456789|dk_live/i)
    }
    expect(texts[0]).toContain("4711")
  })

  it("has equal pseudonyms where it was equal, and other ones where it was not", async () => {
    const labels = ["A", "B", "A"]
    const items = labels.map((unit_label, at) => contract({ id: 9 - at, unit_label }))
    const recorder = recordCalls(scripted(() => ({ body: { ok: true, items, next_before_id: null } })).send)
    await tool(recorder.send)
    const body = JSON.parse(recorder.recording().calls[0]!.body)
    const [first, second, third] = body.items.map((item: { readonly unit_label: string }) => item.unit_label)
    expect(first).toBe(third)
    expect(first).not.toBe(second)
  })

  it("never reaches a file, wherever it stands in whatever JSON", async () => {
    const marked = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: "small" },
        fc.string().map((text) => `Xq7 ${text}`),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(
          fc.oneof(
            fc.constantFrom("items", "kind", "id", "message", "listing", "next_before_id"),
            fc.string().map((text) => `Xq7 ${text}`),
          ),
          tie("value"),
          { maxKeys: 4 },
        ),
      ),
    })).value
    await fc.assert(
      fc.asyncProperty(marked, async (value) => {
        expect(await recorded({ ok: true, contract: value, items: value })).not.toContain("Xq7")
      }),
      { numRuns: 100 },
    )
  })
})

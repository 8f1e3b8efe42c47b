import * as emulation from "@deedkit/emulator"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import type { CollectionDefinition } from "../../../src/client/open/OpenPromiseClient.ts"
import { open } from "../../../src/client/open/OpenPromiseClient.ts"
import { contractFields } from "../../../src/model/schema/ContractSchema.ts"
import type { Client } from "../../../src/promise.ts"
import { ClientError, createClient } from "../../../src/promise.ts"
import { baseUrl } from "../../fixtures/Setup.ts"

let seed = 7_000

const setUp = (count = 130) => {
  const service = emulation.make({ contracts: count, seed: ++seed })
  const options = { baseUrl, apiKey: service.apiKey, rate: 0, fetch: service.fetch }
  return { client: open(createClient(options)), emulator: service }
}

const Dated = Schema.Struct({ ...contractFields, updated_at: Schema.DateTimeUtcFromString })

const contracts: CollectionDefinition = { path: "/v1/contracts/", member: "contract", noun: "contract" }

const drain = async <A>(records: AsyncIterable<A>): Promise<ReadonlyArray<A>> => {
  const all: Array<A> = []
  for await (const record of records) all.push(record)
  return all
}

const reasonOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => (error instanceof ClientError ? error.reason : error),
  )

describe("open", () => {
  it("decodes records in every operation", async () => {
    const { client } = setUp()
    const dated = client.contracts.as(Dated)
    const all = await dated.collect({ max: "all" })
    expect(all).toHaveLength(130)
    expect(await drain(dated.list())).toEqual(all)
    const pages = await drain(dated.pages({ limit: 50, prove: true }))
    expect(pages.flatMap((page) => page.records)).toEqual(all)
    expect(pages.at(-1)!.summary.completeness.state).toBe("proven")
    const { id } = all[0]!
    expect(await dated.get(id)).toEqual(all[0])
    expect(await dated.getMany([id, 999_999])).toMatchObject([{ record: all[0] }, { _tag: "Unknown" }])
    expect((await dated.getResponse(id)).value).toEqual(all[0])
    expect(await dated.as(Schema.Struct({ id: Schema.Int })).get(id)).toEqual({ id })
  })

  it("shares one request for identical calls within what as returned", async () => {
    const { client, emulator } = setUp()
    const dated = client.contracts.as(Dated)
    const id = (await client.contracts.collect({ max: 1 }))[0]!.id
    const before = emulator.journal.entries.length
    const [a, b] = await Promise.all([dated.get(id), dated.get(id)])
    expect(a).toBe(b)
    expect(emulator.journal.entries.length).toBe(before + 1)
  })

  it("rejects with RecordInvalid, or collects, what is not decoded", async () => {
    const { client } = setUp(20)
    const strict = client.contracts.as(Schema.Struct({ kind: Schema.Literal("rent") }))
    expect(await reasonOf(strict.collect({ max: "all" }))).toMatchObject({
      _tag: "RecordInvalid",
      issues: [{ path: "kind", found: "string" }],
    })
    const [page] = await drain(strict.pages({ onRejected: "collect" }))
    expect(page!.rejected.length).toBeGreaterThan(0)
    expect(page!.records.length + page!.rejected.length).toBe(20)
  })

  it("sends requests and reads lists of one's own", async () => {
    const { client } = setUp()
    const [first] = await client.contracts.collect({ max: 1 })
    const response = await client.request({ path: "/v1/contracts/" }, { query: { id: first!.id } })
    expect(response).toMatchObject({ status: 200, attempts: 1, value: { ok: true, contract: first } })
    const list = client.collection(contracts, Schema.Struct({ id: Schema.Int }))
    expect(await list.collect({ max: "all" })).toHaveLength(130)
    expect((await drain(list.pages({ limit: 50 }))).at(-1)!.summary.collection).toBe("/v1/contracts/")
    expect(await reasonOf(client.request({ path: "@evil.test/" }))).toMatchObject({ _tag: "ConfigInvalid" })
  })

  it("takes an abort signal in every operation, and sends nothing with an aborted one", async () => {
    const { client, emulator } = setUp()
    const signal = AbortSignal.abort(new Error("no more"))
    const list = client.collection(contracts, Dated)
    const operations = [
      client.request({ path: "/v1/me/" }, { signal }),
      client.contracts.getResponse(1, { signal }),
      client.contracts.as(Dated).get(1, { signal }),
      list.collect({ max: "all", signal }),
      drain(list.list({ signal })),
    ]
    for (const operation of operations) await expect(operation).rejects.toThrow("no more")
    expect(emulator.journal.entries).toEqual([])
  })

  it("is closed with its client", async () => {
    const { client } = setUp()
    await client.close()
    await expect(client.request({ path: "/v1/me/" })).rejects.toThrow("The client is closed.")
  })

  it("takes no client that a test made by hand", () => {
    const { internals, ...members } = createClient({ baseUrl, apiKey: "dk_4711" }) as Client & {
      internals: unknown
    }
    const client: Client = members
    expect(internals).toBeDefined()
    expect(() => open(client)).toThrow(new TypeError("open() takes a client that createClient() made."))
  })
})

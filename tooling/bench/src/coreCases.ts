/**
 * The cases of `core.ts`, each in a process of its own. The peers have no validation, retries or time limits, and each library reads the shape that it
 * supports. Arguments: `read` NAME URL, `busy` URL, `lookups` URL, or `checks` RECORDS.
 */
import * as http from "node:http"
import { Contract, Json, PropertyClient, Transport } from "@deedkit/core"
import * as NodeTransport from "@deedkit/core/node"
import { createClient } from "@deedkit/core/promise"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { peer, start } from "./measure.ts"

const headers = { accept: "application/json", authorization: "Bearer bench" }
const path = "/v1/contracts/"

interface Identified {
  readonly id: number
}
interface ListAnswer {
  readonly items: ReadonlyArray<Identified>
  readonly next_before_id: number | null
}

const loop = async (read: (target: string) => Promise<ListAnswer>): Promise<number> => {
  let records = 0
  let cursor: number | null = null
  do {
    const page: ListAnswer = await read(cursor === null ? path : `${path}?before_id=${cursor}`)
    for (const item of page.items) if (item.id > 0) records += 1
    cursor = page.next_before_id
  } while (cursor !== null)
  return records
}

const bareFetch = (url: string) =>
  loop(async (target) => {
    const response = await fetch(url + target, { headers })
    return (await response.json()) as ListAnswer
  })

const bareHttp = async (url: string) => {
  const agent = new http.Agent({ keepAlive: true })
  const read = (target: string) =>
    new Promise<ListAnswer>((resolve, reject) => {
      http
        .get(url + target, { agent, headers }, (response) => {
          const chunks: Array<Buffer> = []
          response.on("data", (chunk: Buffer) => chunks.push(chunk))
          response.once("error", reject)
          response.once("end", () => resolve(JSON.parse(Buffer.concat(chunks).toString("utf8"))))
        })
        .once("error", reject)
    })
  const records = await loop(read)
  agent.destroy()
  return records
}

const overFetch = (url: string, send: Transport.Send = Transport.viaFetch()) =>
  Effect.gen(function* () {
    const client = yield* PropertyClient.make({ baseUrl: url, apiKey: "bench", rate: 0 })
    let records = 0
    yield* Stream.runForEachArray(client.contracts.list(), (contracts) =>
      Effect.sync(() => {
        for (const contract of contracts) if (contract.id > 0) records += 1
      }),
    )
    return records
  }).pipe(Effect.provideService(Transport.Transport, send), Effect.runPromise)

const overHttp = async (url: string) => {
  const { close, send } = NodeTransport.make()
  const records = await overFetch(url, send)
  close()
  return records
}

type Reading = (url: string) => Promise<number>

const counted = async (records: AsyncIterable<Identified>): Promise<number> => {
  let seen = 0
  for await (const record of records) if (record.id > 0) seen += 1
  return seen
}

const stripe = async (): Promise<Reading> => {
  type Client = { readonly customers: { readonly list: (options: object) => AsyncIterable<Identified> } }
  const { default: Stripe } = await peer<{ readonly default: new (key: string, options: object) => Client }>(
    "stripe",
  )
  return (url) => {
    const { hostname: host, port } = new URL(url)
    const client = new Stripe("sk_test_bench", { host, port, protocol: "http", telemetry: false })
    return counted(client.customers.list({}))
  }
}

const openai = async (): Promise<Reading> => {
  type Client = { readonly files: { readonly list: () => AsyncIterable<Identified> } }
  const { default: OpenAi } = await peer<{ readonly default: new (options: object) => Client }>("openai")
  return (url) => counted(new OpenAi({ apiKey: "bench", baseURL: url }).files.list())
}

const got = async (): Promise<Reading> => {
  type Client = { readonly paginate: (url: string, options: object) => AsyncIterable<Identified> }
  const { default: client } = await peer<{ readonly default: Client }>("got")
  const pagination = {
    transform: ({ body }: { readonly body: ListAnswer }) => body.items,
    paginate: ({ response }: { readonly response: { readonly body: ListAnswer } }) => {
      const next = response.body.next_before_id
      return next === null ? false : { searchParams: new URLSearchParams({ before_id: String(next) }) }
    },
  }
  return (url) => counted(client.paginate(url + path, { responseType: "json", headers, pagination }))
}

const octokit = async (): Promise<Reading> => {
  type Pages = AsyncIterable<{ readonly data: ReadonlyArray<Identified> }>
  type Client = { readonly paginate: { readonly iterator: (route: string) => Pages } }
  const { Octokit } = await peer<{
    readonly Octokit: { readonly plugin: (plugin: unknown) => new (options: object) => Client }
  }>("@octokit/core")
  const { paginateRest } = await peer<{ readonly paginateRest: unknown }>("@octokit/plugin-paginate-rest")
  const Paging = Octokit.plugin(paginateRest)
  return async (url) => {
    let seen = 0
    for await (const { data } of new Paging({ baseUrl: url, auth: "bench" }).paginate.iterator("GET /links"))
      for (const record of data) if (record.id > 0) seen += 1
    return seen
  }
}

/** Every way to read the list, by its name in the tables. Loading it is not measured. */
const readings: { readonly [name: string]: () => Reading | Promise<Reading> } = {
  "fetch + json()": () => bareFetch,
  "node:http + JSON.parse": () => bareHttp,
  "@deedkit/core over fetch": () => (url) => overFetch(url),
  "@deedkit/core over node:http": () => overHttp,
  "stripe-node autopager": stripe,
  "openai-node autopager": openai,
  "got.paginate": got,
  "octokit paginate.iterator": octokit,
}

/** A consumer that keeps the processor for 10 ms with each page. */
const busy: Reading = async (url) => {
  const { close, send } = NodeTransport.make()
  let records = 0
  await Effect.gen(function* () {
    const client = yield* PropertyClient.make({ baseUrl: url, apiKey: "bench", rate: 0 })
    yield* Stream.runForEach(client.contracts.pages(), (page) =>
      Effect.sync(() => {
        for (const end = performance.now() + 10; performance.now() < end;);
        records += page.records.length
      }),
    )
  }).pipe(Effect.provideService(Transport.Transport, send), Effect.runPromise)
  close()
  return records
}

/** Lookups one by one in a program that has just started, with the default options. */
const lookups: Reading = async (url) => {
  await using client = createClient({ baseUrl: url, apiKey: "bench" })
  const found = await Promise.all(Array.from({ length: 40 }, (_, at) => client.contracts.get(at + 1)))
  return found.length
}

/** User CPU time of parsing a page and of the checks of its records, in microseconds. */
const checks = async (size: number): Promise<void> => {
  const { make } = await import("@deedkit/emulator")
  const text = JSON.stringify({
    ok: true,
    items: make({ contracts: size, keys: 5 }).store.contracts,
    next_before_id: 1,
  })
  const micros = (task: () => void, times = 200): number => {
    const before = process.cpuUsage()
    for (let turn = 0; turn < times; turn++) task()
    return process.cpuUsage(before).user / times
  }
  const page = (): { readonly items: ReadonlyArray<unknown> } => JSON.parse(text)
  const pages = Array.from({ length: 50 }, page)
  let turn = 0
  const check = (): void => {
    for (const item of pages[turn++ % pages.length]!.items)
      if (!Contract.isContract(item)) throw new Error(`not a contract: ${Json.typeName(item)}`)
  }
  micros(page)
  micros(check)
  console.log(
    JSON.stringify(Array.from({ length: 7 }, () => ({ parse: micros(page), check: micros(check) }))),
  )
}

const [kind = "", name = "", url = name] = process.argv.slice(2)
if (kind === "checks") await checks(Number(name))
else {
  const reading = kind === "read" ? await readings[name]!() : kind === "busy" ? busy : lookups
  const print = start()
  print({ records: await reading(url) })
}

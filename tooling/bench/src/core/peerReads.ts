/**
 * The same read with the pagination of other libraries, each over the response shape that it supports. None of them checks a record.
 */
import { load } from "../measure/Peers.ts"

interface Identified {
  readonly id: number
}
type Reading = (url: string) => Promise<number>

const count = async (records: AsyncIterable<Identified>): Promise<number> => {
  let seen = 0
  for await (const record of records) if (record.id > 0) seen += 1
  return seen
}

interface StripeModule {
  readonly default: new (
    key: string,
    options: object,
  ) => { readonly customers: { readonly list: (options: object) => AsyncIterable<Identified> } }
}
const stripe = async (): Promise<Reading> => {
  const { default: Stripe } = await load<StripeModule>("stripe")
  return (url) => {
    const { hostname, port } = new URL(url)
    const client = new Stripe("sk_test_bench", { host: hostname, port, protocol: "http", telemetry: false })
    return count(client.customers.list({}))
  }
}

interface OpenAiModule {
  readonly default: new (options: object) => {
    readonly files: { readonly list: () => AsyncIterable<Identified> }
  }
}
const openai = async (): Promise<Reading> => {
  const { default: OpenAi } = await load<OpenAiModule>("openai")
  return (url) => count(new OpenAi({ apiKey: "bench", baseURL: url }).files.list())
}

interface GotModule {
  readonly default: { readonly paginate: (url: string, options: object) => AsyncIterable<Identified> }
}
interface GotPage {
  readonly items: ReadonlyArray<Identified>
  readonly next_before_id: number | null
}
const got = async (): Promise<Reading> => {
  const { default: client } = await load<GotModule>("got")
  const pagination = {
    transform: ({ body }: { readonly body: GotPage }) => body.items,
    paginate: ({ response }: { readonly response: { readonly body: GotPage } }) => {
      const next = response.body.next_before_id
      return next === null ? false : { searchParams: new URLSearchParams({ before_id: String(next) }) }
    },
  }
  const options = { responseType: "json", headers: { authorization: "Bearer bench" }, pagination }
  return (url) => count(client.paginate(`${url}/v1/contracts/`, options))
}

interface OctokitModule {
  readonly Octokit: {
    readonly plugin: (plugin: unknown) => new (options: object) => {
      readonly paginate: {
        readonly iterator: (route: string) => AsyncIterable<{ readonly data: ReadonlyArray<Identified> }>
      }
    }
  }
}
const octokit = async (): Promise<Reading> => {
  const { Octokit } = await load<OctokitModule>("@octokit/core")
  const { paginateRest } = await load<{ readonly paginateRest: unknown }>("@octokit/plugin-paginate-rest")
  const Client = Octokit.plugin(paginateRest)
  return async (url) => {
    const client = new Client({ baseUrl: url, auth: "bench" })
    let seen = 0
    for await (const { data } of client.paginate.iterator("GET /links")) {
      for (const record of data) if (record.id > 0) seen += 1
    }
    return seen
  }
}

/** Every peer by its name in the table. Loading a peer is not measured. */
export const peerReads: { readonly [name: string]: () => Promise<Reading> } = {
  "stripe-node autopager": stripe,
  "openai-node autopager": openai,
  "got.paginate": got,
  "octokit paginate.iterator": octokit,
}

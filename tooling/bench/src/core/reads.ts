/**
 * The compared ways to read all contracts: ours, and what people would write or use instead. Each returns the number of records. The peers have no
 * validation, retries or time limits unless stated.
 */
import { PropertyClient, Transport } from "@deedkit/core"
import * as NodeTransport from "@deedkit/core/node"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as http from "node:http"

const headers = { accept: "application/json", authorization: "Bearer bench" }
const path = "/v1/contracts/"

interface ListAnswer {
  readonly items: ReadonlyArray<{ readonly id: number }>
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

const ours = (url: string, send: Transport.Send) =>
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
  const records = await ours(url, send)
  close()
  return records
}

/** Every case by name. */
export const readings: { readonly [name: string]: (url: string) => Promise<number> } = {
  "fetch + json()": bareFetch,
  "node:http + JSON.parse": bareHttp,
  "@deedkit/core over fetch": (url) => ours(url, Transport.viaFetch()),
  "@deedkit/core over node:http": overHttp,
}

/** Two accounts and a wrong key, one after the other, in one page: reads the same list with each, and reports what came. */
import { ClientError, createClient } from "../../src/promise.ts"
import type { Send } from "../../src/Transport.ts"
import { viaFetch } from "../../src/Transport.ts"

/** What one reader got: the ids of the first account, those of the second, and the reason why the wrong key got none. */
export interface Outcome {
  readonly name: string
  readonly first: ReadonlyArray<number>
  readonly second: ReadonlyArray<number>
  readonly wrong: string
  /** What the browser's own `fetch` with the second key gives after that: nothing of the first account may be in the cache. */
  readonly after: ReadonlyArray<number>
}

type Read = (baseUrl: string, apiKey: string) => Promise<ReadonlyArray<number>>

const query = new URLSearchParams(location.search)
const keys = query.getAll("key")
const api = query.get("api") ?? ""

const through =
  (transport: Send): Read =>
  async (baseUrl, apiKey) => {
    await using client = createClient({ baseUrl, apiKey, transport, rate: 0 })
    return (await client.contracts.collect({ max: "all" })).map(({ id }) => id)
  }

/** The browser's own `fetch` without core: shows that a cache is there. */
const plain: Read = async (baseUrl, apiKey) => {
  const headers = { authorization: `Bearer ${apiKey}`, accept: "application/json" }
  const response = await fetch(`${baseUrl}/v1/contracts/`, { headers, credentials: "omit" })
  const { items }: { items: ReadonlyArray<{ id: number }> } = await response.json()
  return items.map(({ id }) => id)
}

const readers: Readonly<Record<string, Read>> = {
  plain,
  fetch: through(viaFetch()),
  "own-fetch": through(viaFetch((request) => fetch(request))),
}

const reasonOf = (error: unknown): string =>
  error instanceof ClientError ? error.reason._tag : String(error)

const readAll = async (): Promise<ReadonlyArray<Outcome>> => {
  const outcomes: Array<Outcome> = []
  for (const caching of ["max-age", "last-modified"]) {
    for (const [reader, read] of Object.entries(readers)) {
      const name = `${caching}/${reader}`
      const [first = "", second = "", wrong = ""] = keys
      const url = `${api}/${name}`
      outcomes.push({
        name,
        first: await read(url, first),
        second: await read(url, second),
        wrong: await read(url, wrong).then((ids) => `read ${ids.length} contracts`, reasonOf),
        after: await plain(url, second),
      })
    }
  }
  return outcomes
}

await fetch("/report", { method: "POST", body: JSON.stringify(await readAll().catch(String)) })

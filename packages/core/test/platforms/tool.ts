/** A small tool on the promise entry, the same for every runtime: reads, looks up, fails and aborts, and says what came of it. */
import { ClientError, createClient } from "../../src/promise.ts"

export interface Outcome {
  readonly records: number
  readonly complete: boolean
  readonly found: boolean
  readonly reason: string
  readonly aborted: string
}

const reasonOf = (error: unknown): string =>
  error instanceof ClientError ? error.reason._tag : String(error)

export const tool = async (baseUrl: string, apiKey: string): Promise<Outcome> => {
  await using client = createClient({ baseUrl, apiKey, rate: 0 })
  let records = 0
  let complete = false
  let id = 0
  for await (const page of client.contracts.pages({ limit: 50 })) {
    records += page.records.length
    complete = page.summary.complete
    id = page.records[0]?.id ?? id
  }
  const found = (await client.contracts.get(id)).id === id
  const reason = await client.contracts.get(999_999_999).then(() => "nothing", reasonOf)
  const aborted = await client.me({ signal: AbortSignal.abort("no") }).then(() => "nothing", String)
  return { records, complete, found, reason, aborted }
}

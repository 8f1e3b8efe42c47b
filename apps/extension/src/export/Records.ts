/** Where an export's records come from, the same for contracts of the index and API keys that came along. */
import type { ApiKey, Contract } from "@deedkit/core"
import { Json } from "@deedkit/core"
import type { ExportRequest } from "./ExportMessage.ts"
import type { IndexReader } from "./IndexReader.ts"
import { pageSize } from "./IndexReader.ts"
import * as Verdict from "./Verdict.ts"

export interface Records<out A> {
  /** How many there are, as far as it is known. */
  readonly expected: number
  readonly pages: () => AsyncIterable<ReadonlyArray<A>>
  /** The records of these ids in their order. */
  readonly pagesOf: (ids: ReadonlyArray<number>) => AsyncIterable<ReadonlyArray<A>>
  /** Whether what was read is everything. Called when all was read. */
  readonly findings: () => Promise<Verdict.Findings>
}

/** Of some records those of these ids, as far as there are any. */
export const among = <A>(records: Records<A>, ids: ReadonlyArray<number>): Records<A> => ({
  ...records,
  expected: ids.length,
  pages: () => records.pagesOf(ids),
})

/** The contracts of the index as it stands. */
export const ofIndex = async (reader: IndexReader): Promise<Records<Contract.Contract>> => {
  const [before, underWay] = [await reader.meta(), await reader.sync()]
  return {
    expected: before?.contracts ?? 0,
    pages: reader.pages,
    pagesOf: reader.pagesOf,
    findings: async () => Verdict.ofIndex(before, await reader.meta(), underWay),
  }
}

// Generators need not be asynchronous, but who reads them does not ask.
async function* inPages<A>(records: ReadonlyArray<A>): AsyncGenerator<ReadonlyArray<A>> {
  for (let at = 0; at < records.length; at += pageSize) yield records.slice(at, at + pageSize)
}

/** API keys that were read for this export. */
export const ofApiKeys = (
  source: Extract<ExportRequest["source"], { _tag: "ApiKeys" }>,
): Records<ApiKey.ApiKey> => {
  const keys = Json.parse(source.json) as unknown as ReadonlyArray<ApiKey.ApiKey>
  const byId = new Map(keys.map((key) => [key.id, key]))
  return {
    expected: keys.length,
    pages: () => inPages(keys),
    pagesOf: (ids) =>
      inPages(
        ids.flatMap((id) => {
          const key = byId.get(id)
          return key === undefined ? [] : [key]
        }),
      ),
    findings: async () => Verdict.ofApiKeys(source.sync, source.readAt),
  }
}

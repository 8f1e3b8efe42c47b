/** The source of an export's records: the same interface for contracts of the index and for API keys that are part of the request. */
import type { ApiKey, Contract } from "@deedkit/core"
import { Json } from "@deedkit/core"
import type { ExportRequest } from "./ExportMessage.ts"
import type { IndexReader } from "./IndexReader.ts"
import { pageSize } from "./IndexReader.ts"
import * as Verdict from "./Verdict.ts"

export interface Records<out A> {
  /** The expected number of records. */
  readonly expected: number
  readonly pages: () => AsyncIterable<ReadonlyArray<A>>
  /** The records with these ids in the given order. */
  readonly pagesOf: (ids: ReadonlyArray<number>) => AsyncIterable<ReadonlyArray<A>>
  /** Whether the records read are complete. Called after all of them were read. */
  readonly findings: () => Promise<Verdict.Findings>
}

/** Only the records with these ids, if they exist. */
export const among = <A>(records: Records<A>, ids: ReadonlyArray<number>): Records<A> => ({
  ...records,
  expected: ids.length,
  pages: () => records.pagesOf(ids),
})

/** The contracts of the current index. */
export const ofIndex = async (reader: IndexReader): Promise<Records<Contract.Contract>> => {
  const [before, underWay] = [await reader.meta(), await reader.sync()]
  return {
    expected: before?.contracts ?? 0,
    pages: reader.pages,
    pagesOf: reader.pagesOf,
    findings: async () => Verdict.ofIndex(before, await reader.meta(), underWay),
  }
}

// Asynchronous only to match the interface.
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

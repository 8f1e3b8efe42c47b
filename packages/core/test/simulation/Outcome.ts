/** Reads one changing list with the real client, and compares what is claimed of the result with the truth. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Stream from "effect/Stream"
import type { Completeness } from "../../src/Page.ts"
import * as PropertyClient from "../../src/PropertyClient.ts"
import { Transport } from "../../src/Transport.ts"
import type { ReadSummary } from "../../src/Page.ts"
import type { Changes, ListModel } from "./ChangingList.ts"
import { ChangingList, pageLimit } from "./ChangingList.ts"

export interface Outcome {
  /** Null where the read failed. */
  readonly completeness: Completeness | null
  readonly failure: string | null
  readonly summary: ReadSummary | null
  /** Records that were there all the time and were not given out; and those given out that were gone before it began. */
  readonly missed: number
  readonly invented: number
  readonly twice: number
  readonly requests: number
}

/** One client for all lists: what it keeps belongs to a single read. */
let current: ChangingList | null = null
const client = Effect.runPromise(
  Effect.provideService(
    PropertyClient.make({
      baseUrl: "http://localhost",
      apiKey: "simulated-key",
      rate: 0,
      retry: { attempts: 1 },
    }),
    Transport,
    (request, cancellation) => current!.send(request, cancellation),
  ),
)

export const read = async (
  seed: number,
  model: ListModel,
  changes: Changes,
  prove = true,
): Promise<Outcome> => {
  const list = new ChangingList(seed, model, changes)
  current = list
  const startedAt = list.now
  const ids = new Set<number>()
  let given = 0
  let summary: ReadSummary | null = null
  const { contracts } = await client
  const exit = await Effect.runPromiseExit(
    Stream.runForEach(
      contracts.pages({ limit: pageLimit, onRejected: "collect", prove, readAhead: 0 }),
      (page) =>
        Effect.sync(() => {
          for (const { id } of page.records) ids.add(id)
          given += page.records.length
          summary = page.summary
        }),
    ),
  )
  const last = summary as ReadSummary | null
  const throughout = list.idsThroughout(startedAt, list.now)
  const invented = [...list.all.values()].filter(({ death, id }) => ids.has(id) && death <= startedAt).length
  return {
    completeness: Exit.isSuccess(exit) ? (last?.completeness ?? null) : null,
    failure: Exit.isSuccess(exit) ? null : String(exit.cause),
    summary: last,
    missed: throughout.filter((id) => !ids.has(id)).length,
    invented,
    twice: given - ids.size,
    requests: list.requests,
  }
}

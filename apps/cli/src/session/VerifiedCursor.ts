/**
 * Saves the cursor parameter in the profile once a read has verified it (Spec: Endpoints 5 does not show it). Reads with a saved parameter
 * search for another one when it fails.
 */
import type { PropertyClient, ReadSummary } from "@deedkit/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Variables } from "../terminal/Environment.ts"
import * as ProfileFile from "../store/ProfileFile.ts"
import type { Failure } from "../failure/Failure.ts"

/** Listens to the reads of a client. The returned function gives the summary of the latest read whose cursor was verified. */
export const watch = (client: PropertyClient.Service): (() => ReadSummary | null) => {
  let newest: ReadSummary | null = null
  client.listen((event) => {
    if (event._tag === "PageRead" && event.summary.cursor.state === "verified") newest = event.summary
  })
  return () => newest
}

/** Saves the cursor that a read has verified in the profile of its address. Writes only if it changed. */
export const save = (
  variables: Variables,
  own: ProfileFile.Known,
  cursor: ReadSummary["cursor"],
): Effect.Effect<void, Failure> =>
  Effect.gen(function* () {
    if (cursor.state !== "verified") return
    const verifiedAt = new Date(yield* Clock.currentTimeMillis).toISOString()
    const { evidence, parameter } = cursor
    yield* ProfileFile.learn(variables, own, (profile) =>
      profile.cursor?.parameter === parameter
        ? profile
        : { ...profile, cursor: { parameter, evidence: evidence ?? "a read to its end", verifiedAt } },
    )
  })

const searchingRecords = <A, Options>(
  records: PropertyClient.Records<A, Options>,
): PropertyClient.Records<A, Options> => ({
  ...records,
  list: (options) => records.list({ cursorParam: "auto", ...options }),
  pages: (options) => records.pages({ cursorParam: "auto", ...options }),
  collect: (options) => records.collect({ cursorParam: "auto", ...options }),
})

/** The client with reads that search for another parameter if the configured one has no effect. */
export const searching = (client: PropertyClient.Service): PropertyClient.Service => ({
  ...client,
  contracts: searchingRecords(client.contracts),
  apiKeys: searchingRecords(client.apiKeys),
})

/**
 * Keeps the name of the cursor's parameter in the profile once a read has verified it (Spec: Endpoints 5 does not show it), and reads with
 * a kept name in such a way that another one is looked for when it has visibly failed.
 */
import type { PropertyClient, ReadSummary } from "@deedkit/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Variables } from "../terminal/Environment.ts"
import * as ProfileFile from "../store/ProfileFile.ts"
import type { StoreError } from "../failure/StoreError.ts"

/** Listens to the reads of a client; the returned function gives the summary of the newest one whose cursor was verified. */
export const watch = (client: PropertyClient.Service): (() => ReadSummary | null) => {
  let newest: ReadSummary | null = null
  client.listen((event) => {
    if (event._tag === "PageRead" && event.summary.cursor.state === "verified") newest = event.summary
  })
  return () => newest
}

/** Keeps what a read has verified, in the profile of the address it read. Writes only what is new. */
export const keep = (
  variables: Variables,
  own: ProfileFile.Known,
  cursor: ReadSummary["cursor"],
): Effect.Effect<void, StoreError> =>
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

/** The client, whose reads look for another name when that of its configuration has no effect. */
export const searching = (client: PropertyClient.Service): PropertyClient.Service => ({
  ...client,
  contracts: searchingRecords(client.contracts),
  apiKeys: searchingRecords(client.apiKeys),
})

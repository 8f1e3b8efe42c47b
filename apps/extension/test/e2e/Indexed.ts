/** What a sync leaves: the contracts in the index, and the requests that the service has seen. */
import type { Emulator } from "@deedkit/emulator"
import type { Tab } from "./browsers/Driver.ts"

/** The contracts as the index keeps them, newest first. */
export const indexed = (page: Tab): Promise<ReadonlyArray<{ readonly id: number }>> =>
  page.evaluate(async () => {
    const done = <A>(request: IDBRequest<A>): Promise<A> =>
      new Promise((resolve, reject) => {
        request.addEventListener("success", () => resolve(request.result))
        request.addEventListener("error", () => reject(request.error))
      })
    const database = await done(indexedDB.open("deedkit"))
    const rows = await done(database.transaction("contracts").objectStore("contracts").getAll())
    database.close()
    return rows.map(({ contract }: { contract: { id: number } }) => contract).toReversed()
  })

/** Of the answered requests for a list, those without a cursor, by their places. */
export const withoutCursor = ({ assumptions, journal }: Emulator): ReadonlyArray<number> =>
  journal.entries
    .filter(({ path, status }) => path === "/v1/contracts/" && status === 200)
    .flatMap(({ query }, at) => (query[assumptions.cursorParameter] === undefined ? [at] : []))

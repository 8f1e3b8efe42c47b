/** A mirror of the contracts in SQLite: an interrupted sync resumes where it stopped, and rows go only when the list is shown to be complete. */
import { DatabaseSync } from "node:sqlite"
import { Json } from "@deedkit/core"
import type { Checkpoint, Client } from "@deedkit/core/promise"
import { ClientError, createClient } from "@deedkit/core/promise"
import { make } from "@deedkit/emulator"

const database = new DatabaseSync(":memory:")
database.exec(`
  create table contracts (id integer primary key, status text, updated_at text, record text, seen text) strict;
  create table progress (id integer primary key check (id = 1), checkpoint text) strict;
`)
const upsert = database.prepare(`
  insert into contracts values (?, ?, ?, ?, ?)
  on conflict do update set status = excluded.status, updated_at = excluded.updated_at, record = excluded.record, seen = excluded.seen
`)
const saveProgress = database.prepare("insert or replace into progress values (1, ?)")
const removeUnseen = database.prepare("delete from contracts where seen is not ?")

/** Where the last sync stopped; undefined when it came to its end. */
const interrupted = (): Checkpoint | undefined => {
  const row = database.prepare("select checkpoint from progress").get()
  return row === undefined ? undefined : (JSON.parse(String(row["checkpoint"])) as Checkpoint)
}

const transaction = (work: () => void): void => {
  database.exec("begin")
  try {
    work()
    database.exec("commit")
  } catch (error) {
    database.exec("rollback")
    throw error
  }
}

/** Reads every contract into the database. Records and checkpoint of a page are saved together, so nothing is lost or read twice after a crash. */
const sync = async (client: Client): Promise<string> => {
  let result = "nothing read"
  const from = interrupted()
  for await (const page of client.contracts.pages({ limit: 50, prove: true, from })) {
    const { checkpoint, next, records, summary, superseded } = page
    transaction(() => {
      for (const record of [...records, ...superseded]) {
        const { id, status, updated_at } = record
        upsert.run(id, status, updated_at, Json.stringify(record), summary.startedAt)
      }
      if (next !== null) return void saveProgress.run(JSON.stringify(checkpoint))
      database.exec("delete from progress")
      // A list of which records may be missing removes nothing.
      const { state } = summary.completeness
      const removed = state === "unverified" ? 0 : Number(removeUnseen.run(summary.startedAt).changes)
      result = `${summary.records} contracts, ${state}, ${removed} removed`
    })
  }
  return result
}

// The third request is answered by a proxy that wants a login.
const emulator = make({ contracts: 120, faults: [{ name: "not-json", when: { requests: [3] } }] })
await using client = createClient({
  baseUrl: "https://api.example.test",
  apiKey: emulator.apiKey,
  fetch: emulator.fetch,
})
const rows = () => Number(database.prepare("select count(*) as rows from contracts").get()?.["rows"])

await sync(client).catch((error: unknown) => {
  if (!(error instanceof ClientError)) throw error
  console.log(`interrupted by ${error.reason._tag} with ${rows()} rows`)
})
console.log("resumed:", await sync(client))

const [first, second] = emulator.store.contracts
if (first) emulator.store.update(first.id, { status: "ended" })
if (second) emulator.store.remove(second.id)
console.log("again:", await sync(client), "-", rows(), "rows")

// Output:
// => interrupted by NotTheApi with 100 rows
// => resumed: 120 contracts, proven, 0 removed
// => again: 119 contracts, proven, 1 removed - 119 rows

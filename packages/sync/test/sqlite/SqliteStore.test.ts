/** What is removed from a mirror is also gone from its file. Everything else that a store does is tested with both stores, in @deedkit/sync-postgres. */
import { readFile } from "node:fs/promises"
import { DatabaseSync } from "node:sqlite"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { sqliteStore } from "../../src/index.ts"
import { emulated, folder, query, sync } from "../harness/World.ts"

const forget = (path: string, name: string) =>
  Effect.runPromise(
    Effect.scoped(
      Effect.flatMap(sqliteStore({ path }), (store) =>
        Effect.match(store.forget(name), { onFailure: ({ reason }) => reason, onSuccess: () => null }),
      ),
    ),
  )

describe("an account that is removed", () => {
  it("leaves nothing in the file, also after a process was killed while it removed the account", async () => {
    await using place = await folder()
    const has = async (text: string) => (await readFile(place.mirror, "latin1")).includes(text)
    const { account } = emulated("acme", { contracts: 40, seed: 2 })
    await sync(place.mirror, account)
    await sync(place.mirror, emulated("beta", { contracts: 5, seed: 3 }).account)
    expect(await forget(place.mirror, "acme")).toBeNull()
    expect([await has("acme"), await has("beta")]).toEqual([false, true])
    await sync(place.mirror, account)
    // As a process leaves it that was killed after it had removed the rows.
    const db = new DatabaseSync(place.mirror)
    for (const table of ["contract_history", "api_key_history", "sync_run", "sync_list", "account"])
      db.exec(`delete from ${table} where account = 'acme'`)
    db.close()
    expect(await has("acme")).toBe(true)
    expect(await forget(place.mirror, "acme")).toEqual({ _tag: "AccountUnknown", account: "acme" })
    expect(await has("acme")).toBe(false)
    await sync(place.mirror, account)
    expect(query(place.mirror, "select count(*) as rows from contract where account = 'acme'")).toEqual([
      { rows: 40 },
    ])
  })

  it("leaves nothing in the file where its own row was deleted before", async () => {
    await using place = await folder()
    await sync(place.mirror, emulated("beta").account)
    const db = new DatabaseSync(place.mirror, { enableForeignKeyConstraints: false })
    db.exec("delete from account")
    db.close()
    expect(await forget(place.mirror, "beta")).toBeNull()
    expect((await readFile(place.mirror, "latin1")).includes("beta")).toBe(false)
  })
})

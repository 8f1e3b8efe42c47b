import { readFile } from "node:fs/promises"
import { join } from "node:path"
import type { Server } from "@deedkit/config/postgres"
import { hasPostgres, start } from "@deedkit/config/postgres"
import { make } from "@deedkit/emulator"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { accountOf, syncInto, using } from "../harness/Accounts.ts"
import { query } from "../harness/Query.ts"

let server: Server

/** A mirror of two nights, and the account. */
const twoNights = async (url: string) => {
  const emulator = make({ contracts: 25 })
  const { store } = emulator
  const account = accountOf("acme", emulator)
  const night = () => using({ url }, (mirror) => syncInto(mirror, account))
  await night()
  store.update(store.contracts[0]!.id, { status: "ended" })
  store.remove(store.contracts[1]!.id)
  store.insert()
  await night()
  return { night, store }
}

describe.skipIf(!hasPostgres)("the views of a mirror in PostgreSQL", { timeout: 60_000 }, () => {
  beforeAll(async () => {
    server = await start()
  }, 60_000)
  afterAll(() => server?.[Symbol.asyncDispose]())

  it("give the contracts of a moment, as a snapshot does", async () => {
    const url = await server.database("views")
    await twoNights(url)
    const ends = await query(
      url,
      "select ended_at from deedkit.sync_run where collection = 'contracts' order by run",
    )
    expect(ends).toHaveLength(2)
    for (const row of ends) {
      const at = (row["ended_at"] as Date).toISOString()
      const kept = await using({ url, isReadOnly: true }, (store) =>
        Effect.flatMap(store.snapshot({ account: "acme", collection: "contracts", at }), ({ page }) =>
          page(null, 100),
        ),
      )
      const found = await query(
        url,
        `select id::int as id, body from deedkit.contracts_at('${at}') where account = 'acme' order by id desc`,
      )
      expect(found).toEqual(kept.map(({ body, id }) => ({ id, body })))
    }
    expect(await query(url, "select id from deedkit.contracts_at('2000-01-01')")).toEqual([])
    const keys = "select count(*)::int as keys from deedkit.api_keys_at(now())"
    expect(await query(url, keys)).toEqual([{ keys: 12 }])
  })

  it("have the record as jsonb, and null where jsonb refuses it", async () => {
    const url = await server.database("records")
    await twoNights(url)
    const view =
      'select body = \'{"id":1,"a":"\\u0000"}\' as refused, record ->> \'id\' as id from deedkit.contract_versions'
    const before = await query(url, view)
    expect(before.filter((row) => row["id"] === null)).toEqual([])
    await query(
      url,
      `update deedkit.contract_history set body = '{"id":1,"a":"\\u0000"}' where version = 1 and id = (select min(id) from deedkit.contract)`,
    )
    const after = await query(url, view)
    expect(after).toHaveLength(before.length)
    expect(after.filter((row) => row["id"] === null)).toEqual([{ refused: true, id: null }])
    expect(await query(url, "select slug from deedkit.listings where account = 'acme'")).not.toEqual([])
  })

  it("and its tables say what they and their columns are, in every schema", async () => {
    const url = await server.database("comments")
    const schema = `o'd $do$ "schema"`
    await using({ url, schema }, (store) => store.status)
    const undescribed = await query(
      url,
      `select relname, attname from pg_class
       join pg_namespace on pg_namespace.oid = relnamespace
       join pg_attribute on attrelid = pg_class.oid
       where nspname like 'o''d%' and relkind in ('r', 'v') and attnum > 0
         and (col_description(pg_class.oid, attnum) is null or obj_description(pg_class.oid) is null)`,
    )
    expect(undescribed).toEqual([])
    expect(
      await query(
        url,
        "select 1 from pg_description join pg_class on pg_class.oid = objoid where relname = 'contracts_with_removed'",
      ),
    ).not.toEqual([])
  })

  it("answer the query of the README", async () => {
    const url = await server.database("readme")
    await twoNights(url)
    await query(url, "update deedkit.contract_history set seen_at = '2026-10-30'")
    const readme = await readFile(join(import.meta.dirname, "..", "..", "README.md"), "utf8")
    const [, sql = ""] = /```sql\n(.*?)```/s.exec(readme) ?? []
    expect(await query(url, sql)).toEqual([{ account: "acme", count: expect.any(BigInt) as bigint }])
  })
})

import { readFile } from "node:fs/promises"
import { join } from "node:path"
import type { Server } from "@deedkit/config/postgres"
import { hasPostgres, start } from "@deedkit/config/postgres"
import { make } from "@deedkit/emulator"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { migrations, quoted } from "../src/Schema.ts"
import { accountOf, failing, syncInto, using } from "./harness/Accounts.ts"
import { query } from "./harness/Query.ts"

let server: Server

const schema = `select relname::text as name, relkind::text as kind from pg_class join pg_namespace n on n.oid = relnamespace
  where nspname = 'deedkit' order by relname`

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

  it("answer the query of the README", async () => {
    const url = await server.database("readme")
    await twoNights(url)
    await query(url, "update deedkit.contract_history set seen_at = '2026-10-30'")
    const readme = await readFile(join(import.meta.dirname, "..", "README.md"), "utf8")
    const [, sql = ""] = /```sql\n(.*?)```/s.exec(readme) ?? []
    expect(await query(url, sql)).toEqual([{ account: "acme", count: expect.any(BigInt) as bigint }])
  })

  it("come to a mirror of the version before with its next sync, which keeps what it holds", async () => {
    const [url, first] = [await server.database("before"), await server.database("first")]
    const { night, store } = await twoNights(url)
    for (const statement of [
      "drop function deedkit.contracts_at, deedkit.api_keys_at",
      "drop view deedkit.contracts, deedkit.api_keys, deedkit.contract_versions, deedkit.api_key_versions, deedkit.changes",
      "update deedkit.mirror_version set version = 1",
    ])
      await query(url, statement)
    await query(first, "create schema deedkit")
    await query(first, "create table deedkit.mirror_version (version integer not null)")
    for (const statement of migrations[0]!(quoted("deedkit")).split(";\n"))
      if (statement.trim() !== "") await query(first, statement)
    expect(await query(url, schema)).toEqual(await query(first, schema))
    const history = "select * from deedkit.contract_history order by id, version"
    const before = await query(url, history)
    const { reason } = (await failing({ url, isReadOnly: true }, (mirror) => mirror.status)) as {
      reason: object
    }
    expect(reason).toMatchObject({ _tag: "SchemaOlder", found: 1, known: migrations.length })
    await night()
    expect(await query(url, "select version from deedkit.mirror_version")).toEqual([
      { version: migrations.length },
    ])
    expect(await query(url, history)).toEqual(before)
    expect(await query(url, "select count(*)::int as rows from deedkit.changes")).toEqual([{ rows: 3 }])
    expect(await query(url, "select count(*)::int as rows from deedkit.contracts")).toEqual([
      { rows: store.contracts.length },
    ])
  })
})

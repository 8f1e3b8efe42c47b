/**
 * The dashboard for Grafana and the dbt package, as far as PostgreSQL alone can run them: their statements, with the macros and references replaced that
 * those programs replace.
 */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import type { Server } from "@deedkit/config/postgres"
import { hasPostgres, start } from "@deedkit/config/postgres"
import { make } from "@deedkit/emulator"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { accountOf, syncInto, using } from "../harness/Accounts.ts"
import { edit, query } from "../harness/Query.ts"

const home = join(import.meta.dirname, "..", "..")
const textOf = (...path: ReadonlyArray<string>) => readFile(join(home, ...path), "utf8")

/** A statement of the dbt package. */
const rendered = async (...path: ReadonlyArray<string>) =>
  (await textOf("dbt", ...path))
    .replaceAll(/\{\{ source\('deedkit', '(\w+)'\) \}\}/g, "deedkit.$1")
    .replaceAll(/\{\{ ref\('(\w+)'\) \}\}/g, "$1")
    .replaceAll('{{ var("deedkit_max_age_hours") }}', "36")

interface Panel {
  readonly title: string
  readonly targets: ReadonlyArray<{ readonly rawSql: string }>
}

describe.skipIf(!hasPostgres)("a mirror of two nights", { timeout: 60_000 }, () => {
  let server: Server
  let url = ""
  beforeAll(async () => {
    server = await start()
    url = await server.database("dashboards")
    const emulator = make({ contracts: 25 })
    const { store } = emulator
    const night = () => using({ url }, (mirror) => syncInto(mirror, accountOf("acme", emulator)))
    await night()
    store.update(store.contracts[0]!.id, { status: "ended" })
    store.remove(store.contracts[1]!.id)
    store.insert()
    await night()
  }, 60_000)
  afterAll(() => server?.[Symbol.asyncDispose]())

  /** The rows of each panel of the dashboard. */
  const panels = async (
    at = url,
  ): Promise<Readonly<Record<string, ReadonlyArray<Record<string, unknown>>>>> => {
    const { panels: all } = JSON.parse(await textOf("grafana", "mirror.json")) as {
      readonly panels: ReadonlyArray<Panel>
    }
    const rows = all.map(async ({ targets, title }) => {
      const sql = targets[0]!.rawSql.replaceAll(
        /\$__timeFilter\((.+?)\)/g,
        "$1 between now() - interval '30 days' and now()",
      )
      return [title, await query(at, sql)] as const
    })
    return Object.fromEntries(await Promise.all(rows))
  }

  it("is on the dashboard, and so is a list that is not complete", async () => {
    const fine = await panels()
    expect(fine).toMatchObject({
      "Accounts not complete": [{ accounts: 0n }],
      "Oldest complete list": [{ age: expect.anything() as unknown }],
      Contracts: [{ contracts: "25" }],
      "Accounts that need attention": [],
    })
    const sums = (fine["Changes a night"] ?? []).map((row) =>
      ["added", "changed", "removed", "returned"].map((name) => Number(row[name])),
    )
    expect(sums.reduce((one, other) => one.map((sum, at) => sum + other[at]!))).toEqual([38, 1, 1, 0])
    expect(fine["Requests a night"]).not.toEqual([])
    const old = "update deedkit.sync_run set ended_at = ended_at - interval '2 days', held = 7"
    await edit(url, [`${old} where collection = 'contracts'`])
    expect(await panels()).toMatchObject({
      "Accounts not complete": [{ accounts: 1n }],
      "Removals held": [{ removals: 7n }],
      "Accounts that need attention": [{ account: "acme", collection: "contracts", held: 7 }],
    })
    await edit(url, [
      "update deedkit.sync_run set ended_at = ended_at + interval '2 days', held = 0 where collection = 'contracts'",
    ])
  })

  it("is shown with its nights in UTC wherever the database is, with abandoned reads, and with accounts that have no list", async () => {
    const athens = await server.database("athens")
    await query(athens, "alter database athens set timezone = 'Europe/Athens'")
    const emulator = make({ contracts: 25 })
    const account = accountOf("acme", emulator)
    let left = 3
    const broken: typeof account.fetch = async (...request) =>
      left-- > 0 ? emulator.fetch(...request) : new Response("broken", { status: 500 })
    await using({ url: athens }, (mirror) =>
      Effect.gen(function* () {
        yield* Effect.flip(syncInto(mirror, { ...account, fetch: broken }))
        yield* syncInto(mirror, account, { resumeWithinMillis: -1 })
        yield* mirror.note({ account: "down", baseUrl: "" }, "No key", "2026-03-01T09:00:00.000Z")
      }),
    )
    await edit(athens, [
      "update deedkit.account set added_at = added_at - interval '3 days' where account = 'down'",
    ])
    const [first] = await query(
      athens,
      "select added, state, night::text as night from deedkit.sync_run where run = 1",
    )
    expect(first).toMatchObject({ added: 20, state: "abandoned" })
    const shown = await panels(athens)
    expect(shown).toMatchObject({
      "Accounts not complete": [{ accounts: 1n }],
      "Accounts that need attention": [{ account: "down", collection: null, problem: "No key" }],
    })
    expect(Number(shown["Oldest complete list"]?.[0]?.["age"])).toBeGreaterThan(2 * 86_400)
    const midnight = new Date(`${String(first!["night"])}T00:00:00Z`)
    expect(shown["Changes a night"]).toMatchObject([{ time: midnight, added: 37n }])
    expect(shown["Requests a night"]).toMatchObject([{ time: midnight }])
    await edit(athens, ["update deedkit.account set problem = 'Refused' where account = 'acme'"])
    expect(await panels(athens)).toMatchObject({ "Accounts not complete": [{ accounts: 2n }] })
    // A change whose run was pruned, half an hour after midnight in Athens.
    emulator.store.insert()
    await using({ url: athens }, (mirror) => syncInto(mirror, account))
    const change = "from deedkit.contract_history where run > 3 order by run limit 1"
    await edit(athens, [
      "update deedkit.contract_history set seen_at = '2026-03-01T22:30:00Z' where run > 3",
      `delete from deedkit.sync_run where run = (select run ${change})`,
    ])
    const facts = await rendered("models", "fct_contract_change.sql")
    expect(await query(athens, `select night::text as night from (${facts}) as fact`)).toEqual([
      { night: "2026-03-01" },
    ])
  })

  it("is a dimension and a table of facts in dbt, whose tests find what they are for", async () => {
    const models = ["dim_contract", "fct_contract_change"]
    for (const model of models)
      await query(url, `create view ${model} as ${await rendered("models", `${model}.sql`)}`)
    expect(
      await query(
        url,
        "select count(*)::int as rows, count(distinct contract_key)::int as keys, count(*) filter (where is_current)::int as current from dim_contract",
      ),
    ).toEqual([{ rows: 27, keys: 27, current: 25 }])
    const facts = "select change, count(*)::int as rows from fct_contract_change group by 1 order by 1"
    expect(await query(url, facts)).toEqual(
      ["added", "changed", "removed"].map((change) => ({ change, rows: 1 })),
    )
    const found = async (test: string) => query(url, await rendered("tests", `${test}.sql`))
    expect([await found("one_version_at_a_time"), await found("every_list_is_complete")]).toEqual([[], []])
    await edit(url, [
      "update deedkit.contract_history set valid_to = null",
      "update deedkit.sync_list set complete_run = null where collection = 'api-keys'",
    ])
    expect(await found("one_version_at_a_time")).toHaveLength(1)
    expect(await found("every_list_is_complete")).toMatchObject([{ collection: "api-keys" }])
    const sources = await textOf("dbt", "models", "sources.yml")
    for (const [, table = ""] of sources.matchAll(/^ {6}- name: (\w+)$/gm))
      await query(url, `select 1 from deedkit.${table} limit 1`)
    expect(await query(url, "select max(complete_at) is not null as known from deedkit.contracts")).toEqual([
      { known: true },
    ])
  })
})

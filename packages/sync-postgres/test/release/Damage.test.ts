import type { Server } from "@deedkit/config/postgres"
import { hasPostgres, start } from "@deedkit/config/postgres"
import { make } from "@deedkit/emulator"
import type { MirrorStore } from "@deedkit/sync"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { accountOf, failing, syncInto, using } from "../harness/Accounts.ts"
import { query } from "../harness/Query.ts"

let server: Server
let databases = 0
const database = () => server.database(`damaged-${(databases += 1)}`)

const names = ["acme", "beta", "corp", "dock"]

/** Four accounts, and a night of all of them: what became of each. */
const office = () => {
  const emulators = names.map((name) => [name, make({ contracts: 5 })] as const)
  return {
    emulators,
    night: (concurrency: number) => (store: MirrorStore) =>
      Effect.forEach(
        emulators,
        ([name, emulator]) =>
          Effect.match(syncInto(store, accountOf(name, emulator)), {
            onSuccess: ([row]) => row!.completeness,
            onFailure: ({ reason }) => reason,
          }),
        { concurrency },
      ),
  }
}

const ofBeta = "where account = 'beta'"
const last = `(select max(run) from deedkit.sync_run ${ofBeta} and collection = 'contracts')`
const running = `update deedkit.sync_run set state = 'running' ${ofBeta} and run = ${last}`

describe.skipIf(!hasPostgres)("an account whose rows were changed by something else", () => {
  beforeAll(async () => {
    server = await start()
  }, 60_000)
  afterAll(() => server?.[Symbol.asyncDispose]())

  it.each([
    ["a text that is no JSON", [`update deedkit.contract_history set body = 'x', hash = 'x' ${ofBeta}`]],
    ["an identity that is no JSON", [`update deedkit.account set identity = 'x' ${ofBeta}`]],
    [
      "a checkpoint that is no JSON",
      [running, `insert into deedkit.sync_page values (${last}, 99, '[]', 'x')`],
    ],
    [
      "a number that cannot grow",
      [running, `update deedkit.sync_run set pages = 2147483647 where run = ${last}`],
    ],
  ])("to %s fails alone", async (_, changes) => {
    for (const concurrency of [1, 8]) {
      const url = await database()
      const { emulators, night } = office()
      const all = (store: MirrorStore) => night(concurrency)(store)
      await using({ url }, all)
      for (const change of changes) await query(url, change)
      for (const [, { store }] of emulators) store.insert({ status: "draft" })
      const damaged = { _tag: "AccountDamaged", account: "beta", path: expect.stringContaining("damaged-") }
      expect(await using({ url }, all)).toEqual(["proven", damaged, "proven", "proven"])
      const held = "select account, count(*)::int as rows from deedkit.contract group by account order by 1"
      expect(await query(url, held)).toEqual(
        names.map((account) => ({ account, rows: account === "beta" ? 5 : 6 })),
      )
      const [, beta] = await using({ url, isReadOnly: true }, (store) => store.status)
      expect(beta).toMatchObject({ account: "beta", problem: expect.stringContaining("beta is damaged") })
      await using({ url }, (store) => store.forget("beta"))
      expect(await using({ url }, all)).toEqual(names.map(() => "proven"))
    }
  })

  it.each([
    ["a table is gone", "drop table deedkit.sync_page"],
    ["a column is gone", "alter table deedkit.sync_run drop column unlisted cascade"],
  ])("does not fail alone where %s", async (_, gone) => {
    const url = await database()
    const sync = (store: MirrorStore) => syncInto(store, accountOf("acme", make({ contracts: 5 })))
    await using({ url }, sync)
    await query(url, gone)
    expect((await failing({ url }, sync)).reason).toEqual({
      _tag: "MirrorDamaged",
      path: expect.stringContaining("damaged-"),
    })
  })

  it("does not fail alone where the schema is dropped during a sync", async () => {
    const url = await database()
    const emulator = make({ contracts: 5 })
    let dropped: Promise<unknown> | null = null
    const account = {
      ...accountOf("acme", emulator),
      fetch: async (request: Request) => {
        await (dropped ??= query(url, "drop schema deedkit cascade"))
        return emulator.fetch(request)
      },
    }
    const error = await failing({ url }, (store) => syncInto(store, account))
    expect(error.reason).toMatchObject({ _tag: "MirrorDamaged" })
  })
})

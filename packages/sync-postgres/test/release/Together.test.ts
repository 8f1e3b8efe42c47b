import type { Server } from "@deedkit/config/postgres"
import { hasPostgres, start } from "@deedkit/config/postgres"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { queue } from "../../src/worker/index.ts"
import { query } from "../harness/Query.ts"
import * as Truth from "../harness/Truth.ts"
import * as Workers from "../worker/Workers.ts"

/** For a run by hand with more of them. */
const tries = Number(process.env["DEEDKIT_TOGETHER_TRIES"] ?? 2)
const accounts = 60

describe.skipIf(!hasPostgres)("no account is read twice in a night", { timeout: 1_800_000 }, () => {
  let server: Server
  beforeAll(async () => {
    server = await start()
  }, 60_000)
  afterAll(() => server?.[Symbol.asyncDispose]())

  it.each(["start together", "are replaced one by one"])("when workers %s", async (change) => {
    await using fleet = await Truth.serve(accounts, 30)
    const names = fleet.served.map(({ name }) => name)
    for (let at = 0; at < tries; at++) {
      const url = await server.database(`together-${change.length}-${at}`)
      const since = new Date().toISOString()
      const running: Array<Workers.WorkerProcess> = []
      const add = () => {
        const one = Workers.start({ where: { url }, accounts: fleet.served, concurrency: 4, pageSize: 10 })
        running.push(one)
        return one
      }
      const put = () => Effect.runPromise(queue({ url, accounts: names, since }))
      try {
        for (const _ of [1, 2, 3]) add()
        await put()
        if (change !== "start together")
          for (const old of running.slice()) {
            await new Promise<void>((resolve) => fleet.afterRequests(40, resolve))
            add()
            old.child.kill("SIGTERM")
          }
        while ((await put()).synced < accounts) await new Promise((resolve) => setTimeout(resolve, 500))
        const reads = await query(
          url,
          "select account, count(*)::int as reads from deedkit.sync_run where collection = 'contracts' group by 1",
        )
        const twice = reads.filter((row) => Number(row["reads"]) > 1).length
        const said = running.flatMap(({ said: lines }) => lines()).filter((line) => line.startsWith("Synced"))
        console.log(
          `${change}, try ${at + 1}: ${reads.length} accounts, read twice: ${twice}, reports: ${said.length}`,
        )
        expect([reads.length, twice]).toEqual([accounts, 0])
      } finally {
        for (const { child } of running) child.kill("SIGKILL")
        fleet.forget()
      }
    }
  })
})

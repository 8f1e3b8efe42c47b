/**
 * Prints what the documents quote: `measure.ts ACCOUNTS WORKERS [CONTRACTS]`. Queues the accounts, lets that many workers sync them in a first night and
 * in one without changes, on a PostgreSQL and an emulator of its own, all on this machine.
 */
import { readFile } from "node:fs/promises"
import * as Fleet from "@deedkit/config/fleet"
import { start } from "@deedkit/config/postgres"
import { make } from "@deedkit/emulator"
import { listen } from "@deedkit/emulator/node"
import * as Effect from "effect/Effect"
import { queue } from "../../src/cluster/index.ts"
import { query } from "../harness/Query.ts"
import * as Workers from "./Workers.ts"

const [accounts = 1_000, workers = 2, contracts = 12] = process.argv.slice(2).map(Number)
await using server = await start()
const url = await server.database("measured")
const emulators = Array.from({ length: accounts }, (_, at) => make({ contracts, seed: at + 1 }))
await using fleet = await Fleet.start({ emulators, listen, seed: 1 })
let requests = 0
for (const [, { journal }] of fleet.emulators)
  journal.watch(() => {
    requests += 1
    journal.clear()
  })

const seconds = (since: number): string => `${((performance.now() - since) / 1_000).toFixed(1)} s`
const put = (names: ReadonlyArray<string>, night: string) =>
  Effect.runPromise(queue({ url, accounts: names, night }))
const one = async (sql: string) => Number(Object.values((await query(url, sql))[0] ?? {})[0])
const sizeOf = (schema: string) =>
  one(
    `select sum(pg_total_relation_size(oid)) from pg_class where relkind = 'r' and relnamespace = '${schema}'::regnamespace`,
  )
/** CPU seconds and memory of a process, from Linux. */
const used = async (pid: number): Promise<{ readonly cpu: number; readonly megabytes: number }> => {
  const stat = (await readFile(`/proc/${pid}/stat`, "utf8")).split(") ")[1]?.split(" ") ?? []
  const status = await readFile(`/proc/${pid}/status`, "utf8")
  return {
    cpu: (Number(stat[11]) + Number(stat[12])) / 100,
    megabytes: Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1_024),
  }
}

const names = fleet.served.map(({ name }) => name)
const many = Array.from({ length: 10_000 }, (_, at) => `none-${at}`)
let since = performance.now()
await put(many, "measured")
console.log(`10,000 accounts queued in ${seconds(since)}`)
since = performance.now()
await put(many, "measured")
console.log(`10,000 accounts that wait queued again in ${seconds(since)}`)
await query(url, "truncate deedkit_queue.deedkit_messages")

const running = Array.from({ length: workers }, () =>
  Workers.start({ where: { url }, accounts: fleet.served, concurrency: 8, pageSize: 100 }),
)
for (const night of ["first", "unchanged"]) {
  const before = await Promise.all(running.map(({ child }) => used(child.pid!)))
  const wal = await one("select pg_current_wal_insert_lsn() - '0/0'::pg_lsn")
  requests = 0
  since = performance.now()
  await put(names, night)
  const stored = seconds(since)
  const rest = `select count(*) from deedkit_queue.deedkit_messages where tag = 'run' and not processed`
  while ((await one(rest)) > 0) await new Promise((resolve) => setTimeout(resolve, 50))
  const wall = (performance.now() - since) / 1_000
  const after = await Promise.all(running.map(({ child }) => used(child.pid!)))
  const cpu = after.reduce((sum, each, at) => sum + each.cpu - before[at]!.cpu, 0)
  console.log(
    `${night} night: ${accounts} accounts of ${contracts} contracts, ${workers} workers: queued in ${stored}, synced in ${wall.toFixed(1)} s,`,
    `${Math.round(accounts / wall)} accounts/s; workers ${cpu.toFixed(1)} s CPU (${((cpu / accounts) * 1_000).toFixed(1)} ms an account),`,
    `${(requests / accounts).toFixed(1)} requests and ${Math.round(((await one("select pg_current_wal_insert_lsn() - '0/0'::pg_lsn")) - wal) / accounts)} bytes of WAL an account,`,
    `at most ${Math.max(...after.map(({ megabytes }) => megabytes))} MB each`,
  )
}
await query(url, "vacuum analyze")
const rows = await one(
  "select (select count(*) from deedkit_queue.deedkit_messages) + (select count(*) from deedkit_queue.deedkit_replies)",
)
console.log(
  `engine: ${(rows / accounts / 2).toFixed(1)} rows and ${Math.round((await sizeOf("deedkit_queue")) / accounts / 2)} bytes an account and night;`,
  `mirror: ${Math.round((await sizeOf("deedkit")) / accounts / contracts)} bytes a contract`,
)
for (const { child, ended } of running) {
  child.kill("SIGTERM")
  await ended
}

/**
 * The cost of a mirror: ten thousand small accounts, one large account, rows into each database, and the accounts of a night with each engine. Each
 * figure is compared in the same rounds with what people would write or use instead.
 */
import { statSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as Postgres from "@deedkit/config/postgres"
import { count, installPeers, measure, median, peakOf, print, rounds, serve, tablesOf } from "./measure.ts"
import type { Measurement, Options, Results, Row } from "./measure.ts"

const byHand = "a loop by hand, no history"
const first = "deedkit, first night"
const unchanged = "deedkit, unchanged night"

/** Provides a temporary folder for databases. */
const within = async <A>(work: (file: (name: string) => string) => Promise<A>): Promise<A> => {
  const folder = await mkdtemp(join(tmpdir(), "deedkit-bench-"))
  try {
    return await work((name) => join(folder, name))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Size {
  readonly accounts: number
  readonly contracts: number
  readonly keys: number
}

/** Runs a program that must see every record. */
const measureAll = async (
  { accounts, contracts, keys }: Size,
  name: string,
  program: string,
  ...args: ReadonlyArray<string>
) => {
  const measured = await measure(program, ...args, String(accounts))
  const records = accounts * (contracts + keys)
  if (measured.records !== records) throw new Error(`${name} saw ${measured.records} of ${records} records`)
  return measured
}

/** Nights of accounts in turn: by hand, a first night, and a night in which nothing has changed. */
const nights = async (size: Size, times: number): Promise<Results> => {
  await using server = await serve(size.contracts, size.keys)
  const results = new Map<string, Array<Measurement>>([byHand, first, unchanged].map((name) => [name, []]))
  for (let round = 0; round < times; round++) {
    await within(async (file) => {
      for (const [name, program, mirror] of [
        [byHand, "syncByHand.ts", "by-hand.sqlite"],
        [first, "syncNight.ts", "mirror.sqlite"],
        [unchanged, "syncNight.ts", "mirror.sqlite"],
      ] as const)
        results.get(name)!.push(await measureAll(size, name, program, file(mirror), server.url))
    })
  }
  return results
}

const wallSeconds = (found: ReadonlyArray<Measurement>): number =>
  median(found.map(({ wallMillis }) => wallMillis)) / 1_000
const seconds = (found: ReadonlyArray<Measurement>): ReadonlyArray<number> =>
  found.map(({ cpuMillis }) => cpuMillis / 1_000)

/** Rows of a table about CPU: seconds, with a limit for each night of ours. */
const cpuRows = (results: Results, atMost?: number): ReadonlyArray<Row> =>
  Array.from(results, ([name, found]) => ({
    name,
    figures: seconds(found),
    note: `wall ${wallSeconds(found).toFixed(1)} s, ${peakOf(found)}`,
    atMost: name === byHand ? undefined : atMost,
  }))

const most = 10_000

async function* accountTables(times: number): AsyncGenerator<string> {
  const sizes = new Map<number, Results>()
  for (const accounts of [100, 1_000, most]) {
    const size = { accounts, contracts: 10, keys: 2 }
    sizes.set(accounts, await nights(size, accounts === most ? Math.min(times, 3) : times))
  }
  const largest = sizes.get(most)!
  const title = `${count(most)} accounts of 10 contracts and 2 keys, embedded`
  // On an otherwise idle machine, the wall time equals the processor time.
  yield print(title, "CPU s", cpuRows(largest, 20))
  yield print(
    `${title}: memory`,
    "peak RSS MB",
    Array.from(largest, ([name, found]) => ({
      name,
      figures: found.map(({ peakRssMegabytes }) => peakRssMegabytes),
      atMost: name === byHand ? undefined : 350,
    })),
  )
  // The first accounts also include the engine's compilation, so growth is measured on the accounts after them.
  for (const night of [first, unchanged]) {
    const perAccount = (from: number, to: number): number => {
      const [before = 0, after = 0] = [from, to].map((accounts) =>
        median(seconds(sizes.get(accounts)!.get(night)!)),
      )
      return (after - before) / ((to - from) / 1_000)
    }
    const early = "accounts 101 to 1,000"
    yield print(`Growth, ${night}`, "CPU ms an account", [
      { name: early, figures: [perAccount(100, 1_000)] },
      {
        name: "accounts 1,001 to 10,000",
        figures: [perAccount(1_000, most)],
        note: "linear growth is 1.00",
        limits: { [early]: 1.15 },
      },
    ])
  }
}

/** Counts what is written to a mirror, by triggers in its file. */
const watchWrites = (mirror: string): void => {
  using db = new DatabaseSync(mirror)
  const tables = db
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite%'")
    .all()
  db.exec("create table written (kind text)")
  for (const { name } of tables)
    for (const kind of ["insert", "update", "delete"])
      db.exec(
        `create trigger ${String(name)}_${kind} after ${kind} on ${String(name)} begin insert into written values ('${kind}'); end`,
      )
}

/** The counts since `watchWrites`, and the number of pages of the night. */
const writesOf = (mirror: string) => {
  using db = new DatabaseSync(mirror, { readOnly: true })
  const number = (sql: string): number => Number(Object.values(db.prepare(sql).get() ?? {})[0])
  return {
    written: number("select count(*) from written where kind <> 'delete'"),
    removed: number("select count(*) from written where kind = 'delete'"),
    pages: number("select sum(pages) from (select pages from sync_run order by run desc limit 2)"),
  }
}

async function* largeTables(times: number): AsyncGenerator<string> {
  const large: Size = { accounts: 1, contracts: 100_000, keys: 2 }
  yield print(
    `One account of ${count(large.contracts)} contracts, 100 a page`,
    "CPU s",
    cpuRows(await nights(large, times)),
  )
  await using server = await serve(large.contracts, large.keys)
  yield await within(async (file) => {
    const mirror = file("mirror.sqlite")
    await measureAll(large, first, "syncNight.ts", mirror, server.url)
    watchWrites(mirror)
    await measureAll(large, unchanged, "syncNight.ts", mirror, server.url)
    const { pages, removed, written } = writesOf(mirror)
    const note = `${count(written)} in ${count(pages)} pages; at the end ${count(removed)} are removed again`
    return print("Rows written in an unchanged night", "rows a page", [
      { name: "new or changed", figures: [written / pages], note, atMost: 2.01 },
    ])
  })
}

const rowCount = 100_000

/** Milliseconds for 1,000 rows of each case, in turn. */
const rowTable = async (
  title: string,
  names: ReadonlyArray<string>,
  times: number,
  database: (name: string) => string | Promise<string>,
): Promise<string> => {
  let made = 0
  const results = await rounds(names, times, async (name) =>
    measure("syncRows.ts", name, await database(`bench_${made++}`), String(rowCount)),
  )
  const rows = Array.from(results, ([name, found]): Row => {
    const figures = found.map(({ records, wallMillis }) => wallMillis / (records / 1_000))
    return { name, figures, note: `${count(Math.round(1_000_000 / median(figures)))} rows/s` }
  })
  return print(title, "wall ms for 1,000 rows", rows)
}

async function* rowTables(times: number): AsyncGenerator<string> {
  const intoSqlite = [
    "insert, a transaction a page",
    "insert, a transaction a row",
    "the mirror, first read",
    "the mirror, unchanged night",
  ]
  yield await within((file) => rowTable(`${count(rowCount)} rows into SQLite`, intoSqlite, times, file))
  if (!Postgres.hasPostgres) return
  await using server = await Postgres.start()
  const intoPostgres = [
    "COPY of a file",
    "insert, a transaction a row (a tenth of the rows)",
    "the mirror in PostgreSQL, first read",
    "the mirror in PostgreSQL, unchanged night",
  ]
  const title = `${count(rowCount)} rows into PostgreSQL, pages of 100`
  yield await rowTable(title, intoPostgres, times, (name) => server.database(name))
}

/** The first night of some accounts with each engine in turn. */
async function* engineTables(times: number): AsyncGenerator<string> {
  if (!Postgres.hasPostgres) return
  installPeers()
  const size: Size = { accounts: 500, contracts: 100, keys: 2 }
  const engines = [
    "graphile-worker, PostgreSQL",
    "deedkit sync worker, PostgreSQL",
    "deedkit sync, PostgreSQL",
    "deedkit sync, a file",
  ]
  await using service = await serve(size.contracts, size.keys)
  await using server = await Postgres.start()
  let made = 0
  const results = await rounds(engines, times, (name) =>
    within(async (file) => {
      const isFile = name.endsWith("a file")
      const mirror = isFile ? file("mirror.sqlite") : await server.database(`engine_${made++}`)
      return measureAll(size, name, "syncEngines.ts", name, mirror, service.url)
    }),
  )
  yield print(
    `First night of ${size.accounts} accounts of ${size.contracts} contracts and ${size.keys} keys, one process, eight accounts at once`,
    "wall s",
    Array.from(results, ([name, found]) => ({
      name,
      figures: found.map(({ wallMillis }) => wallMillis / 1_000),
      note: `${median(seconds(found)).toFixed(1)} s of CPU without the server`,
      ...(name === "deedkit sync worker, PostgreSQL"
        ? { limits: { "graphile-worker, PostgreSQL": 1.2 } }
        : {}),
    })),
  )
}

/** A year of a portfolio: how large its mirror is, and what its status costs. */
async function* yearTables(): AsyncGenerator<string> {
  const [nights, accounts, contracts] = [365, 50, 160]
  const sizes: Array<Row> = []
  const costs: Array<Row> = []
  for (const [name, kept, atMost] of [
    ["all history", 0, undefined],
    ["a weekly `sync prune --before 90d`", 90, 50],
  ] as const)
    await within(async (file) => {
      const mirror = file("mirror.sqlite")
      await measure("syncYear.ts", mirror, ...[nights, accounts, contracts, kept].map(String))
      sizes.push({ name, figures: [statSync(mirror).size / 1_000_000], atMost })
      const { cpuMillis } = await measure("syncStatus.ts", mirror)
      costs.push({ name, figures: [cpuMillis / 1_000], atMost: 0.5 })
    })
  const title = `${nights} nights of ${accounts} accounts of ${contracts} contracts at first`
  yield print(title, "MB", sizes)
  yield print(`${title}: status`, "CPU s", costs)
}

/** A million contracts, of one account and of 5,000: the first night, and what the status costs after it. */
async function* millionTables(): AsyncGenerator<string> {
  const million = 1_000_000
  const accounts = 5_000
  const one: Size = { accounts: 1, contracts: million, keys: 2 }
  const many: Size = { accounts, contracts: million / accounts, keys: 2 }
  const costs: Array<Row> = []
  const status = async (name: string, mirror: string): Promise<void> => {
    const { cpuMillis, wallMillis } = await measure("syncStatus.ts", mirror)
    const note = `CPU ${(cpuMillis / 1_000).toFixed(2)} s`
    costs.push({ name, figures: [wallMillis / 1_000], note, atMost: 1 })
  }
  for (const [name, size, limits] of [
    ["one account, a file", one, { seconds: 60, memory: 300, megabytes: 1_200 }],
    [`${count(accounts)} accounts, a file`, many, null],
  ] as const) {
    await using server = await serve(size.contracts, size.keys)
    yield await within(async (file) => {
      const mirror = file("mirror.sqlite")
      const night = await measureAll(size, name, "syncNight.ts", mirror, server.url)
      const wall = `wall ${(night.wallMillis / 1_000).toFixed(0)} s`
      await status(name, mirror)
      return print(`${count(million)} contracts, ${name}: first night`, "", [
        { name: "CPU s", figures: [night.cpuMillis / 1_000], note: wall, atMost: limits?.seconds },
        { name: "peak RSS MB", figures: [night.peakRssMegabytes], atMost: limits?.memory },
        { name: "file MB", figures: [statSync(mirror).size / 1_000_000], atMost: limits?.megabytes },
      ])
    })
  }
  if (Postgres.hasPostgres) {
    await using service = await serve(many.contracts, many.keys)
    await using server = await Postgres.start()
    const mirror = await server.database("million")
    const name = `${count(accounts)} accounts, PostgreSQL`
    await measureAll(many, name, "syncNight.ts", mirror, service.url)
    await status(name, mirror)
  }
  yield print(`${count(million)} contracts: status`, "wall s", costs)
}

export const bench = (options: Options): AsyncGenerator<string> =>
  tablesOf(
    {
      accounts: () => accountTables(options.rounds),
      large: () => largeTables(options.rounds),
      rows: () => rowTables(options.rounds),
      engines: () => engineTables(options.rounds),
      year: yearTables,
      million: millionTables,
    },
    options,
  )

/**
 * The cost of a mirror: ten thousand small accounts, one large account, rows into each database, and the accounts of a night with each engine. Each
 * figure is compared in the same rounds with what people would write or use instead.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Postgres from "@deedkit/config/postgres"
import type { Measurement } from "../measure/Child.ts"
import { measure, serve } from "../measure/Child.ts"
import * as Peers from "../measure/Peers.ts"
import { rounds } from "../measure/Rounds.ts"
import { median, print } from "../measure/Table.ts"
import type { Row } from "../measure/Table.ts"
import * as cases from "./cases.ts"
import { watchWrites, writesOf } from "./writes.ts"

export interface BenchOptions {
  readonly rounds: number
  /** Names of parts; empty for all. */
  readonly parts: ReadonlyArray<string>
}

const script = (name: string): string => join(import.meta.dirname, name)
const count = (number: number): string => number.toLocaleString("en")

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

type Nights = ReadonlyMap<string, ReadonlyArray<Measurement>>

/** Nights of accounts in turn: by hand, a first night, and a night in which nothing has changed. */
const nights = async ({ accounts, contracts, keys }: Size, times: number): Promise<Nights> => {
  const server = await serve(script("server.ts"), [String(contracts), String(keys)])
  const results = new Map<string, Array<Measurement>>([byHand, first, unchanged].map((name) => [name, []]))
  const records = accounts * (contracts + keys)
  try {
    for (let round = 0; round < times; round++) {
      await within(async (file) => {
        for (const [name, program, mirror] of [
          [byHand, "byHand.ts", "by-hand.sqlite"],
          [first, "night.ts", "mirror.sqlite"],
          [unchanged, "night.ts", "mirror.sqlite"],
        ] as const) {
          const measured = await measure(script(program), [file(mirror), server.url, String(accounts)])
          if (measured.records !== records)
            throw new Error(`${name} saw ${measured.records} of ${records} records`)
          results.get(name)!.push(measured)
        }
      })
    }
  } finally {
    server.stop()
  }
  return results
}

const note = (measured: ReadonlyArray<Measurement>): string => {
  const wall = median(measured.map(({ wallMillis }) => wallMillis)) / 1_000
  return `wall ${wall.toFixed(1)} s, peak RSS ${Math.max(...measured.map(({ peakRssMegabytes }) => peakRssMegabytes)).toFixed(0)} MB`
}

const seconds = ({ cpuMillis }: Measurement): number => cpuMillis / 1_000

/** Rows of a table about CPU: seconds, with a limit for each night of ours. */
const cpuRows = (results: Nights, atMost?: number): ReadonlyArray<Row> =>
  Array.from(results, ([name, measured]) => ({
    name,
    figures: measured.map(seconds),
    note: note(measured),
    limits: {},
    atMost: name === byHand ? undefined : atMost,
  }))

const small = (accounts: number): Size => ({ accounts, contracts: 10, keys: 2 })
const most = 10_000

async function* accountTables(times: number): AsyncGenerator<string> {
  const sizes = new Map<number, Nights>()
  for (const accounts of [100, 1_000, most])
    sizes.set(accounts, await nights(small(accounts), accounts === most ? Math.min(times, 3) : times))
  const largest = sizes.get(most)!
  const title = `${count(most)} accounts of 10 contracts and 2 keys, embedded`
  // On an otherwise idle machine, the wall time equals the processor time.
  yield print(title, "CPU s", cpuRows(largest, 20))
  yield print(
    `${title}: memory`,
    "peak RSS MB",
    Array.from(largest, ([name, measured]) => ({
      name,
      figures: measured.map(({ peakRssMegabytes }) => peakRssMegabytes),
      note: "",
      limits: {},
      atMost: name === byHand ? undefined : 350,
    })),
  )
  // The first accounts also include the engine's compilation, so growth is measured on the accounts after them.
  for (const night of [first, unchanged]) {
    const perAccount = (from: number, to: number): number =>
      (median(sizes.get(to)!.get(night)!.map(seconds)) - median(sizes.get(from)!.get(night)!.map(seconds))) /
      ((to - from) / 1_000)
    const early = "accounts 101 to 1,000"
    yield print(`Growth, ${night}`, "CPU ms an account", [
      { name: early, figures: [perAccount(100, 1_000)], note: "", limits: {} },
      {
        name: "accounts 1,001 to 10,000",
        figures: [perAccount(1_000, most)],
        note: "linear growth is 1.00",
        limits: { [early]: 1.15 },
      },
    ])
  }
}

const large: Size = { accounts: 1, contracts: 100_000, keys: 2 }

async function* largeTables(times: number): AsyncGenerator<string> {
  const results = await nights(large, times)
  yield print(`One account of ${count(large.contracts)} contracts, 100 a page`, "CPU s", cpuRows(results))
  const server = await serve(script("server.ts"), [String(large.contracts), String(large.keys)])
  yield await within(async (file) => {
    const night = (): Promise<Measurement> =>
      measure(script("night.ts"), [file("mirror.sqlite"), server.url, "1"])
    await night()
    watchWrites(file("mirror.sqlite"))
    await night()
    const { pages, removed, written } = writesOf(file("mirror.sqlite"))
    return print("Rows written in an unchanged night", "rows a page", [
      {
        name: "new or changed",
        figures: [written / pages],
        note: `${count(written)} in ${count(pages)} pages; at the end ${count(removed)} are removed again`,
        limits: {},
        atMost: 2.01,
      },
    ])
  }).finally(server.stop)
}

const contracts = 100_000

/** Milliseconds for 1,000 rows of each case, in turn. */
const rowTable = async (
  title: string,
  names: ReadonlyArray<string>,
  times: number,
  database: (name: string) => Promise<string>,
): Promise<string> => {
  const results = await rounds(names, times, async (name) =>
    measure(script("rows.ts"), [name, await database(name), String(contracts)]),
  )
  const rows = Array.from(results, ([name, measured]): Row => {
    const figures = measured.map(({ records, wallMillis }) => wallMillis / (records / 1_000))
    return { name, figures, note: `${count(Math.round(1_000_000 / median(figures)))} rows/s`, limits: {} }
  })
  return print(title, "wall ms for 1,000 rows", rows)
}

async function* rowTables(times: number): AsyncGenerator<string> {
  yield await within((file) => {
    let made = 0
    return rowTable(`${count(contracts)} rows into SQLite`, Object.values(cases.sqlite), times, async () =>
      file(`${made++}.sqlite`),
    )
  })
  if (!Postgres.hasPostgres) return
  await using server = await Postgres.start()
  let made = 0
  yield await rowTable(
    `${count(contracts)} rows into PostgreSQL, pages of 100`,
    Object.values(cases.postgres),
    times,
    () => server.database(`bench_${made++}`),
  )
}

const some: Size = { accounts: 500, contracts: 100, keys: 2 }

/** The first night of some accounts with each engine in turn. */
async function* engineTables(times: number): AsyncGenerator<string> {
  if (!Postgres.hasPostgres) return
  Peers.install()
  const service = await serve(script("server.ts"), [String(some.contracts), String(some.keys)])
  try {
    await using server = await Postgres.start()
    const { embedded, sqlite } = cases.engines
    let made = 0
    const results = await rounds(Object.values(cases.engines), times, (name) =>
      within(async (file) => {
        const isFile = name === embedded || name === sqlite
        const mirror = isFile ? file("mirror.sqlite") : await server.database(`engine_${made++}`)
        const measured = await measure(script("engines.ts"), [
          name,
          mirror,
          service.url,
          String(some.accounts),
        ])
        const records = some.accounts * (some.contracts + some.keys)
        if (measured.records !== records)
          throw new Error(`${name} saw ${measured.records} of ${records} records`)
        return measured
      }),
    )
    yield print(
      `First night of ${some.accounts} accounts of ${some.contracts} contracts and ${some.keys} keys, one process, eight accounts at once`,
      "wall s",
      Array.from(results, ([name, measured]) => ({
        name,
        figures: measured.map(({ wallMillis }) => wallMillis / 1_000),
        note: `${median(measured.map(seconds)).toFixed(1)} s of CPU without the server`,
        limits: {},
      })),
    )
  } finally {
    service.stop()
  }
}

const parts: { readonly [name: string]: (times: number) => AsyncGenerator<string> } = {
  accounts: accountTables,
  large: largeTables,
  rows: rowTables,
  engines: engineTables,
}

/** Prints the tables. */
export const bench = async ({ parts: wanted, rounds: times }: BenchOptions): Promise<void> => {
  for (const [part, made] of Object.entries(parts)) {
    if (wanted.length > 0 && !wanted.includes(part)) continue
    for await (const table of made(times)) console.log(table)
  }
}

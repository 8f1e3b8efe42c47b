/**
 * The cost of the client, compared in the same rounds with handwritten loops and the pagination of other libraries. Every table is a part: `--part
 * slope` prints one.
 */
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { measure, serve } from "../measure/Child.ts"
import type { Measurement } from "../measure/Child.ts"
import { install } from "../measure/Peers.ts"
import { rounds } from "../measure/Rounds.ts"
import { print } from "../measure/Table.ts"
import type { Row } from "../measure/Table.ts"
import { peerReads } from "./peerReads.ts"

export interface BenchOptions {
  readonly rounds: number
  /** Names of tables; empty for all. */
  readonly parts: ReadonlyArray<string>
}

const script = (name: string): string => join(import.meta.dirname, name)
const count = (number: number): string => number.toLocaleString("en")

const overFetch = "@deedkit/core over fetch"
const overHttp = "@deedkit/core over node:http"
const bareFetch = "fetch + json()"
const bareHttp = "node:http + JSON.parse"

interface Size {
  readonly contracts: number
  /** Records per page. */
  readonly page: number
}

/** Reads whole lists with each case in turn. */
const readInTurn = async (
  names: ReadonlyArray<string>,
  { contracts, page }: Size,
  times: number,
): Promise<ReadonlyMap<string, ReadonlyArray<Measurement>>> => {
  const server = await serve(script("server.ts"), [String(contracts), String(page), "0"])
  try {
    await fetch(`${server.url}/prepare`)
    return await rounds(names, times, async (name) => {
      const result = await measure(script("read.ts"), [name, server.url])
      if (result.records !== contracts)
        throw new Error(`${name} saw ${result.records} of ${contracts} contracts`)
      return result
    })
  } finally {
    server.stop()
  }
}

type Limits = { readonly [name: string]: Row["limits"] }

/** User CPU time of reads, as ratios to the first. */
const readTable = async (
  names: ReadonlyArray<string>,
  size: Size,
  times: number,
  limits: Limits,
): Promise<string> => {
  const results = await readInTurn(names, size, times)
  const rows = names.map((name): Row => {
    const figures = results.get(name)!
    const peak = Math.max(...figures.map((figure) => figure.peakRssMegabytes))
    const note = `peak RSS ${peak.toFixed(0)} MB`
    return { name, figures: figures.map((figure) => figure.cpuMillis), note, limits: limits[name] ?? {} }
  })
  const title = `Read of ${count(size.contracts)} contracts, ${size.page} a page, ${times} rounds`
  return print(title, "user CPU ms", rows)
}

/** The cost of 800,000 further records, after the engine has finished compiling. */
const slopeTable = async (times: number): Promise<string> => {
  const names = [bareHttp, overHttp]
  const small = await readInTurn(names, { contracts: 200_000, page: 500 }, times)
  const large = await readInTurn(names, { contracts: 1_000_000, page: 500 }, times)
  const rows = names.map((name): Row => ({
    name,
    figures: large.get(name)!.map(({ cpuMillis }, round) => cpuMillis - small.get(name)![round]!.cpuMillis),
    note: "",
    limits: name === overHttp ? { [bareHttp]: 1.15 } : {},
  }))
  return print(`From 200,000 to 1,000,000 contracts, 500 a page, ${times} rounds`, "user CPU ms", rows)
}

/** The client must be faster than every other library, for lists of any length. */
const peersTable = async (pages: number, times: number): Promise<string> => {
  const peers = Object.keys(peerReads)
  const ahead = Object.fromEntries(peers.map((name) => [name, 1]))
  return readTable([bareFetch, ...peers, overHttp], { contracts: pages * 100, page: 100 }, times, {
    [overHttp]: ahead,
  })
}

const lookupTable = async (times: number): Promise<string> => {
  const server = await serve(script("server.ts"), ["1000", "100", "1"])
  const name = "40 lookups at once, from cold"
  const results = await rounds([name], times, () => measure(script("lookups.ts"), [server.url]))
  server.stop()
  const figures = results.get(name)!.map(({ wallMillis }) => wallMillis)
  return print("Lookups by id, a server that answers in 1 ms", "wall ms", [
    { name, figures, note: "", limits: {}, atMost: 300 },
  ])
}

const busyTable = async (times: number): Promise<string> => {
  const server = await serve(script("server.ts"), ["20000", "100", "20"])
  const names = ["chain", "@deedkit/core"]
  const results = await rounds(names, times, (name) => measure(script("busy.ts"), [name, server.url]))
  server.stop()
  const rows = names.map((name): Row => ({
    name: name === "chain" ? "requests one after the other, no work" : "@deedkit/core, 10 ms of work a page",
    figures: results.get(name)!.map((figure) => figure.wallMillis),
    note: "",
    limits: name === "chain" ? {} : { "requests one after the other, no work": 1.02 },
  }))
  return print("Wall time with a 20 ms server, 200 pages of 100", "wall ms", rows)
}

const memoryTable = async (times: number): Promise<string> => {
  const names = [bareHttp, overHttp]
  const results = await readInTurn(names, { contracts: 2_000_000, page: 500 }, times)
  const rows = names.map((name): Row => ({
    name,
    figures: results.get(name)!.map(({ peakRssMegabytes }) => peakRssMegabytes),
    note: "",
    limits: name === overHttp ? { [bareHttp]: 1.05 } : {},
  }))
  return print("Peak memory of a read of 2,000,000 contracts", "peak RSS MB", rows)
}

const checkTable = (size: number): string => {
  const flags = ["--conditions=@deedkit/source", "--disallow-code-generation-from-strings"]
  const { stdout } = spawnSync(process.execPath, [...flags, script("checks.ts"), String(size)], {
    encoding: "utf8",
  })
  const figures: ReadonlyArray<{ readonly parse: number; readonly check: number }> = JSON.parse(stdout)
  const parse = "JSON.parse"
  return print(
    `Checks of a page of ${size} beside its parsing, code from strings forbidden`,
    "CPU µs a page",
    [
      { name: parse, figures: figures.map((figure) => figure.parse), note: "", limits: {} },
      {
        name: "isContract on each record",
        figures: figures.map((figure) => figure.check),
        note: "",
        limits: { [parse]: 0.15 },
      },
    ],
  )
}

/** Tables by the name of their part. */
const tables: { readonly [part: string]: (times: number) => Iterable<Promise<string> | string> } = {
  *short(times) {
    const limits = { [overHttp]: { [bareHttp]: 1.6 } }
    yield readTable([bareHttp, overHttp], { contracts: 20_000, page: 500 }, times * 2, limits)
    yield readTable([bareHttp, overHttp], { contracts: 20_000, page: 100 }, times * 2, limits)
  },
  *long(times) {
    const names = [bareFetch, bareHttp, overFetch, overHttp]
    for (const [page, limit] of [
      [500, 0.85],
      [100, 0.8],
    ] as const) {
      yield readTable(names, { contracts: 200_000, page }, times, { [overHttp]: { [bareFetch]: limit } })
    }
  },
  *slope(times) {
    yield slopeTable(times)
  },
  *fetch(times) {
    const limits = { [overFetch]: { [bareFetch]: 1.15 } }
    yield readTable([bareFetch, overFetch], { contracts: 1_000_000, page: 500 }, times, limits)
  },
  *peers(times) {
    install()
    for (const pages of [1, 40, 400, 2_000]) yield peersTable(pages, pages > 40 ? times : times * 2)
  },
  *memory(times) {
    yield memoryTable(Math.min(times, 3))
  },
  *lookups(times) {
    yield lookupTable(times)
  },
  *busy(times) {
    yield busyTable(times)
  },
  *checks() {
    yield checkTable(500)
  },
  *sizes() {
    yield import("./size.ts").then(({ sizeTable }) => sizeTable())
  },
}

/** Prints the tables. */
export const bench = async ({ parts, rounds: times }: BenchOptions): Promise<void> => {
  for (const [part, made] of Object.entries(tables)) {
    if (parts.length > 0 && !parts.includes(part)) continue
    for (const table of made(times)) console.log(await table)
  }
}

/**
 * What the client costs, against the loops that people write themselves and the paging of other libraries, in the same rounds.
 */
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { measure, serve } from "../measure/Child.ts"
import { install } from "../measure/Peers.ts"
import { rounds } from "../measure/Rounds.ts"
import { print } from "../measure/Table.ts"
import type { Row } from "../measure/Table.ts"
import { peerReads } from "./peerReads.ts"
import { sizeTable } from "./size.ts"
import { readings } from "./reads.ts"

export interface BenchOptions {
  readonly rounds: number
  readonly contracts: number
}

const script = (name: string): string => join(import.meta.dirname, name)

/** Limits as ratios: of which peer, and at most how much. */
const limits: { readonly [name: string]: { readonly [peer: string]: number } } = {
  "@deedkit/core over fetch": { "fetch + json()": 1.08 },
  "@deedkit/core over node:http": {
    "fetch + json()": 0.7,
    "stripe-node autopager": 0.65,
    "openai-node autopager": 0.45,
    "got.paginate": 0.45,
    "octokit paginate.iterator": 0.25,
  },
}

const readingTable = async ({ contracts, rounds: count }: BenchOptions, size: number): Promise<string> => {
  const server = await serve(script("server.ts"), [String(contracts), String(size), "0"])
  await fetch(`${server.url}/prepare`)
  const names = [...Object.keys(readings), ...Object.keys(peerReads)]
  const results = await rounds(names, count, async (name) => {
    const result = await measure(script("read.ts"), [name, server.url])
    if (result.records !== contracts)
      throw new Error(`${name} saw ${result.records} of ${contracts} contracts`)
    return result
  })
  server.stop()
  const rows = names.map((name): Row => {
    const figures = results.get(name)!
    const peak = Math.max(...figures.map((figure) => figure.peakRssMegabytes))
    const note = `peak RSS ${peak.toFixed(0)} MB`
    return { name, figures: figures.map((figure) => figure.cpuMillis), note, limits: limits[name] ?? {} }
  })
  const title = `Read of ${contracts.toLocaleString("en")} contracts, ${size} a page, ${count} rounds`
  return print(title, "user CPU ms", rows)
}

const busyTable = async ({ rounds: count }: BenchOptions): Promise<string> => {
  const server = await serve(script("server.ts"), ["20000", "100", "20"])
  const names = ["chain", "@deedkit/core"]
  const results = await rounds(names, count, (name) => measure(script("busy.ts"), [name, server.url]))
  server.stop()
  const rows = names.map((name): Row => ({
    name: name === "chain" ? "requests one after the other, no work" : "@deedkit/core, 10 ms of work a page",
    figures: results.get(name)!.map((figure) => figure.wallMillis),
    note: "",
    limits: name === "chain" ? {} : { "requests one after the other, no work": 1.02 },
  }))
  return print("Wall time with a 20 ms server, 200 pages of 100", "wall ms", rows)
}

const memoryTable = async (): Promise<string> => {
  const names = ["node:http + JSON.parse", "@deedkit/core over node:http"]
  const rows: Array<Row> = []
  for (const contracts of [20_000, 2_000_000]) {
    const server = await serve(script("server.ts"), [String(contracts), "500", "0"])
    for (const name of names) {
      const { peakRssMegabytes } = await measure(script("read.ts"), [name, server.url])
      const small = `${name}, 20,000 records`
      rows.push({
        name: `${name}, ${contracts.toLocaleString("en")} records`,
        figures: [peakRssMegabytes],
        note: "",
        limits: contracts === 20_000 ? {} : { [small]: 1.15 },
      })
    }
    server.stop()
  }
  return print("Peak memory of a read", "peak RSS MB", rows)
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

/** Prints the tables. */
export const bench = async (options: BenchOptions): Promise<void> => {
  install()
  for (const size of [500, 100]) console.log(await readingTable(options, size))
  console.log(checkTable(500))
  console.log(await busyTable(options))
  console.log(await memoryTable())
  // Last, because a bundler makes this process large, and a child's peak begins with its parent's size.
  console.log(await sizeTable())
}

/**
 * How the benches measure: each case in a process of its own, cases in turn, and a table of the ratios of each round, so that other load on the
 * machine affects both sides. On Linux with `taskset`, the server is pinned to one processor and the client to another.
 */
import { spawn, spawnSync } from "node:child_process"
import { closeSync, existsSync, openSync, readFileSync, writeSync } from "node:fs"
import { createRequire } from "node:module"
import { availableParallelism } from "node:os"
import { dirname, join, resolve } from "node:path"
import { createInterface } from "node:readline"
import { pathToFileURL } from "node:url"

/** What was asked for on the command line. */
export interface Options {
  readonly rounds: number
  /** Sizes of the files that are written; empty for the usual ones. */
  readonly rows: ReadonlyArray<number>
  /** Names of parts; empty for all. */
  readonly parts: ReadonlyArray<string>
}

/** The tables of a bench, by the name of their part. */
export interface Parts {
  readonly [part: string]: (options: Options) => AsyncGenerator<string>
}

/** The tables of the chosen parts. */
export async function* tablesOf(parts: Parts, options: Options): AsyncGenerator<string> {
  const wanted = options.parts.length === 0 ? Object.keys(parts) : options.parts
  const unknown = wanted.filter((part) => parts[part] === undefined)
  if (unknown.length > 0)
    throw new Error(`There is no part "${unknown.join(", ")}"; there is: ${Object.keys(parts).join(", ")}.`)
  for (const [part, tables] of Object.entries(parts)) if (wanted.includes(part)) yield* tables(options)
}

/** The result that a case prints as its last line, as JSON. */
export interface Measurement {
  readonly records: number
  /** User and system time of all threads. */
  readonly cpuMillis: number
  readonly userMillis?: number
  /** Processor time from the start of the process, without the preparation of the case. */
  readonly processMillis?: number
  readonly wallMillis: number
  readonly peakRssMegabytes: number
  /** Number of bytes written, if a case writes any. */
  readonly bytes?: number
}

/**
 * Peak memory since the program began. The value of `resourceUsage` starts with the size of the parent process, so on Linux the memory of the program
 * alone is read from the system.
 */
const peakRssMegabytes = (): number => {
  const status = process.platform === "linux" ? readFileSync("/proc/self/status", "utf8") : ""
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]
  return (kilobytes === undefined ? process.resourceUsage().maxRSS : Number(kilobytes)) / 1_024
}

/** Starts to measure a case in its process. The returned function prints the measurement. `apart` is excluded from `processMillis`. */
export const start = (apart = 0) => {
  const wallBefore = performance.now()
  const before = process.cpuUsage()
  return (counts: { readonly records: number; readonly bytes?: number }): void => {
    const { system, user } = process.cpuUsage(before)
    const whole = process.cpuUsage()
    const measurement: Measurement = {
      ...counts,
      cpuMillis: (user + system) / 1_000,
      userMillis: user / 1_000,
      processMillis: (whole.user + whole.system) / 1_000 - apart,
      wallMillis: performance.now() - wallBefore,
      peakRssMegabytes: peakRssMegabytes(),
    }
    console.log(JSON.stringify(measurement))
  }
}

/** A file that takes all bytes that it is given. */
export const fileAt = (path: string) => {
  const file = openSync(path, "w")
  const put = (bytes: Uint8Array): void => {
    for (let at = 0; at < bytes.byteLength;) at += writeSync(file, bytes, at)
  }
  return { put, close: () => closeSync(file) }
}

const isPinned = availableParallelism() > 1 && spawnSync("taskset", ["--version"]).status === 0

const launch = (command: ReadonlyArray<string>, processor: 0 | 1) => {
  const [program = "", ...args] = isPinned ? ["taskset", "-c", String(processor), ...command] : command
  return spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] })
}

/** The command that runs a program of this bench: a file beside this one, or a bundle. */
const node = (program: string, args: ReadonlyArray<string>): ReadonlyArray<string> => [
  process.execPath,
  "--conditions=@deedkit/source",
  resolve(import.meta.dirname, program),
  ...args,
]

/** Runs a program to its end and reads its measurement. */
export const measureProgram = async (command: ReadonlyArray<string>): Promise<Measurement> => {
  const child = launch(command, 0)
  let text = ""
  child.stdout.setEncoding("utf8").on("data", (part: string) => (text += part))
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve))
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}`)
  return JSON.parse(text.trim().split("\n").at(-1) ?? "null")
}

/** The same for a program of this bench. */
export const measure = (program: string, ...args: ReadonlyArray<string>): Promise<Measurement> =>
  measureProgram(node(program, args))

/** Starts `service.ts`, which prints its URL as its first line. */
export const serve = async (
  ...args: ReadonlyArray<number>
): Promise<AsyncDisposable & { readonly url: string }> => {
  const child = launch(node("service.ts", args.map(String)), 1)
  const url = await new Promise<string>((ready, reject) => {
    createInterface(child.stdout).once("line", ready)
    child.once("close", () => reject(new Error("The service ended before it was ready.")))
  })
  return { url, [Symbol.asyncDispose]: async () => void child.kill() }
}

export type Results = ReadonlyMap<string, ReadonlyArray<Measurement>>

/** Runs every case once per round, each round in a different order. */
export const rounds = async (
  names: ReadonlyArray<string>,
  count: number,
  run: (name: string) => Promise<Measurement>,
): Promise<Results> => {
  const results = new Map<string, Array<Measurement>>(names.map((name) => [name, []]))
  for (let round = 0; round < count; round++) {
    const order = names.map((_, index) => names[(index + round) % names.length]!)
    for (const name of order) results.get(name)!.push(await run(name))
  }
  return results
}

/** The nearest parent folder that is the workspace root: this file also runs as part of a bundle in another folder. */
const rootAbove = (folder: string): string =>
  existsSync(join(folder, "pnpm-workspace.yaml")) ? folder : rootAbove(dirname(folder))

const peers = join(rootAbove(import.meta.dirname), "tooling", "bench", "peers")

/** Installs the libraries that people would use instead. They have their own lockfile, so that Deedkit does not depend on them. */
export const installPeers = (): void => {
  const command = ["-y", "pnpm@12", "install", "--ignore-workspace", "--frozen-lockfile", "--silent"]
  const options = { cwd: peers, stdio: ["ignore", 2, 2] as Array<"ignore" | number> }
  const { status } = spawnSync("npx", command, { ...options, shell: process.platform === "win32" })
  if (status !== 0) throw new Error("The peers could not be installed: is the registry in reach?")
}

/** Imports one of them. */
export const peer = async <A>(name: string): Promise<A> =>
  (await import(pathToFileURL(createRequire(join(peers, "package.json")).resolve(name)).href)) as A

/** A line of a table. */
export interface Row {
  readonly name: string
  /** One figure per round, in the same order for every row; empty if a case could not be run. */
  readonly figures: ReadonlyArray<number>
  readonly note?: string
  /** Limits by the name of the peer's row. */
  readonly limits?: { readonly [peer: string]: number } | undefined
  /** The limit of the figure itself, in the table's unit. */
  readonly atMost?: number | undefined
}

export const median = (figures: ReadonlyArray<number>): number => {
  const sorted = figures.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** The largest peak of some measurements. */
export const peakOf = (found: ReadonlyArray<Measurement>): string =>
  `peak RSS ${Math.max(...found.map((one) => one.peakRssMegabytes)).toFixed(0)} MB`

export const count = (number: number): string => number.toLocaleString("en")
const short = (figure: number): string => figure.toFixed(figure < 10 && figure % 1 !== 0 ? 2 : 0)
export const verdict = (isMet: boolean): string => (isMet ? "met" : "MISSED")

/** The median of the ratios of each round, and their spread: other load on the machine affects both. */
const ratioOf = (row: Row, peerRow: Row): { readonly value: number; readonly text: string } => {
  const all = row.figures.map((figure, round) => figure / peerRow.figures[round]!)
  const spread = `${Math.min(...all).toFixed(2)}-${Math.max(...all).toFixed(2)}`
  const value = median(all)
  return { value, text: value.toFixed(2) + (all.length < 2 || row === peerRow ? "" : ` (${spread})`) }
}

/** A Markdown table; ratios are to the first row unless a limit names another peer. */
export const print = (title: string, unit: string, rows: ReadonlyArray<Row>): string => {
  const isMeasured = ({ figures }: Row): boolean => figures.length > 0
  const limitsOf = (row: Row): ReadonlyArray<string> => {
    const figure = median(row.figures)
    const own =
      row.atMost === undefined
        ? []
        : [`${short(figure)} ${unit}, limit ${short(row.atMost)}: ${verdict(figure <= row.atMost)}`]
    const ofPeers = Object.entries(row.limits ?? {}).map(([name, limit]) => {
      const peerRow = rows.find((one) => one.name === name)
      if (peerRow === undefined || !isMeasured(peerRow))
        return `${name} was not measured, limit ${limit.toFixed(2)}x`
      const { text, value } = ratioOf(row, peerRow)
      return (
        text.replace(/^[\d.]+/, "$&x") + ` of ${name}, limit ${limit.toFixed(2)}x: ${verdict(value <= limit)}`
      )
    })
    return [...own, ...ofPeers]
  }
  const lines = rows.map((row) => {
    const figures = isMeasured(row)
      ? [short(median(row.figures)), ratioOf(row, rows[0]!).text, row.note ?? "", limitsOf(row).join("; ")]
      : ["", "", row.note ?? "", ""]
    return `| ${[row.name, ...figures].join(" | ")} |`
  })
  const heading = `| case | ${unit} (median) | ratio | notes | limits |`
  return [`### ${title}`, "", heading, "|---|---|---|---|---|", ...lines, ""].join("\n")
}

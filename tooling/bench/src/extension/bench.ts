/**
 * The duration of operations that users wait for in the extension, in a real Chromium, with an index of 100,000 contracts; exports of 50,000
 * contracts; and the size of the packages. Each figure is shown with its limit. The extension's own driver measures in a separate process, which
 * starts the browser under test.
 */
import { spawn } from "node:child_process"
import { availableParallelism, loadavg } from "node:os"
import { join } from "node:path"
import { median } from "../measure/Table.ts"

interface Options {
  /** Parts to measure; empty for all: freshness, sizes, lookups, searches, popup, pages, fill, exports. */
  readonly parts: ReadonlyArray<string>
}

interface Limit {
  /** Limit of the median: a maximum, or a minimum for rows per second. */
  readonly limit: number
  /** Whether the limit also applies to every single figure. */
  readonly isForEach?: boolean
}

const contracts = 100_000

const each = (limit: number): Limit => ({ limit, isForEach: true })

const limits: { readonly [name: string]: Limit } = {
  "lookup, warm": { limit: 2 },
  "lookup, warm, from a page and back": { limit: 15 },
  "lookup, background killed": { limit: 150 },
  "query, latest updates": { limit: 10 },
  "query, counts of everything": { limit: 10 },
  "query, unit": { limit: 10 },
  "query, city": { limit: 10 },
  "query, status": { limit: 10 },
  "query, id": { limit: 5 },
  "free text, one word": { limit: 60 },
  "free text, two words": { limit: 60 },
  "free text, listing": { limit: 60 },
  "free text, nothing found": { limit: 60 },
  "popup, first rows, over a blank page": { limit: 15 },
  "popup, first rows painted, 4x slower processor, over a blank page": { limit: 100 },
  "1,000 links read and answered, main thread of the page": { limit: 16 },
  "scan of 1,000 links": { limit: 2 },
  "cards of 1,000 links": { limit: 15 },
  "marks in view, first frame": { limit: 5 },
  "marks in view, frame of a scrolled page": each(50),
  "memory of 2,000 marks in a page": { limit: 4 },
  fill: { limit: 5_000 },
  "fill, transaction": each(100),
  "50,000 contracts to CSV": { limit: 1_000 },
  "50,000 contracts to CSV, longest pause of the page": each(50),
  "50,000 contracts to XLSX": { limit: 6_000 },
  "50,000 contracts to XLSX, longest pause of the page": each(50),
  "50,000 contracts to XLSX, memory at most": { limit: 300 },
  "requests an hour, 100,000 unchanged contracts": { limit: 5 },
  "content script, packed": { limit: 6.144 },
  "content script's marks, packed": { limit: 6.144 },
  "content script's details, packed": { limit: 6.144 },
  "popup's scripts, packed": { limit: 16.384 },
  "background, packed": { limit: 61.44 },
}

/** Limits of both packages, whose names contain the version. */
const limitOf = (name: string): Limit | undefined => {
  if (name.endsWith(".zip")) return { limit: 450 }
  if (name.endsWith(".zip, without exceljs")) return { limit: 150 }
  return limits[name]
}

const app = join(import.meta.dirname, "..", "..", "..", "..", "apps", "extension")

interface Finding {
  readonly unit: "ms" | "rows/s" | "MB" | "kB" | "requests"
  readonly figures: ReadonlyArray<number>
}

type Findings = { readonly [name: string]: Finding }

const measure = async (parts: ReadonlyArray<string>): Promise<Findings> => {
  const program = join(app, "test", "speed", "measure.ts")
  const args = ["--conditions=@deedkit/source", program, String(contracts), ...parts]
  const child = spawn(process.execPath, args, { cwd: app, stdio: ["ignore", "pipe", "inherit"] })
  let text = ""
  child.stdout.setEncoding("utf8").on("data", (part: string) => (text += part))
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve))
  if (code !== 0) throw new Error(`The extension could not be measured: the program ended with ${code}.`)
  return JSON.parse(text.trim().split("\n").at(-1) ?? "{}") as Findings
}

const number = (figure: number): string =>
  figure >= 100 ? Math.round(figure).toLocaleString("en") : figure.toFixed(1)

const verdict = ({ figures, unit }: Finding, { isForEach = false, limit }: Limit): string => {
  const isMet = unit === "rows/s" ? (figure: number) => figure >= limit : (figure: number) => figure <= limit
  const judged = isForEach ? figures : [median(figures)]
  const word = unit === "rows/s" ? "at least" : "at most"
  return `${word} ${number(limit)}${isForEach ? " each" : ""}: ${judged.every(isMet) ? "met" : "MISSED"}`
}

const row = ([name, finding]: readonly [string, Finding]): string => {
  const { figures, unit } = finding
  const limit = limitOf(name)
  const cells = [
    name,
    unit,
    number(median(figures)),
    number(Math.min(...figures)),
    number(Math.max(...figures)),
    String(figures.length),
    limit === undefined ? "" : verdict(finding, limit),
  ]
  return `| ${cells.join(" | ")} |`
}

/** The load of the machine, which affects every figure here, because a browser cannot report processor time. */
const load = (): string => (loadavg()[0] ?? 0).toFixed(1)

export const bench = async ({ parts }: Options): Promise<void> => {
  const before = load()
  const found = await measure(parts)
  const lines = [
    `### The extension in Chromium, ${contracts.toLocaleString("en")} contracts`,
    "",
    "| what | unit | median | least | most | times | limit |",
    "|---|---|---|---|---|---|---|",
    ...Object.entries(found).map(row),
    "",
    "Requests are those of a service that lists the latest updates first, in an hour in which not everything is read. Lookups are of 1,000 path segments, half of them listings. Times inside the background, unless stated otherwise. Of 1,000 cards that have marks drawn, 40 are in view; every other one has a contract, and the page was painted before. The read goes as fast as",
    "the client's pace lets it, which rises to 20 requests a second. Memory is the private memory of the process of all pages and workers of",
    "the extension, which also holds what was left of the export before. kB are 1,000 bytes.",
    `Load of the machine: ${before} before and ${load()} after, on ${availableParallelism()} processors.`,
  ]
  console.log(lines.join("\n"))
}

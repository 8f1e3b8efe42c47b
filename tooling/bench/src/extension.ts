/**
 * The duration of operations that users wait for in the extension, in a real Chromium, with an index of 100,000 contracts; exports of 50,000
 * contracts; and the size of the packages. Each figure is shown with its limit. The extension's own driver measures in a separate process, which
 * starts the browser under test.
 */
import { spawn } from "node:child_process"
import { availableParallelism, loadavg } from "node:os"
import { join } from "node:path"
import { count, median, verdict } from "./measure.ts"
import type { Options } from "./measure.ts"

const contracts = 100_000

/** Limits of the median: a maximum, or a minimum for rows per second. */
const limits: { readonly [name: string]: number } = {
  "lookup, warm": 2,
  "lookup, warm, from a page and back": 15,
  "lookup, background killed": 150,
  "query, latest updates": 10,
  "query, counts of everything": 10,
  "query, unit": 10,
  "query, city": 10,
  "query, status": 10,
  "query, id": 5,
  "free text, one word": 60,
  "free text, two words": 60,
  "free text, listing": 60,
  "free text, nothing found": 60,
  "free text, the first of a popup that has shown its rows": 60,
  "popup, first rows, over a blank page": 15,
  "popup, first rows painted, 4x slower processor, over a blank page": 100,
  "1,000 links read and answered, main thread of the page": 16,
  "scan of 1,000 links": 2,
  "cards of 1,000 links": 15,
  "marks in view, first frame": 5,
  "memory of 2,000 marks in a page": 4,
  "a page of 600 cards scrolled with marks, over the page alone": 2.5,
  fill: 5_000,
  "50,000 contracts to CSV": 1_000,
  "50,000 contracts to XLSX": 6_000,
  "50,000 contracts to XLSX, memory at most": 300,
  "requests an hour, 100,000 unchanged contracts": 5,
  "content script, packed": 11,
  "content script's details, packed": 8,
  "popup's scripts, packed": 20,
  "background, packed": 98.304,
}

/** Limits of every single figure. */
const limitsOfEach: { readonly [name: string]: number } = {
  "marks in view, frame of a scrolled page": 50,
  "fill, transaction": 100,
  "50,000 contracts to CSV, longest pause of the page": 50,
  "50,000 contracts to XLSX, longest pause of the page": 50,
}

/** The limits of both packages, whose names contain the version, are by the end of the name. */
const limitOf = (name: string): number | undefined =>
  name.endsWith(".zip") ? 450 : name.endsWith(".zip, without exceljs") ? 320 : limits[name]

const app = join(import.meta.dirname, "..", "..", "..", "apps", "extension")

interface Finding {
  readonly unit: "ms" | "rows/s" | "MB" | "kB" | "requests" | "times"
  readonly figures: ReadonlyArray<number>
}

const measure = async (parts: ReadonlyArray<string>): Promise<{ readonly [name: string]: Finding }> => {
  const program = join(app, "test", "speed", "measure.ts")
  const args = ["--conditions=@deedkit/source", program, String(contracts), ...parts]
  const child = spawn(process.execPath, args, { cwd: app, stdio: ["ignore", "pipe", "inherit"] })
  let text = ""
  child.stdout.setEncoding("utf8").on("data", (part: string) => (text += part))
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve))
  if (code !== 0) throw new Error(`The extension could not be measured: the program ended with ${code}.`)
  return JSON.parse(text.trim().split("\n").at(-1) ?? "{}")
}

const number = (figure: number): string => (figure >= 100 ? count(Math.round(figure)) : figure.toFixed(1))

const judged = (name: string, { figures, unit }: Finding): string => {
  const ofEach = limitsOfEach[name]
  const limit = ofEach ?? limitOf(name)
  if (limit === undefined) return ""
  const isMet = (figure: number): boolean => (unit === "rows/s" ? figure >= limit : figure <= limit)
  const word = unit === "rows/s" ? "at least" : "at most"
  const all = ofEach === undefined ? [median(figures)] : figures
  return `${word} ${number(limit)}${ofEach === undefined ? "" : " each"}: ${verdict(all.every(isMet))}`
}

/** The load of the machine, which affects every figure here, because a browser cannot report processor time. */
const load = (): string => (loadavg()[0] ?? 0).toFixed(1)

export async function* bench({ parts }: Options): AsyncGenerator<string> {
  const before = load()
  const lines = Object.entries(await measure(parts)).map(([name, finding]) => {
    const { figures, unit } = finding
    const spread = [median(figures), Math.min(...figures), Math.max(...figures)].map(number)
    return `| ${[name, unit, ...spread, figures.length, judged(name, finding)].join(" | ")} |`
  })
  yield [
    `### The extension in Chromium, ${count(contracts)} contracts`,
    "",
    "| what | unit | median | least | most | times | limit |",
    "|---|---|---|---|---|---|---|",
    ...lines,
    "",
    "Requests are those of a service that lists the latest updates first, in an hour in which not everything is read. Lookups are of 1,000 path segments, half of them listings. Times inside the background, unless stated otherwise. Of 1,000 cards that have marks drawn, 40 are in view; every other one has a contract, and the page was painted before. The read goes as fast as",
    "the client's pace lets it, which rises to 20 requests a second. Memory is the private memory of the process of all pages and workers of",
    "the extension, which also holds what was left of the export before. kB are 1,000 bytes.",
    `Load of the machine: ${before} before and ${load()} after, on ${availableParallelism()} processors.`,
  ].join("\n")
}

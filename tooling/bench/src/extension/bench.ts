/**
 * What the extension takes for what people wait for, in a real Chromium, over an index of 100,000 contracts, each figure beside its limit. The
 * measuring is done by the extension's own driver, in a process of its own: the browser under test is started there.
 */
import { spawn } from "node:child_process"
import { availableParallelism, loadavg } from "node:os"
import { join } from "node:path"
import { median } from "../Table.ts"

interface Options {
  /** Parts to measure, all of them when empty: lookUps, searches, pages, fill. */
  readonly parts: ReadonlyArray<string>
}

interface Limit {
  readonly unit: "ms" | "rows/s"
  /** The median may not pass it: above for milliseconds, below for rows a second. */
  readonly limit: number
  /** Whether no single time may pass it either. */
  readonly isForEach?: boolean
}

const contracts = 100_000

const limits: { readonly [name: string]: Limit } = {
  "look-up, warm": { unit: "ms", limit: 2 },
  "look-up, warm, from a page and back": { unit: "ms", limit: 15 },
  "look-up, background killed": { unit: "ms", limit: 150 },
  "query, latest updates": { unit: "ms", limit: 10 },
  "query, unit": { unit: "ms", limit: 10 },
  "query, city": { unit: "ms", limit: 10 },
  "query, status": { unit: "ms", limit: 10 },
  "query, id": { unit: "ms", limit: 10 },
  "free text, one word": { unit: "ms", limit: 60 },
  "free text, two words": { unit: "ms", limit: 60 },
  "free text, listing": { unit: "ms", limit: 60 },
  "free text, nothing found": { unit: "ms", limit: 60 },
  "scan of 1,000 links": { unit: "ms", limit: 2 },
  "500 badges with layout": { unit: "ms", limit: 15 },
  "500 badges, longest task": { unit: "ms", limit: 50, isForEach: true },
  "fill, rows/s": { unit: "rows/s", limit: 5_000 },
  "fill, transaction": { unit: "ms", limit: 100, isForEach: true },
}

const app = join(import.meta.dirname, "..", "..", "..", "..", "apps", "extension")

type Findings = { readonly [name: string]: ReadonlyArray<number> }

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

const verdict = (figures: ReadonlyArray<number>, { isForEach = false, limit, unit }: Limit): string => {
  const isMet = unit === "ms" ? (figure: number) => figure <= limit : (figure: number) => figure >= limit
  const judged = isForEach ? figures : [median(figures)]
  const word = unit === "ms" ? "at most" : "at least"
  return `${word} ${number(limit)}${isForEach ? " each" : ""}: ${judged.every(isMet) ? "met" : "MISSED"}`
}

const row = ([name, figures]: readonly [string, ReadonlyArray<number>]): string => {
  const limit = limits[name]
  const cells = [
    name,
    number(median(figures)),
    number(Math.min(...figures)),
    number(Math.max(...figures)),
    String(figures.length),
    limit === undefined ? "" : verdict(figures, limit),
  ]
  return `| ${cells.join(" | ")} |`
}

/** What else the machine does is in every figure here, because a browser cannot tell processor time. */
const load = (): string => (loadavg()[0] ?? 0).toFixed(1)

export const bench = async ({ parts }: Options): Promise<void> => {
  const before = load()
  const found = await measure(parts)
  const lines = [
    `### The extension in Chromium, ${contracts.toLocaleString("en")} contracts, ms unless the name says rows/s`,
    "",
    "| what | median | least | most | times | limit |",
    "|---|---|---|---|---|---|",
    ...Object.entries(found).map(row),
    "",
    "Look-ups are of 1,000 path segments, half of them listings. Times inside the background, unless said otherwise. The walk goes as fast as",
    "the client's pace lets it, which rises to 20 requests a second.",
    `Load of the machine: ${before} before and ${load()} after, on ${availableParallelism()} processors.`,
  ]
  console.log(lines.join("\n"))
}

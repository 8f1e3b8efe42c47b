/**
 * A workbook written in a page of Chromium, with the code for browsers, where the page's policy forbids everything but its own scripts: no
 * code from strings, no workers, no other hosts.
 */
import { spawn, spawnSync } from "node:child_process"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import type { IncomingMessage } from "node:http"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { contracts, TableWriter } from "@deedkit/export"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { rolldown } from "rolldown"
import { afterAll, beforeAll, expect, it } from "vitest"
import { writer } from "../src/XlsxWriter.ts"
import type { Outcome } from "./browser/page.ts"
import { pagesOf } from "./browser/records.ts"
import { cellsOf, partsOf } from "./Tables.ts"

const chromium = ["chromium", "chromium-browser", "google-chrome"].find(
  (name) => spawnSync(name, ["--version"], { stdio: "ignore" }).status === 0,
)
const withChromium = process.env["DEEDKIT_REQUIRE_BROWSERS"] === "1" || chromium !== undefined
if (!withChromium) console.warn("SKIPPED: no Chromium is installed, so no workbook is written in a page.")

const rows = 5_000
const policy = "default-src 'none'; script-src 'self'; connect-src 'self'"
const html =
  '<!doctype html><title>workbook</title><script>inlineRan = true</script><script type="module" src="/page.js"></script>'
let folder = ""

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "deedkit-xlsx-"))
  const bundle = await rolldown({
    input: join(import.meta.dirname, "browser", "page.ts"),
    platform: "browser",
    resolve: { conditionNames: ["@deedkit/source", "browser", "import", "default"] },
  })
  await bundle.write({ file: join(folder, "page.js"), format: "esm", codeSplitting: false })
})
// Some processes of a browser that has ended still write to its profile for a moment.
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const parts: Array<Uint8Array> = []
  for await (const part of request) parts.push(part as Uint8Array)
  return Buffer.concat(parts)
}

/** Serves the page under its policy, gathers the chunks, and hands out what the page reports. */
const serve = async () => {
  const chunks: Array<Buffer> = []
  let report: (outcome: Outcome | string) => void
  const reported = new Promise<Outcome | string>((resolve) => (report = resolve))
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost")
    response.setHeader("content-security-policy", policy)
    if (pathname === "/chunk") chunks.push(await bodyOf(request))
    if (pathname === "/report") report(JSON.parse(String(await bodyOf(request))))
    if (pathname === "/page.js") {
      response.setHeader("content-type", "text/javascript")
      response.end(await readFile(join(folder, "page.js")))
    } else {
      response.setHeader("content-type", "text/html")
      response.end(pathname === "/" ? html : "")
    }
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/?rows=${rows}`,
    reported,
    chunks,
    close: () => server.close(),
  }
}

/** Opens the page in a window of its own, until the work with it is done. */
const inChromium = async <A>(url: string, work: () => Promise<A>): Promise<A> => {
  const args = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--enable-precise-memory-info",
    `--user-data-dir=${join(folder, "profile")}`,
    url,
  ]
  const window = spawn(chromium ?? "chromium", args, { stdio: "ignore" })
  const ended = new Promise((resolve) => window.once("close", resolve))
  try {
    return await work()
  } finally {
    window.kill()
    await ended
  }
}

it.runIf(withChromium)(
  "a page that may run no code from strings writes the workbook that Node writes, in chunks and in little memory",
  async () => {
    const server = await serve()
    const outcome = await inChromium(server.url, () => server.reported).finally(server.close)
    expect(outcome).toEqual({
      peakHeapMegabytes: expect.any(Number),
      violations: [],
      inline: false,
    })
    const { peakHeapMegabytes } = outcome as Outcome
    expect(peakHeapMegabytes).toBeLessThan(300)
    expect(server.chunks.length).toBeGreaterThan(10)

    const bytes = Buffer.concat(server.chunks)
    const inNode = TableWriter.bytes(writer(), contracts, Stream.fromIterable(pagesOf(rows)))
    const expected = Buffer.concat(await Effect.runPromise(Stream.runCollect(inNode)))
    expect(Object.keys(partsOf(bytes)).length).toBeGreaterThan(5)
    expect(partsOf(bytes)).toEqual(partsOf(expected))

    const cells = cellsOf(bytes)
    expect(cells.length).toBe(rows)
    expect(cells.map(([id]) => id)).toEqual(Array.from({ length: rows }, (_, at) => at + 1))
    expect(cells[1]?.slice(0, 7)).toEqual([2, "active", "rent", "002", "=1+1", "Χανιά", "Old port"])
  },
  60_000,
)

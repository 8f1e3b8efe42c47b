/**
 * Writes a workbook in a page of Chromium whose policy forbids code from strings. Measures the memory and counts the rows of the resulting file.
 */
import { spawn, spawnSync } from "node:child_process"
import { appendFileSync, readFileSync } from "node:fs"
import type { IncomingMessage } from "node:http"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { print } from "../../measure/Table.ts"
import type { Place } from "../files/Place.ts"
import { rowsOfSheets } from "../files/ZipFile.ts"

const policy = "default-src 'none'; script-src 'self'; connect-src 'self'"
const title = (rows: number): string =>
  `XLSX in a page of Chromium, ${rows.toLocaleString("en")} contracts, heap by performance.memory`

interface Report {
  readonly failure: string | null
  readonly beforeMegabytes: number
  readonly peakMegabytes: number
  readonly wallMillis: number
}

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const parts: Array<Uint8Array> = []
  for await (const part of request) parts.push(part as Uint8Array)
  return Buffer.concat(parts)
}

/** Serves the page, writes its chunks to the file as they arrive, and returns its report. */
const serve = async (script: string, path: string) => {
  const { promise: reported, resolve: report } = Promise.withResolvers<Report>()
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost")
    response.setHeader("content-security-policy", policy)
    if (pathname === "/chunk") appendFileSync(path, await bodyOf(request))
    if (pathname === "/report") report(JSON.parse(String(await bodyOf(request))))
    if (pathname === "/page.js") {
      response.setHeader("content-type", "text/javascript")
      response.end(readFileSync(script))
    } else {
      response.setHeader("content-type", "text/html")
      response.end(
        pathname === "/"
          ? '<!doctype html><title>bench</title><script type="module" src="/page.js"></script>'
          : "",
      )
    }
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://localhost:${port}/`, reported, close: () => server.close() }
}

const open = (chromium: string, url: string, profile: string) => {
  const switches = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync"]
  const args = [...switches, "--enable-precise-memory-info", `--user-data-dir=${profile}`, url]
  const window = spawn(chromium, args, { stdio: "ignore" })
  const closed = new Promise<void>((resolve) => window.once("close", resolve))
  const gone = async (): Promise<never> => {
    await closed
    throw new Error("Chromium ended before the page was done.")
  }
  const stop = (): Promise<void> => {
    window.kill()
    return closed
  }
  return { gone, stop }
}

export const browserTable = async ({ file, program }: Place, rows: number): Promise<string> => {
  const chromium = ["chromium", "chromium-browser", "google-chrome"].find(
    (name) => spawnSync(name, ["--version"], { stdio: "ignore" }).status === 0,
  )
  if (chromium === undefined) return `### ${title(rows)}\n\nNot measured: there is no Chromium.\n`
  const path = file("page.xlsx")
  const { close, reported, url } = await serve(program("page"), path)
  const { gone, stop } = open(chromium, `${url}?rows=${rows}`, file("profile"))
  const report = await Promise.race([reported, gone()])
  await stop()
  close()
  if (report.failure !== null) throw new Error(`The page failed: ${report.failure}`)
  const counted = (await rowsOfSheets(path)).reduce((sum, count) => sum + count - 1, 0)
  if (counted !== rows) throw new Error(`The page's workbook has ${counted} of ${rows} rows.`)
  const note = `of them ${report.beforeMegabytes.toFixed(0)} MB for the records beforehand; ${(report.wallMillis / 1_000).toFixed(1)} s wall; all rows read back`
  const row = { name: "@deedkit/export-xlsx", figures: [report.peakMegabytes], note, limits: {}, atMost: 300 }
  return print(title(rows), "MB at most", [row])
}

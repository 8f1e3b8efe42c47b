/** The built site for tests: its files, a server for them on this machine, and browsers that look at it. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { delimiter, extname, join } from "node:path"
import { launch as start } from "puppeteer-core"
import type { Browser, Page } from "puppeteer-core"

/** Built by `pnpm --filter @deedkit/docs build`, which the release's tests begin with. */
export const folder = join(import.meta.dirname, "../../dist/site")

const types: { readonly [extension: string]: string } = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".png": "image/png",
}

/** The addresses of all pages, without `.html`. */
export const pages: ReadonlyArray<string> = readdirSync(folder)
  .filter((name) => name.endsWith(".html") && name !== "404.html")
  .map((name) => `/${name === "index.html" ? "" : name.slice(0, -".html".length)}`)

/** The file of an address; null if the site has none. */
export const fileOf = (address: string): string | null => {
  const path = join(folder, address === "/" ? "index" : decodeURIComponent(address))
  return extname(path) !== "" && existsSync(path) ? path : existsSync(`${path}.html`) ? `${path}.html` : null
}

/** Serves the site as a static host does. */
export const serve = async (): Promise<{ readonly url: string; readonly close: () => void }> => {
  const server = createServer((request, response) => {
    const file = fileOf(new URL(request.url ?? "", "http://site").pathname)
    response.writeHead(file === null ? 404 : 200, {
      "content-type": types[extname(file ?? "")] ?? "text/plain",
    })
    response.end(file === null ? "" : readFileSync(file))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() }
}

const programs = {
  chrome: ["chromium", "chromium-browser", "google-chrome"],
  firefox: ["firefox-esr", "firefox"],
}
export type Name = keyof typeof programs

const programOf = (name: Name): string | undefined =>
  programs[name]
    .flatMap((program) => (process.env["PATH"] ?? "").split(delimiter).map((place) => join(place, program)))
    .find(existsSync)

/** Whether tests of the browser run: where it is, and where the environment requires it. */
export const isTested = (name: Name): boolean =>
  process.env["DEEDKIT_REQUIRE_BROWSERS"] === "1" || programOf(name) !== undefined

export const launch = async (name: Name): Promise<Browser> => {
  const executablePath = programOf(name)
  if (executablePath === undefined) throw new Error(`None of ${programs[name].join(", ")} is installed.`)
  return start({
    browser: name,
    executablePath,
    args: name === "chrome" ? ["--no-sandbox", "--disable-gpu"] : [],
  })
}

/** A new page, and what it complains about: errors of scripts, of the content policy, of requests. */
export const open = async (
  browser: Browser,
): Promise<{ readonly page: Page; readonly complaints: Array<string> }> => {
  const page = await browser.newPage()
  const complaints: Array<string> = []
  page.on("pageerror", (error) => complaints.push(String(error)))
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text())
  })
  return { page, complaints }
}

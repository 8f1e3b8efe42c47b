/**
 * The browser's HTTP cache, in a real Chromium: it finds an answer by its address, whatever key the request carried. A page reads one list
 * with the keys of two accounts and with a wrong one, from a service on another origin whose answers may be cached.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { createServer } from "node:http"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { make } from "@deedkit/emulator"
import { rolldown } from "rolldown"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as ChromiumPage from "../fixtures/ChromiumPage.ts"
import type { Outcome } from "./httpCachePage.ts"
import { idsOf } from "../fixtures/Setup.ts"

if (!ChromiumPage.isTested)
  console.warn("SKIPPED: no Chromium is installed, so core is not tried against a browser's HTTP cache.")

const accounts = [make({ contracts: 5, seed: 71 }), make({ contracts: 6, seed: 72 })] as const
const keys = [accounts[0].apiKey, accounts[1].apiKey, "dk_nobody"]
const [first, second] = accounts.map((account) => idsOf(account.store.contracts))

/** What makes an answer one that a cache may keep: said outright, or by the age that the answer has (RFC 9111, 4.2.2). */
const caching: Readonly<Record<string, readonly [name: string, value: string]>> = {
  "max-age": ["cache-control", "private, max-age=60"],
  "last-modified": ["last-modified", "Wed, 01 Jan 2025 00:00:00 GMT"],
}

/** Answers for the account of the key; to a preflight only `Authorization` is allowed. */
const answer = async (url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const [, kind = "", , ...path] = url.pathname.split("/")
  response.setHeader("access-control-allow-origin", "*")
  if (request.method === "OPTIONS") {
    response.writeHead(204, { "access-control-allow-headers": "authorization" }).end()
    return
  }
  const authorization = request.headers.authorization ?? ""
  const account = accounts.find(({ apiKey }) => authorization === `Bearer ${apiKey}`) ?? accounts[0]
  const target = new URL(`/${path.join("/")}${url.search}`, url)
  const answered = await account.fetch(new Request(target, { headers: { authorization } }))
  response.setHeader("content-type", answered.headers.get("content-type") ?? "")
  response.setHeader(...caching[kind]!)
  response.writeHead(answered.status).end(await answered.text())
}

const serve = async (folder: string) => {
  let report: (outcomes: ReadonlyArray<Outcome> | string) => void
  const reported = new Promise<ReadonlyArray<Outcome> | string>((resolve) => (report = resolve))
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost")
    if (url.pathname.includes("/v1/")) await answer(url, request, response)
    else if (url.pathname === "/report") {
      let body = ""
      for await (const part of request) body += String(part)
      report(JSON.parse(body))
      response.end()
    } else if (url.pathname === "/page.js") {
      response.setHeader("content-type", "text/javascript")
      response.end(await readFile(join(folder, "page.js")))
    } else {
      response.setHeader("content-type", "text/html")
      response.end('<!doctype html><title>cache</title><script type="module" src="/page.js"></script>')
    }
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const query = new URLSearchParams([["api", `http://127.0.0.1:${port}`], ...keys.map((key) => ["key", key])])
  return {
    url: `http://localhost:${port}/?${query.toString()}`,
    reported,
    close: () => server.close(),
  }
}

describe.runIf(ChromiumPage.isTested)("in Chromium, where answers may be cached", () => {
  let folder = ""
  let outcomes: ReadonlyMap<string, Outcome> = new Map()

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "deedkit-cache-"))
    const bundle = await rolldown({
      input: { page: join(import.meta.dirname, "httpCachePage.ts") },
      platform: "browser",
      transform: { target: "es2023" },
      resolve: { conditionNames: ["@deedkit/source", "import", "default"] },
    })
    await bundle.write({ dir: folder, format: "esm", codeSplitting: false })
    const server = await serve(folder)
    const page = ChromiumPage.open(server.url, join(folder, "profile"))
    try {
      const reported = await server.reported
      if (typeof reported === "string") throw new Error(`the page failed: ${reported}`)
      outcomes = new Map(reported.map((outcome) => [outcome.name, outcome]))
    } finally {
      await page.close()
      server.close()
    }
  }, 60_000)
  // Some processes of a browser that has ended still write to its profile for a moment.
  afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))

  describe.each(["max-age", "last-modified"])("by %s", (kind) => {
    it("the browser gives the first account's answer to every key, as the other tests assume", () => {
      const name = `${kind}/plain`
      expect(outcomes.get(name)).toEqual({
        name,
        first,
        second: first,
        wrong: `read ${first!.length} contracts`,
        after: first,
      })
    })

    it.each(["fetch", "own-fetch"])(
      "%s gives each key its own account's contracts, none to a wrong key, and leaves nothing in the cache",
      (transport) => {
        const name = `${kind}/${transport}`
        expect(outcomes.get(name)).toEqual({ name, first, second, wrong: "Unauthenticated", after: second })
      },
    )
  })
})

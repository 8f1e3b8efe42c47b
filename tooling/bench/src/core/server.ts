/**
 * Serves a portfolio of the emulator as pages that were serialised beforehand, so that a client's time is not the server's. Prints
 * its URL when it is ready. Arguments: contracts, records a page, milliseconds before each answer.
 */
import { make } from "@deedkit/emulator"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

const [contracts, size, delayMillis] = process.argv.slice(2).map(Number)
if (contracts === undefined || size === undefined || delayMillis === undefined) {
  throw new Error("usage: server.ts CONTRACTS PAGE_SIZE DELAY_MILLIS")
}

const records = make({ contracts, keys: 5 }).store.contracts
const pages = new Map<string, Buffer>()
for (let at = 0; at < records.length; at += size) {
  const items = records.slice(at, at + size)
  const next = at + size < records.length ? items.at(-1)!.id : null
  const cursor = at === 0 ? "" : String(records[at - 1]!.id)
  pages.set(cursor, Buffer.from(JSON.stringify({ ok: true, items, next_before_id: next })))
}

const server = createServer((request, response) => {
  const url = new URL(request.url ?? "/", "http://localhost")
  const page = pages.get(url.searchParams.get("before_id") ?? "")
  const answer = (): void => {
    response.writeHead(page === undefined ? 404 : 200, {
      "content-type": "application/json",
      "content-length": page?.byteLength ?? 0,
      "x-request-id": "bench",
    })
    response.end(page)
  }
  if (delayMillis > 0) setTimeout(answer, delayMillis)
  else answer()
})
server.keepAliveTimeout = 60_000
server.listen(0, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})

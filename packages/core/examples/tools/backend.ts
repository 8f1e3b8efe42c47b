/** A web backend: when a browser leaves, its requests to the service are cancelled; an error becomes a status that browsers understand. */
import type { ServerResponse } from "node:http"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { Json } from "@deedkit/core"
import type { Client } from "@deedkit/core/promise"
import { actionOf, ClientError, createClient } from "@deedkit/core/promise"
import { make } from "@deedkit/emulator"

/** What a browser may know of an error: no detail of the service or of the key. */
const answerError = (response: ServerResponse, error: ClientError): void => {
  const { reason } = error
  const status = reason._tag === "NotFound" ? 404 : error.retryable ? 503 : 502
  response.writeHead(status, { "content-type": "application/json" })
  response.end(JSON.stringify({ error: reason._tag, action: actionOf(reason) }))
}

/** Answers `/contracts/ID` with a contract, and `/contracts` with all of them, a line each, as fast as the browser reads. */
const answer = async (client: Client, path: string, response: ServerResponse): Promise<void> => {
  const left = new AbortController()
  response.once("close", () => left.abort(new Error("the browser left")))
  const { signal } = left
  const id = /^\/contracts\/(\d+)$/.exec(path)?.[1]
  try {
    if (id !== undefined) {
      const contract = await client.contracts.get(Number(id), { signal })
      response.writeHead(200, { "content-type": "application/json" }).end(Json.stringify(contract))
    } else {
      const lines = async function* () {
        for await (const contract of client.contracts.list({ signal })) yield `${Json.stringify(contract)}\n`
      }
      response.writeHead(200, { "content-type": "application/x-ndjson" })
      await pipeline(Readable.from(lines()), response)
    }
  } catch (error) {
    if (signal.aborted) return
    if (error instanceof ClientError && !response.headersSent) answerError(response, error)
    else response.destroy()
  }
}

const emulator = make({ contracts: 5_000 })
await using client = createClient({
  baseUrl: "https://api.example.test",
  apiKey: emulator.apiKey,
  fetch: emulator.fetch,
})
const requests = () => emulator.journal.entries.length
const answered = Promise.withResolvers<void>()
const server = createServer(async (request, response) => {
  await answer(client, request.url ?? "/", response)
  if (request.url === "/contracts") answered.resolve()
})
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const [known] = emulator.store.contracts
const found = await fetch(`${url}/contracts/${known?.id}`)
console.log(found.status, ((await found.json()) as { unit_label: string }).unit_label)
const missing = await fetch(`${url}/contracts/999999`)
console.log(missing.status, await missing.text())

const visitor = new AbortController()
const all = await fetch(`${url}/contracts`, { signal: visitor.signal })
await all.body?.getReader().read()
visitor.abort()
await answered.promise
const sent = requests()
server.close()
server.closeAllConnections()
console.log("the browser left after a few of 100 pages:", sent < 50)
console.log("requests since:", requests() - sent)

// Output:
// => 200 Υπόγειο 2
// => 404 {"error":"NotFound","action":"check-id-or-address"}
// => the browser left after a few of 100 pages: true
// => requests since: 0

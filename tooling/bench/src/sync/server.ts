/**
 * A service with any number of accounts, one for each key, at the lowest possible cost: every account has the same records, which are serialised
 * once. Arguments: contracts of each account, API keys of each account. Prints its URL when it is ready.
 */
import { make } from "@deedkit/emulator"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

const [contracts, keys] = process.argv.slice(2).map(Number)
if (contracts === undefined || keys === undefined) throw new Error("usage: server.ts CONTRACTS KEYS")

/** Above this many records, they are repeated with other ids, to keep the server small. */
const distinct = 20_000
const { store } = make({ contracts: Math.min(contracts, distinct), keys })

interface List {
  readonly size: number
  /** The record with an id; ids go from 1 to the size. */
  readonly record: (id: number) => string
}

const listOf = (records: ReadonlyArray<object>, size: number): List => {
  const texts = records.map((record) => JSON.stringify(record))
  return {
    size,
    record: (id) => texts[(size - id) % texts.length]!.replace(/^\{"id":\d+/, `{"id":${id}`),
  }
}

const lists: { readonly [path: string]: List } = {
  "/v1/contracts/": listOf(store.contracts, contracts),
  "/v1/api-keys/": listOf(store.apiKeys, keys),
}

/** The page of records before an id, with descending ids. */
const pageOf = ({ record, size }: List, before: number, limit: number): string => {
  const from = Math.min(before - 1, size)
  const to = Math.max(from - limit, 0)
  const items: Array<string> = []
  for (let id = from; id > to; id--) items.push(record(id))
  return `{"ok":true,"items":[${items.join(",")}],"next_before_id":${to > 0 ? to + 1 : null}}`
}

const kept = new Map<string, string>()

/** The body for a request; null if there is none. Every account gets the same bodies, except for its identity. */
const bodyOf = (target: string, key: string): string | null => {
  const found = kept.get(target)
  if (found !== undefined) return found
  const { pathname, searchParams } = new URL(target, "http://localhost")
  if (pathname === "/v1/me/") return `{"ok":true,"id":${key.replaceAll(/\D/g, "")}}`
  const list = lists[pathname]
  if (list === undefined) return null
  const before = Number(searchParams.get("before_id") ?? Infinity)
  const body = pageOf(list, before, Number(searchParams.get("limit") ?? 100))
  kept.set(target, body)
  return body
}

const server = createServer((request, response) => {
  const body = bodyOf(request.url ?? "/", request.headers.authorization ?? "")
  if (body === null) return void response.writeHead(404).end()
  response.writeHead(200, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "x-request-id": "bench",
  })
  response.end(body)
})
server.keepAliveTimeout = 60_000
server.listen(0, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})

/**
 * A service at the lowest possible cost: every account has the same records of the emulator, and each page is serialised once. Arguments: contracts,
 * API keys, records per page (0: as many as a request asks for), milliseconds before each answer. Prints its URL when it is ready.
 *
 * With a fixed number of records per page, the contracts are also served in the shapes that other clients read, and every page is made beforehand,
 * so that the client's time does not depend on the server.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { make } from "@deedkit/emulator"

const [contracts = 0, keys = 0, fixedSize = 0, delayMillis = 0] = process.argv.slice(2).map(Number)

/** Above this many records, they are repeated with other ids, to keep the server small, and pages are made when they are requested. */
const distinct = 200_000
const { store } = make({ contracts: Math.min(contracts, distinct), keys: Math.max(keys, 5) })

interface List {
  readonly size: number
  /** The record with an id; ids go down from the size to 1. */
  readonly record: (id: number) => string
}
const listOf = (records: ReadonlyArray<object>, size: number): List => {
  const texts = records.map((record) => JSON.stringify(record))
  return {
    size,
    record: (id) => texts[(size - id) % texts.length]!.replace(/^\{"id":\d+/, `{"id":${id}`),
  }
}
const contractList = listOf(store.contracts, contracts)

interface Shape {
  readonly list: List
  readonly cursorParam: string
  readonly body: (items: string, next: number | null) => string
}
const ownShape = (list: List): Shape => ({
  list,
  cursorParam: "before_id",
  body: (items, next) => `{"ok":true,"items":${items},"next_before_id":${next}}`,
})
const shapes: { readonly [path: string]: Shape } = {
  "/v1/contracts/": ownShape(contractList),
  "/v1/api-keys/": ownShape(listOf(store.apiKeys, keys)),
  "/v1/customers": {
    list: contractList,
    cursorParam: "starting_after",
    body: (items, next) =>
      `{"object":"list","url":"/v1/customers","data":${items},"has_more":${next !== null}}`,
  },
  "/files": {
    list: contractList,
    cursorParam: "after",
    body: (items, next) => `{"object":"list","data":${items},"has_more":${next !== null}}`,
  },
  "/links": { list: contractList, cursorParam: "after", body: (items) => items },
}

interface Answer {
  readonly bytes: Buffer
  readonly next: number | null
}
const kept = new Map<string, Answer>()

/** The page of records before an id, with descending ids. */
const pageOf = (path: string, { body, list }: Shape, before: number, limit: number): Answer => {
  const name = `${path} ${before} ${limit}`
  const known = kept.get(name)
  if (known !== undefined) return known
  const from = Math.min(before - 1, list.size)
  const to = Math.max(from - limit, 0)
  const items = Array.from({ length: from - to }, (_, at) => list.record(from - at))
  const next = to > 0 ? to + 1 : null
  const made = { bytes: Buffer.from(body(`[${items.join(",")}]`, next)), next }
  if (contracts <= distinct) kept.set(name, made)
  return made
}

if (fixedSize > 0 && contracts <= distinct)
  for (const [path, shape] of Object.entries(shapes))
    for (let before: number | null = Infinity; before !== null;)
      before = pageOf(path, shape, before, fixedSize).next

const answerTo = (url: URL, authorization: string): Answer | null => {
  const { pathname, searchParams } = url
  // An account is known by its key alone.
  if (pathname === "/v1/me/")
    return { bytes: Buffer.from(`{"ok":true,"id":${authorization.replaceAll(/\D/g, "")}}`), next: null }
  const shape = shapes[pathname]
  if (shape === undefined) return null
  const id = searchParams.get("id")
  if (id !== null)
    return { bytes: Buffer.from(`{"ok":true,"contract":${shape.list.record(Number(id))}}`), next: null }
  const before = Number(searchParams.get(shape.cursorParam) ?? Infinity)
  return pageOf(pathname, shape, before, fixedSize || Number(searchParams.get("limit") ?? 100))
}

const server = createServer((request, response) => {
  const url = new URL(request.url ?? "/", "http://localhost")
  const found = answerTo(url, request.headers.authorization ?? "")
  if (found === null) return void response.writeHead(404).end()
  const { bytes, next } = found
  const link = `<http://${request.headers.host}/links?after=${next}>; rel="next"`
  const answer = (): void => {
    response.writeHead(200, {
      "content-type": "application/json",
      "content-length": bytes.byteLength,
      "x-request-id": "bench",
      ...(url.pathname === "/links" && next !== null ? { link } : {}),
    })
    response.end(bytes)
  }
  if (delayMillis > 0) setTimeout(answer, delayMillis)
  else answer()
})
server.keepAliveTimeout = 60_000
server.listen(0, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})

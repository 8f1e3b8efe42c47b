/**
 * Serves a portfolio of the emulator as pages that were serialised beforehand, so that the client's time does not depend on the server. The same
 * records are also served under other paths in the shapes that other clients paginate. Prints its URL when it is ready. Arguments: contracts, records
 * per page, milliseconds before each response.
 */
import { make } from "@deedkit/emulator"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

const [contracts, size, delayMillis] = process.argv.slice(2).map(Number)
if (contracts === undefined || size === undefined || delayMillis === undefined) {
  throw new Error("usage: server.ts CONTRACTS PAGE_SIZE DELAY_MILLIS")
}

/** Above this many records, the portfolio is served several times over, with other ids, to keep the server small. */
const distinct = 200_000
const records = make({ contracts: Math.min(contracts, distinct), keys: 5 }).store.contracts.map((record) =>
  JSON.stringify(record),
)
const idOf = (position: number): number => contracts - position

interface Page {
  readonly items: string
  readonly last: number
  readonly hasMore: boolean
}

/** The page after the record with this id; ids go down from the number of contracts to 1. */
const pageAfter = (id: number): Page => {
  const from = contracts - id + 1
  const to = Math.min(from + size, contracts)
  const items: Array<string> = []
  for (let at = from; at < to; at++) {
    items.push((records[at % records.length] ?? "").replace(/^\{"id":\d+/, `{"id":${idOf(at)}`))
  }
  return { items: `[${items.join(",")}]`, last: idOf(to - 1), hasMore: to < contracts }
}

interface Shape {
  readonly path: string
  readonly cursorParam: string
  readonly body: (page: Page) => string
}

const shapes: ReadonlyArray<Shape> = [
  {
    path: "/v1/contracts/",
    cursorParam: "before_id",
    body: ({ hasMore, items, last }) =>
      `{"ok":true,"items":${items},"next_before_id":${hasMore ? last : null}}`,
  },
  {
    path: "/v1/customers",
    cursorParam: "starting_after",
    body: ({ hasMore, items }) =>
      `{"object":"list","url":"/v1/customers","data":${items},"has_more":${hasMore}}`,
  },
  {
    path: "/files",
    cursorParam: "after",
    body: ({ hasMore, items }) => `{"object":"list","data":${items},"has_more":${hasMore}}`,
  },
  { path: "/links", cursorParam: "after", body: ({ items }) => items },
]

const keepsPages = contracts <= distinct
const kept = new Map<string, { readonly page: Page; readonly bytes: Buffer }>()
const answerTo = (shape: Shape, id: number) => {
  const name = `${shape.path} ${id}`
  const known = kept.get(name)
  if (known !== undefined) return known
  const page = pageAfter(id)
  const made = { page, bytes: Buffer.from(shape.body(page)) }
  if (keepsPages) kept.set(name, made)
  return made
}

/** One contract by its id. */
const recordOf = (id: number): ReturnType<typeof answerTo> => {
  const page = pageAfter(id + 1)
  const [record] = JSON.parse(page.items) as ReadonlyArray<unknown>
  return { page, bytes: Buffer.from(JSON.stringify({ ok: true, contract: record })) }
}

/** Makes every page of a shape in advance, so that the first read does not pay for it. */
const prepare = (shape: Shape): void => {
  for (let id = contracts + 1, more = keepsPages; more;) {
    const { page } = answerTo(shape, id)
    id = page.last
    more = page.hasMore
  }
}
prepare(shapes[0]!)

const server = createServer((request, response) => {
  const url = new URL(request.url ?? "/", "http://localhost")
  if (url.pathname === "/prepare") {
    for (const shape of shapes) prepare(shape)
    response.end()
    return
  }
  const shape = shapes.find((one) => one.path === url.pathname)
  if (shape === undefined) {
    response.writeHead(404).end()
    return
  }
  const cursor = url.searchParams.get(shape.cursorParam)
  const id = url.searchParams.get("id")
  const { bytes, page } =
    id === null ? answerTo(shape, cursor === null ? contracts + 1 : Number(cursor)) : recordOf(Number(id))
  const answer = (): void => {
    response.writeHead(200, {
      "content-type": "application/json",
      "content-length": bytes.byteLength,
      "x-request-id": "bench",
      ...(shape.path === "/links" && page.hasMore
        ? { link: `<http://${request.headers.host}/links?after=${page.last}>; rel="next"` }
        : {}),
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

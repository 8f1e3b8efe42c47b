/**
 * No generator function is created for each page or record. V8 keeps a map for every generator function that is called, until a full garbage
 * collection. The map holds the function, its scope and the page, so memory grows by all pages of the last seconds.
 */
import type { Finding, Tree } from "../Tree.ts"
import { modules } from "../Tree.ts"

/** Parameter names of pages, records and requests, and the types of those with other names. */
const ofEach = new Set([
  "page",
  "record",
  "recorded",
  "records",
  "row",
  "chunk",
  "answer",
  "Page",
  "RawPage",
  "Answer",
  "PageRequest",
  "RecordedAnswer",
  "TransportRequest",
])

export const check = (tree: Tree): ReadonlyArray<Finding> =>
  modules(tree)
    .filter(({ area }) => area === "src")
    .flatMap(({ path, source }) =>
      source.generators.flatMap(({ around, line }) => {
        const name = around.find((candidate) => ofEach.has(candidate))
        const message = `makes a generator function for each ${name}: make one, with Effect.fnUntraced, that takes it as an argument`
        return name === undefined ? [] : [{ path, line, message }]
      }),
    )

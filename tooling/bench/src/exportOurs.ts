/** Our writers, driven page by page as in a run. This is apart from `exportCases.ts`, so that no other case loads Effect. */
import { readFileSync } from "node:fs"
import { contracts } from "@deedkit/export"
import type { TableWriter } from "@deedkit/export"
import * as Effect from "effect/Effect"
import { fileAt, peer, start } from "./measure.ts"
import { prepare } from "./records.ts"
import type { Pages, Put } from "./records.ts"

/** The writer waits for every chunk. */
const drive = (
  writer: TableWriter.TableWriter,
  pages: Pages,
  write: (bytes: Uint8Array) => Effect.Effect<void>,
): Promise<void> =>
  Effect.gen(function* () {
    const file = yield* writer.open({ write })
    const sheet = yield* file.sheet(contracts)
    for (const page of pages()) yield* sheet.add(page)
    yield* sheet.end
    yield* file.end
  }).pipe(Effect.scoped, Effect.runPromise)

export const writeAll = (writer: TableWriter.TableWriter, pages: Pages, put: Put): Promise<void> =>
  drive(writer, pages, (bytes) => Effect.sync(() => put(bytes)))

/**
 * How many bytes a writer buffers while its sink takes a megabyte per second for two seconds, and then everything at once. The inside of a writer cannot
 * be observed, so the bytes are computed from outside: rows written, times the bytes per row in the finished file, minus the bytes received. For a
 * workbook the bytes are those of its XML before compression.
 */
export const slow = async (format: string, rows: number, path: string): Promise<void> => {
  const writer =
    format === "csv"
      ? (await import("@deedkit/export-csv")).writer()
      : (await import("@deedkit/export-xlsx")).writer({ level: 1 })
  const pages = prepare(rows)
  const { close, put } = fileAt(path)
  const looks: Array<{ readonly rowsIn: number; readonly bytesOut: number }> = []
  let bytesOut = 0
  const print = start()
  const begun = performance.now()
  const sink = (bytes: Uint8Array) =>
    Effect.gen(function* () {
      if (performance.now() - begun < 2_000) yield* Effect.sleep(bytes.byteLength / 1_000)
      put(bytes)
      bytesOut += bytes.byteLength
    })
  let rowsIn = 0
  const watched = function* () {
    for (const page of pages()) {
      rowsIn += page.length
      looks.push({ rowsIn, bytesOut })
      yield page
    }
  }
  await drive(writer, watched, sink)
  close()
  const unpacked = format === "csv" ? bytesOut : await unpackedBytes(path)
  const held = looks.map((look) => (look.rowsIn / rows - look.bytesOut / bytesOut) * unpacked)
  print({ records: rows, bytes: Math.max(...held) })
}

/** The uncompressed size of all parts of a zip file. */
const unpackedBytes = async (path: string): Promise<number> => {
  type Filter = (part: { readonly originalSize: number }) => boolean
  type Unzip = (bytes: Uint8Array, options: { readonly filter: Filter }) => unknown
  const { unzipSync } = await peer<{ readonly unzipSync: Unzip }>("fflate")
  let sum = 0
  unzipSync(readFileSync(path), {
    filter: ({ originalSize }) => {
      sum += originalSize
      return false
    },
  })
  return sum
}

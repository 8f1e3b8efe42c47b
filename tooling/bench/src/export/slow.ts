/**
 * Measures how many bytes a writer buffers while its sink takes a megabyte per second for two seconds, and then everything at once.
 *
 * The inside of a writer cannot be observed, so the bytes are computed from outside: rows written, times the bytes per row in the finished file,
 * minus the bytes received. For a workbook the bytes are those of its XML before compression. Arguments: `csv` or `xlsx`, rows, a file.
 */
import { closeSync, openSync, writeSync } from "node:fs"
import { contracts } from "@deedkit/export"
import * as Csv from "@deedkit/export-csv"
import * as Xlsx from "@deedkit/export-xlsx"
import * as Effect from "effect/Effect"
import { start } from "../measure/Meter.ts"
import { prepare } from "./files/records.ts"
import { unpackedBytes } from "./files/ZipFile.ts"

const bytesPerMilli = 1_000
const slowMillis = 2_000

const [format = "", count = "", path = ""] = process.argv.slice(2)
const rows = Number(count)
const writer = format === "csv" ? Csv.writer() : Xlsx.writer({ level: 1 })
const pages = prepare(rows)
const descriptor = openSync(path, "w")
const looks: Array<{ readonly rowsIn: number; readonly bytesOut: number }> = []
let rowsIn = 0
let bytesOut = 0

const meter = start()
const begun = performance.now()
const write = (bytes: Uint8Array) =>
  Effect.suspend(() => {
    const isSlow = performance.now() - begun < slowMillis
    return Effect.andThen(
      isSlow ? Effect.sleep(bytes.byteLength / bytesPerMilli) : Effect.void,
      Effect.sync(() => {
        for (let at = 0; at < bytes.byteLength;) at += writeSync(descriptor, bytes, at)
        bytesOut += bytes.byteLength
      }),
    )
  })

await Effect.gen(function* () {
  const file = yield* writer.open({ write })
  const sheet = yield* file.begin(contracts)
  for (const page of pages()) {
    rowsIn += page.length
    looks.push({ rowsIn, bytesOut })
    yield* sheet.add(page)
  }
  yield* sheet.end
  yield* file.end
}).pipe(Effect.scoped, Effect.runPromise)
closeSync(descriptor)

const unpacked = format === "csv" ? bytesOut : unpackedBytes(path)
const held = looks.map((look) => (look.rowsIn / rows - look.bytesOut / bytesOut) * unpacked)
meter.print({ records: rows, bytes: Math.max(...held) })

/**
 * Writes a workbook in a page and sends each chunk to the page's server before it makes the next one. Reports the peak heap use, sampled after each
 * page of records, and the duration. `rows` in the address is the number of contracts.
 */
import * as Xlsx from "@deedkit/export-xlsx"
import * as Effect from "effect/Effect"
import { write } from "../files/ours.ts"
import { prepare } from "../files/records.ts"

/** Heap use as reported by Chromium, precise if it is started with that option; zero elsewhere. */
const heapMegabytes = (): number =>
  "memory" in performance
    ? (performance.memory as { readonly usedJSHeapSize: number }).usedJSHeapSize / 1_048_576
    : 0

const post = (path: string, body: BodyInit): Promise<Response> => fetch(path, { method: "POST", body })

const pages = prepare(Number(new URLSearchParams(location.search).get("rows")))
const before = heapMegabytes()
let peak = before
const sampled = function* () {
  for (const page of pages()) {
    yield page
    peak = Math.max(peak, heapMegabytes())
  }
}

const begun = performance.now()
const failure = await write(Xlsx.writer(), sampled, (bytes) =>
  Effect.promise(() => post("/chunk", bytes as Uint8Array<ArrayBuffer>)),
).then(() => null, String)
await post(
  "/report",
  JSON.stringify({
    failure,
    beforeMegabytes: before,
    peakMegabytes: peak,
    wallMillis: performance.now() - begun,
  }),
)

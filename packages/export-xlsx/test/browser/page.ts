/**
 * Writes a workbook in a page. Each chunk goes to the server that the page came from before the next one is made, so that the page never
 * holds the file; at the end it reports how it went.
 */
import { contracts } from "@deedkit/export"
import * as Effect from "effect/Effect"
import { writer } from "../../src/XlsxWriter.ts"
import { pagesOf } from "./records.ts"

/** What the page reports, or the text of its error. */
export interface Outcome {
  /** Of everything in the page's heap, sampled after each page of records; null where the browser does not tell. */
  readonly peakHeapMegabytes: number | null
  /** What the page tried that its policy forbids. */
  readonly violations: ReadonlyArray<string>
  /** Set by a script that the policy keeps from running. */
  readonly inline: boolean
}

const rows = Number(new URLSearchParams(location.search).get("rows"))
const violations: Array<string> = []
document.addEventListener("securitypolicyviolation", ({ violatedDirective }) =>
  violations.push(violatedDirective),
)
const post = (path: string, body: BodyInit): Promise<Response> => fetch(path, { method: "POST", body })

/** Chromium's own; precise when it is started so. */
const heap = (): number =>
  "memory" in performance
    ? (performance.memory as { readonly usedJSHeapSize: number }).usedJSHeapSize / 1_048_576
    : 0

const work = Effect.gen(function* () {
  let peak = 0
  const file = yield* writer().open({
    write: (bytes) => Effect.promise(() => post("/chunk", bytes as Uint8Array<ArrayBuffer>)),
  })
  const sheet = yield* file.sheet(contracts)
  for (const page of pagesOf(rows)) {
    yield* sheet.add(page)
    peak = Math.max(peak, heap())
  }
  yield* sheet.end
  yield* file.end
  const peakHeapMegabytes = peak === 0 ? null : peak
  return { peakHeapMegabytes, violations, inline: "inlineRan" in globalThis } satisfies Outcome
})

const outcome: Outcome | string = await Effect.runPromise(Effect.scoped(work)).catch(String)
await post("/report", JSON.stringify(outcome))

/** A program that exports endless pages to its standard output, and names the error that ends it. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { run } from "../src/ExportRun.ts"
import { job } from "../src/Job.ts"
import { lines, page, rows } from "./walk.ts"

const ids = Array.from({ length: 10_000 }, (_, index) => index + 1)
const pages = Stream.forever(Stream.succeed(page(ids, { complete: false })))
const endless = job({ table: rows, pages: () => pages })
const error = await Effect.runPromise(
  Effect.flip(run({ jobs: [endless], outputs: [{ writer: lines, target: "-" }] })),
)
console.error(error.reason._tag)

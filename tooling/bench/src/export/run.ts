/**
 * A whole export in a separate process: contracts from a server into a file. `run` is a whole run of an export, with its journal, manifest and
 * checksums; `alone` is a read whose pages go to a writer, and its bytes to a file. Arguments: `run` or `alone`, `csv` or `xlsx`, the server's URL,
 * the file.
 */
import { closeSync, openSync, writeSync } from "node:fs"
import { PropertyClient, Transport } from "@deedkit/core"
import * as NodeTransport from "@deedkit/core/node"
import { contracts } from "@deedkit/export"
import { job, run } from "@deedkit/export/run"
import * as Csv from "@deedkit/export-csv"
import * as Xlsx from "@deedkit/export-xlsx"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { start } from "../measure/Meter.ts"

const [how = "", format = "", url = "", target = ""] = process.argv.slice(2)
const writer = format === "csv" ? Csv.writer() : Xlsx.writer()

const alone = (client: PropertyClient.Service) =>
  Effect.gen(function* () {
    const file = openSync(target, "w")
    const opened = yield* writer.open({
      write: (bytes) =>
        Effect.sync(() => {
          for (let at = 0; at < bytes.byteLength;) at += writeSync(file, bytes, at)
        }),
    })
    const sheet = yield* opened.begin(contracts)
    let records = 0
    yield* Stream.runForEach(client.contracts.pages(), (page) => {
      records += page.records.length
      return sheet.add(page.records)
    })
    yield* sheet.end
    yield* opened.end
    closeSync(file)
    return records
  }).pipe(Effect.scoped)

const whole = (client: PropertyClient.Service) =>
  Effect.map(
    run({
      jobs: [
        job({
          table: contracts,
          pages: (options) => client.contracts.pages({ onRejected: "collect", ...options }),
        }),
      ],
      outputs: [{ writer, target }],
      overwrite: true,
    }),
    ({ manifest }) => manifest.tables[0]?.rows ?? 0,
  )

const meter = start()
const { close, send } = NodeTransport.make()
const records = await Effect.gen(function* () {
  const client = yield* PropertyClient.make({ baseUrl: url, apiKey: "bench", rate: 0, retry: "patient" })
  return yield* how === "run" ? whole(client) : alone(client)
}).pipe(Effect.provideService(Transport.Transport, send), Effect.runPromise)
close()
meter.print({ records })

/** Whole exports in a process of their own, for `export.ts`. This is apart from `exportCases.ts`, so that no other case loads it. */
import { PropertyClient, Transport } from "@deedkit/core"
import * as NodeTransport from "@deedkit/core/node"
import { contracts } from "@deedkit/export"
import { job, run } from "@deedkit/export/run"
import * as Csv from "@deedkit/export-csv"
import * as Xlsx from "@deedkit/export-xlsx"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { fileAt, start } from "./measure.ts"

/** `run` is a whole export from a server, with its record file, manifest and checksums; `alone` is a read whose pages go to a writer, and its bytes to a file. */
export const exportTo = async (how: string, format: string, url: string, target: string): Promise<void> => {
  const writer = format === "csv" ? Csv.writer() : Xlsx.writer()

  const alone = (client: PropertyClient.Service) =>
    Effect.gen(function* () {
      const { close, put } = fileAt(target)
      const file = yield* writer.open({ write: (bytes) => Effect.sync(() => put(bytes)) })
      const sheet = yield* file.sheet(contracts)
      let records = 0
      yield* Stream.runForEach(client.contracts.pages(), (page) => {
        records += page.records.length
        return sheet.add(page.records)
      })
      yield* sheet.end
      yield* file.end
      close()
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

  const print = start()
  const { close, send } = NodeTransport.make()
  const records = await Effect.gen(function* () {
    const client = yield* PropertyClient.make({ baseUrl: url, apiKey: "bench", rate: 0, retry: "patient" })
    return yield* how === "run" ? whole(client) : alone(client)
  }).pipe(Effect.provideService(Transport.Transport, send), Effect.runPromise)
  close()
  print({ records })
}

/**
 * A slow server and a busy consumer: how long the read takes when each page keeps the processor for 10 ms. Arguments: the case, the URL. `chain` only
 * requests page after page, which gives the shortest possible time of a chain of requests.
 */
import { PropertyClient, Transport } from "@deedkit/core"
import * as NodeTransport from "@deedkit/core/node"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { readings } from "./reads.ts"

const [name = "", url = ""] = process.argv.slice(2)
const busyMillis = 10

const work = (): void => {
  const end = performance.now() + busyMillis
  while (performance.now() < end);
}

const readList = async (): Promise<number> => {
  const { close, send } = NodeTransport.make()
  const records = await Effect.gen(function* () {
    const client = yield* PropertyClient.make({ baseUrl: url, apiKey: "bench", rate: 0 })
    return yield* Stream.runFold(
      client.contracts.pages(),
      () => 0,
      (sum, page) => {
        work()
        return sum + page.records.length
      },
    )
  }).pipe(Effect.provideService(Transport.Transport, send), Effect.runPromise)
  close()
  return records
}

const before = performance.now()
const cpuBefore = process.cpuUsage()
const records = await (name === "chain" ? readings["node:http + JSON.parse"]!(url) : readList())
console.log(
  JSON.stringify({
    records,
    cpuMillis: process.cpuUsage(cpuBefore).user / 1_000,
    wallMillis: performance.now() - before,
    peakRssMegabytes: process.resourceUsage().maxRSS / 1_024,
  }),
)

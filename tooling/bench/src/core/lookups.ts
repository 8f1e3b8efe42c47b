/**
 * Looks up 40 contracts one by one in a program that has just started, with the default options. Argument: the URL. Prints the wall time without the
 * start of the process.
 */
import { createClient } from "@deedkit/core/promise"

const url = process.argv[2] ?? ""
const lookups = 40
const before = performance.now()
const cpuBefore = process.cpuUsage()
await using client = createClient({ baseUrl: url, apiKey: "bench" })
const found = await Promise.all(Array.from({ length: lookups }, (_, at) => client.contracts.get(at + 1)))
console.log(
  JSON.stringify({
    records: found.length,
    cpuMillis: process.cpuUsage(cpuBefore).user / 1_000,
    wallMillis: performance.now() - before,
    peakRssMegabytes: 0,
  }),
)

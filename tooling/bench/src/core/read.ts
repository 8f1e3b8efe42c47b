/** One case in a separate process: reads all pages once and prints the cost. Arguments: the case's name, the URL. */
import { peakRssMegabytes } from "../measure/Meter.ts"
import { peerReads } from "./peerReads.ts"
import { readings } from "./reads.ts"

const [name = "", url = ""] = process.argv.slice(2)
const reading = readings[name] ?? (await peerReads[name]?.())
if (reading === undefined) throw new Error(`there is no case "${name}"`)
const wallBefore = performance.now()
const cpuBefore = process.cpuUsage()
const records = await reading(url)
const cpu = process.cpuUsage(cpuBefore)
console.log(
  JSON.stringify({
    records,
    cpuMillis: cpu.user / 1_000,
    wallMillis: performance.now() - wallBefore,
    peakRssMegabytes: peakRssMegabytes(),
  }),
)

/** One case in a process of its own: walks all pages once and prints what that cost. Arguments: the case's name, the URL. */
import { peerWalks } from "./peerWalks.ts"
import { walks } from "./walks.ts"

const [name = "", url = ""] = process.argv.slice(2)
const walk = walks[name] ?? (await peerWalks[name]?.())
if (walk === undefined) throw new Error(`there is no case "${name}"`)
const wallBefore = performance.now()
const cpuBefore = process.cpuUsage()
const records = await walk(url)
const cpu = process.cpuUsage(cpuBefore)
console.log(
  JSON.stringify({
    records,
    cpuMillis: cpu.user / 1_000,
    wallMillis: performance.now() - wallBefore,
    peakRssMegabytes: process.resourceUsage().maxRSS / 1_024,
  }),
)

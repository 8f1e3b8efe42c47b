/**
 * One case in a separate process: writes a whole file once and prints the cost. The source records and the imports of the case are loaded before the
 * clock starts. Arguments: the case's name, rows, where the bytes go.
 */
import { closeSync, openSync, writeSync } from "node:fs"
import { start, timed } from "../measure/Meter.ts"
import { cases } from "./cases.ts"
import { prepare } from "./files/records.ts"

const [name = "", count = "", path = "/dev/null"] = process.argv.slice(2)
const rows = Number(count)
const load = cases[name]
if (load === undefined) throw new Error(`there is no case "${name}"`)
const { cpuMillis, value: pages } = timed(() => prepare(rows))
const file = openSync(path, "w")
let written = 0

const write = await load()
const meter = start(cpuMillis)
await write(pages, (bytes) => {
  for (let at = 0; at < bytes.byteLength;) at += writeSync(file, bytes, at)
  written += bytes.byteLength
})
meter.print({ records: rows, bytes: written })
closeSync(file)

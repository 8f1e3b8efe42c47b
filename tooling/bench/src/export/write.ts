/**
 * One case in a process of its own: writes a whole file once and prints what that cost. What it is written from and what the case imports are there
 * before the clock starts. Arguments: the case's name, rows, where the bytes go.
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

import { walks } from "./walks.ts"
import inspector from "node:inspector/promises"
import fs from "node:fs"
const [name = "", url = ""] = process.argv.slice(2)
const s = new inspector.Session(); s.connect()
await s.post("Profiler.enable"); await s.post("Profiler.setSamplingInterval", { interval: 200 }); await s.post("Profiler.start")
const c = process.cpuUsage()
await walks[name]!(url)
console.log(process.cpuUsage(c).user / 1000)
const { profile } = await s.post("Profiler.stop")
fs.mkdirSync("/tmp/prof", { recursive: true }); fs.writeFileSync("/tmp/prof/a.cpuprofile", JSON.stringify(profile))

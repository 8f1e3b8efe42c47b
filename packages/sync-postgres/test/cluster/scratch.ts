import { spawn } from "node:child_process"
import { start } from "@deedkit/config/postgres"
import { make } from "@deedkit/emulator"
import { listen } from "@deedkit/emulator/node"
import * as Effect from "effect/Effect"
import { queue } from "../../src/cluster/index.ts"
import { query } from "../harness/Query.ts"
const n = Number(process.argv[2] ?? 5)
const server = await start()
const url = await server.database("one")
const ems = Array.from({ length: n }, (_, i) => make({ contracts: 30 + i, seed: i + 1 }))
const served = await Promise.all(ems.map(async (e, i) => ({ name: `a${i}`, apiKey: e.apiKey, baseUrl: (await listen(e)).url })))
const t0 = Date.now()
const say = (...x: unknown[]) => console.log(Date.now() - t0, ...x)
say(await Effect.runPromise(queue({ url, accounts: served.map((s) => s.name) })))
const w = spawn(process.execPath, ["--conditions=@deedkit/source", "worker.ts", JSON.stringify({ url, accounts: served, concurrency: 4 })], { cwd: import.meta.dirname, stdio: ["ignore", "pipe", "pipe"] })
for (const s of [w.stdout, w.stderr]) s.setEncoding("utf8").on("data", (t) => say(t.trimEnd()))
const ended = new Promise((r) => w.once("close", r))
for (;;) { const r = await query(url, "select count(*)::int n from deedkit.sync_run where state = 'finished'"); if (Number(r[0]!.n) >= 2 * n) break; await new Promise((r) => setTimeout(r, 100)) }
say("all done")
await new Promise((r) => setTimeout(r, 1500))
say(await Effect.runPromise(queue({ url, accounts: [...served.map((s) => s.name), "unknown"] })))
await new Promise((r) => setTimeout(r, 4000))
say(await Effect.runPromise(queue({ url, accounts: [...served.map((s) => s.name), "unknown"] })))
say(await query(url, "select entity_type, tag, processed, count(*)::int, min(payload) payload, min(message_id) id from deedkit_queue.deedkit_messages group by 1,2,3"))
say(await query(url, "select payload, count(*)::int from deedkit_queue.deedkit_replies group by 1"))
w.kill("SIGTERM"); say("term")
say(await ended)
await server[Symbol.asyncDispose]()
process.exit(0)

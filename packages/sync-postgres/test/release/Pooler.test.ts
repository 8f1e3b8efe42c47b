/** The mirror behind PgBouncer in transaction mode, which gives each transaction whatever connection is free. */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Server } from "@deedkit/config/postgres"
import { hasPostgres, password, start } from "@deedkit/config/postgres"
import { make } from "@deedkit/emulator"
import { isComplete } from "@deedkit/sync"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { accountOf, syncInto, using } from "../harness/Accounts.ts"
import { query } from "../harness/Query.ts"
import { queue } from "../../src/worker/index.ts"
import * as Inside from "../worker/Inside.ts"

const program = ["pgbouncer", "/usr/sbin/pgbouncer"].find(
  (name) => spawnSync(name, ["--version"], { stdio: "ignore" }).status === 0,
)
const isTested = hasPostgres && (program !== undefined || process.env["DEEDKIT_REQUIRE_POSTGRES"] === "1")
if (!isTested) console.warn("SKIPPED: PgBouncer is not installed, so no mirror is tried behind a pooler.")

/** Starts PgBouncer in front of a database, with fewer connections than are used, and returns the address of the database behind it. */
const pooler = async (address: string) => {
  if (program === undefined) throw new Error("PgBouncer is required, and not installed")
  const { hostname, pathname, port } = new URL(address)
  const free = createServer().listen(0, "127.0.0.1")
  await once(free, "listening")
  const { port: own } = free.address() as AddressInfo
  free.close()
  const folder = await mkdtemp(join(tmpdir(), "deedkit-pooler-"))
  await chmod(folder, 0o755)
  const users = join(folder, "users.txt")
  await writeFile(users, `"owner" "${password}"\n`)
  const settings = join(folder, "pooler.ini")
  await writeFile(
    settings,
    `[databases]
${pathname.slice(1)} = host=${hostname} port=${port} user=owner password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
default_pool_size = 3
`,
  )
  // PgBouncer refuses to run as root.
  const user = process.getuid?.() === 0 ? ["--user", "nobody"] : []
  const child = spawn(program, [...user, settings], { stdio: ["ignore", "ignore", "pipe"] })
  let said = ""
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text
      if (said.includes("process up")) resolve()
    })
    child.once("exit", () => reject(new Error(said)))
  })
  const url = new URL(address)
  url.port = String(own)
  return {
    url: url.href,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGINT")
      if (child.exitCode === null) await once(child, "exit")
      await rm(folder, { recursive: true, force: true })
    },
  }
}

describe.skipIf(!isTested)("a mirror behind a pooler", { timeout: 120_000 }, () => {
  let server: Server
  beforeAll(async () => {
    server = await start()
  }, 60_000)
  afterAll(() => server?.[Symbol.asyncDispose]())

  it("takes the syncs of many accounts at once, night after night", async () => {
    const address = await server.database("pooled")
    await using pooled = await pooler(address)
    const emulators = Array.from({ length: 8 }, (_, at) => make({ contracts: 60, seed: at + 1 }))
    /** The accounts that were synced; one that another program is reading is left to it. */
    const night = () =>
      using({ url: pooled.url }, (store) =>
        Effect.forEach(
          emulators.map((emulator, at) => accountOf(`acct-${at}`, emulator)),
          (account) => Effect.option(syncInto(store, account)),
          { concurrency: "unbounded" },
        ),
      ).then((all) => all.flatMap((one) => Option.toArray(one).flat()))
    expect(await night()).toHaveLength(2 * 8)
    for (const { store } of emulators) {
      store.update(store.contracts[0]!.id, { status: "ended" })
      store.remove(store.contracts[1]!.id)
      store.insert({ status: "draft" })
    }
    const both = (await Promise.all([night(), night()])).flat()
    expect(both.length).toBeGreaterThanOrEqual(2 * 8)
    expect([...both, ...(await night())].every(isComplete)).toBe(true)
    const changes = await query(
      address,
      "select change, count(*)::int as number from deedkit.contract_history group by change order by change",
    )
    expect(changes).toEqual([
      { change: "added", number: 8 * 61 },
      { change: "changed", number: 8 },
      { change: "removed", number: 8 },
    ])
  })

  it("has a worker and its queue", async () => {
    const address = await server.database("pooled-queue")
    await using pooled = await pooler(address)
    const some = Inside.accounts(6)
    await using one = Inside.worker({ url: pooled.url }, some)
    await Effect.runPromise(queue({ url: pooled.url, accounts: Inside.namesOf(some) }))
    await one.until("Synced", 6)
    expect(one.events.every(({ _tag }) => _tag === "Synced")).toBe(true)
    const reads = "select account, collection from deedkit.sync_run group by 1, 2 having count(*) > 1"
    expect(await query(address, reads)).toEqual([])
  })
})

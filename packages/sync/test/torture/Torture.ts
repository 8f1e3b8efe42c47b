/**
 * Nights of changes, and processes that are killed with -9, stopped and doubled while they sync. At the end the mirror is compared with the
 * service, and its history with what was changed.
 */
import type { ChildProcess } from "node:child_process"
import { spawn } from "node:child_process"
import { join } from "node:path"
import type { Emulator } from "@deedkit/emulator"
import { make } from "@deedkit/emulator"
import { listen } from "@deedkit/emulator/node"
import { expect } from "vitest"
import type { Served } from "./child.ts"
import { accountOf, expectSound, expectTruth, folder, query } from "../harness/World.ts"

export interface TortureOptions {
  readonly accounts: number
  readonly contracts: number
  readonly nights: number
  /** Processes that are killed in each night. */
  readonly kills: number
  readonly seed: number
}

const randomOf = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const program = join(import.meta.dirname, "child.ts")

const start = (mirror: string, accounts: ReadonlyArray<Served>) => {
  const child = spawn(
    process.execPath,
    ["--conditions=@deedkit/source", program, mirror, JSON.stringify(accounts)],
    {
      stdio: ["ignore", "ignore", "pipe"],
    },
  )
  let said = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text))
  const ended = new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)))
  return { child, ended, said: () => said }
}

/** What a night did to an account: how many versions of each kind the mirror has to have afterwards. */
interface Expected {
  added: number
  changed: number
  removed: number
}

/** Runs it. Fails when a row of the mirror is wrong, missing, or there twice. */
export const torture = async ({
  accounts,
  contracts,
  kills,
  nights,
  seed,
}: TortureOptions): Promise<{ readonly killed: number }> => {
  const random = randomOf(seed)
  const emulators = Array.from({ length: accounts }, (_, at): readonly [string, Emulator] => [
    `acct-${at}`,
    // Half of the services page by a position that says nothing, which needs a second reading.
    make({
      contracts: contracts + (at % 40),
      seed: seed + at,
      assumptions: { cursorKind: at % 4 === 3 ? "string" : "integer" },
    }),
  ])
  await using place = await folder()
  const servers = await Promise.all(emulators.map(([, emulator]) => listen(emulator)))
  const served = emulators.map(([name, { apiKey }], at): Served => ({
    name,
    apiKey,
    baseUrl: servers[at]!.url,
  }))
  const expected: Expected = { added: 0, changed: 0, removed: 0 }
  let requests = 0
  let killed = 0
  let act: (() => void) | null = null
  for (const [, { journal }] of emulators) {
    journal.watch(() => {
      requests += 1
      act?.()
    })
  }
  /** Does something to a process at the request with this number from now on. */
  const afterRequests = (number: number, what: () => void): void => {
    const at = requests + number
    act = () => {
      if (requests < at) return
      act = null
      what()
    }
  }
  const kill = (child: ChildProcess): void => {
    if (child.kill("SIGKILL")) killed += 1
  }
  try {
    for (let night = 0; night < nights; night++) {
      for (const [, { store }] of night === 0 ? [] : emulators) {
        const ids = store.contracts.map(({ id }) => id)
        const [changed, removed] = [ids[random(ids.length)]!, ids[random(ids.length)]!]
        store.update(changed, { status: `night-${night}`, unit_label: `Unit ${random(1_000)}` })
        store.insert({ status: "draft" })
        expected.added += 1
        if (removed === changed) expected.changed += 1
        else {
          store.remove(removed)
          expected.changed += 1
          expected.removed += 1
        }
      }
      for (let at = 0; at < kills; at++) {
        const first = start(place.mirror, served)
        // Every third time another process does the same at the same time; every other of them, the first is paused meanwhile.
        if (at % 3 === 2) {
          afterRequests(1 + random(accounts * 4), () => first.child.kill("SIGSTOP"))
          const second = start(place.mirror, served)
          const code = await second.ended
          act = null
          first.child.kill("SIGCONT")
          const late = await first.ended
          for (const [ending, said] of [
            [code, second.said()],
            [late, first.said()],
          ] as const) {
            // A process that is paused inside of a transaction holds its lock.
            if (said.includes("is locked by another process")) continue
            expect([ending === 3 ? 0 : ending, said]).toEqual([0, ""])
          }
        } else {
          afterRequests(1 + random(accounts * 8), () => kill(first.child))
          await first.ended
          act = null
        }
      }
      const last = start(place.mirror, served)
      expect([await last.ended, last.said()]).toEqual([0, ""])
      expectSound(place.mirror)
      for (const [name, emulator] of emulators) expectTruth(place.mirror, accountOf(name, emulator), emulator)
    }
    const counts = query(
      place.mirror,
      "select change, count(*) as versions from contract_history group by change",
    )
    const before = emulators.reduce((sum, _, at) => sum + contracts + (at % 40), 0)
    expect(Object.fromEntries(counts.map(({ change, versions }) => [change, versions]))).toEqual({
      ...expected,
      added: expected.added + before,
    })
    // What was interrupted may have proven nothing; it was read again then.
    const last = "select max(run) from sync_run group by account, collection"
    expect(
      query(
        place.mirror,
        `select * from sync_run where run in (${last}) and not completeness in ('proven', 'confirmed')`,
      ),
    ).toEqual([])
    return { killed }
  } finally {
    await Promise.all(servers.map((server) => server.close()))
  }
}

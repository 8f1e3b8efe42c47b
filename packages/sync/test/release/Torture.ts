/**
 * Nights of changes, and processes that are killed with -9, stopped and doubled while they sync. At the end the mirror is compared with the
 * service, and its history with what was changed.
 */
import type { ChildProcess } from "node:child_process"
import { spawn } from "node:child_process"
import { join } from "node:path"
import type { Served } from "@deedkit/config/fleet"
import * as Fleet from "@deedkit/config/fleet"
import { make } from "@deedkit/emulator"
import { listen } from "@deedkit/emulator/node"
import { expect } from "vitest"
import { accountOf, expectSound, expectTruth, folder, query } from "../harness/World.ts"

export interface TortureOptions {
  readonly accounts: number
  readonly contracts: number
  readonly nights: number
  /** Processes that are killed in each night. */
  readonly kills: number
  readonly seed: number
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

/** Runs it. Fails when a row of the mirror is wrong, missing, or there twice. */
export const torture = async ({
  accounts,
  contracts,
  kills,
  nights,
  seed,
}: TortureOptions): Promise<{ readonly killed: number; readonly paused: number }> => {
  await using place = await folder()
  // A quarter of the services page by a position that says nothing, which needs a second reading.
  const services = Array.from({ length: accounts }, (_, at) =>
    make({
      contracts: contracts + (at % 40),
      seed: seed + at,
      assumptions: { cursorKind: at % 4 === 3 ? "string" : "integer" },
    }),
  )
  await using fleet = await Fleet.start({ emulators: services, listen, seed })
  const { afterRequests, emulators, forget, random, served } = fleet
  let killed = 0
  let paused = 0
  const kill = (child: ChildProcess): void => {
    if (child.kill("SIGKILL")) killed += 1
  }
  for (let night = 0; night < nights; night++) {
    // Of 60 records, which accounts of 40 have on average, 2 % change, 1 % are new and 0.5 % are removed.
    if (night > 0)
      fleet.change(night, (at) => ({
        added: Number(at % 5 < 3),
        changed: 1 + Number(at % 5 === 4),
        removed: Number(at % 3 === 0),
      }))
    for (let at = 0; at < kills; at++) {
      const first = start(place.mirror, served)
      // Every third time another process does the same at the same time; every other of them, the first is paused meanwhile.
      if (at % 3 === 2) {
        afterRequests(1 + random(accounts * 4), () => {
          if (first.child.kill("SIGSTOP")) paused += 1
        })
        const second = start(place.mirror, served)
        const code = await second.ended
        forget()
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
        forget()
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
  expect(Object.fromEntries(counts.map(({ change, versions }) => [change, versions]))).toEqual(
    fleet.versions(),
  )
  // What was interrupted may have proven nothing; it was read again then.
  const last = "select max(run) from sync_run group by account, collection"
  expect(
    query(
      place.mirror,
      `select * from sync_run where run in (${last}) and not completeness in ('proven', 'confirmed')`,
    ),
  ).toEqual([])
  return { killed, paused }
}

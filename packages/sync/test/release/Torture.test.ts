/**
 * The torture of a release, in about a minute. `DEEDKIT_TORTURE_ACCOUNTS` and `DEEDKIT_TORTURE_PROCESSES`, the processes in each of the
 * two nights, make it larger: two thirds of the processes are killed, the others are paused while another one does the same.
 */
import { describe, expect, it } from "vitest"
import { torture } from "./Torture.ts"

const accounts = Number(process.env["DEEDKIT_TORTURE_ACCOUNTS"] ?? 80)
const processes = Number(process.env["DEEDKIT_TORTURE_PROCESSES"] ?? 21)

describe("dozens of processes that are killed, paused and doubled", () => {
  it(
    "leave the mirror of many accounts as it has to be",
    { timeout: accounts * processes * 2_000 },
    async () => {
      const { killed, paused } = await torture({
        accounts,
        contracts: 40,
        nights: 2,
        kills: processes,
        seed: 1,
      })
      console.log(`${accounts} accounts: ${killed} processes killed, ${paused} paused`)
      expect(killed).toBeGreaterThan(processes)
    },
  )
})

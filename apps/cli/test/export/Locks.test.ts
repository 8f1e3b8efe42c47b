/** An export to a file whose earlier export was killed in another container. `test/RecordFile.test.ts` of the export package has those that start at the same moment. */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { describe, expect, it } from "vitest"
import { bench, program } from "../harness/Cli.ts"
import type { Bench } from "../harness/Cli.ts"

/** Whether a program can be given another host name, as each container has one. Needs Linux, and root. */
const hasHosts = spawnSync("unshare", ["--uts", "true"]).status === 0

const exporting = "export contracts --rate 0 --page-size 10 --quiet --overwrite --out out.csv".split(" ")

/** Starts an export under a host name, and kills it with everything that it started once its record file has pages. */
const killedOn = async (it: Bench, host: string): Promise<void> => {
  const named = `hostname ${host}; exec "$@"`
  const child = spawn("unshare", ["--uts", "sh", "-c", named, "-", process.execPath, program, ...exporting], {
    cwd: it.folder,
    env: {
      PATH: process.env["PATH"],
      DEEDKIT_BASE_URL: it.url,
      DEEDKIT_API_KEY: it.emulator.apiKey,
      HOME: it.folder,
    },
    stdio: "ignore",
  })
  const exited = once(child, "exit")
  while (it.emulator.journal.entries.length < 5) await new Promise((resolve) => setTimeout(resolve, 10))
  child.kill("SIGKILL")
  await exited
  expect(await it.files()).toContain("out.csv.part.records")
  it.emulator.journal.clear()
}

describe("an export whose earlier run was killed", () => {
  it.runIf(hasHosts)("runs in every later container, with and without --resume", async () => {
    await using it = await bench({ contracts: 200, faults: ["latency:ms=50"] })
    for (const more of [[], ["--resume"]]) {
      await killedOn(it, "night-1")
      expect(await it.run([...exporting, ...more])).toMatchObject({ code: 0 })
      it.emulator.journal.clear()
    }
    expect(await it.files()).not.toContain("out.csv.part.records")
  })
})

/**
 * Exports that are killed at random moments and resumed. The files must be, byte for byte, those of a run that was not interrupted.
 * `DEEDKIT_KILLS` sets how many kills there are, `DEEDKIT_SEED` the moments; both are printed.
 */
import { createHash } from "node:crypto"
import { readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { Bench } from "../harness/Cli.ts"
import { bench } from "../harness/Cli.ts"

const kills = Number(process.env["DEEDKIT_KILLS"] ?? 5)
const seed = Number(process.env["DEEDKIT_SEED"] ?? Date.now() % 1_000_000)

/** Numbers from 0 to 1 that follow from the seed. */
const random = (() => {
  let state = seed
  return (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
})()

const files = [
  "out.csv",
  "out.xlsx",
  "out.ndjson",
  "out.json",
  "out.tsv",
  "out.parquet",
  "out.csv.gz",
  "all.ndjson.zst",
]
const exporting = [
  ..."export contracts --rate 0 --page-size 100 --quiet --attempts 2".split(" "),
  ...files.flatMap((file) => ["--out", file]),
]

/** The moment at which a workbook says it was made; without, it is that of its own run. */
const env = { SOURCE_DATE_EPOCH: "1772357400" }

const hashesOf = async (it: Bench): Promise<ReadonlyArray<string>> =>
  Promise.all(
    files.map(async (file) =>
      createHash("sha256")
        .update(await readFile(join(it.folder, file)))
        .digest("hex"),
    ),
  )

describe("an export that is killed and resumed", () => {
  it(
    `ends in the same bytes as an unbroken one, ${kills} kills later (seed ${seed})`,
    async () => {
      await using it = await bench({ contracts: 2_500, hurting: true, faults: ["latency:ms=25"] })
      const started = performance.now()
      expect((await it.run(exporting, { env })).code).toBe(0)
      const millis = performance.now() - started
      const whole = await hashesOf(it)
      let killed = 0
      let resumed = 0
      const isEnough = () => killed >= kills && resumed > 0
      while (!isEnough()) {
        for (const name of await it.files()) await rm(join(it.folder, name))
        for (let goes = 0; ; goes += 1) {
          const { code } = await it.run(goes === 0 ? exporting : [...exporting, "--resume"], {
            env,
            onStart: (child) => {
              if (isEnough()) return
              const timer = setTimeout(() => child.kill("SIGKILL"), 200 + random() * millis)
              child.once("exit", () => clearTimeout(timer))
            },
          })
          if (code === 0) break
          expect(code).toBeNull()
          killed += 1
          const left = await it.files()
          if (left.includes("out.csv.part.records")) resumed += 1
          // The process was on its way out: there is nothing left to resume.
          else if (files.every((file) => left.includes(file))) break
        }
        expect(await hashesOf(it)).toEqual(whole)
        const left = (await it.files()).filter((name) => /\.(?:part|resume)$|interrupted/.test(name))
        expect(left).toEqual([])
      }
    },
    60_000 + kills * 15_000,
  )
})

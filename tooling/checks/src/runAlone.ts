/**
 * Runs randomly chosen tests, each on its own: `node tooling/checks/src/runAlone.ts [COUNT] [SEED] [PROJECT]`, by default 10 tests of all projects.
 * With PROJECT, only of projects whose name contains it, such as `firefox`. A test that passes only after other tests fails here. Exits with code 1
 * if any test fails.
 */
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

interface Test {
  /** The names of its suites and of the test, joined by " > ". */
  readonly name: string
  readonly file: string
  readonly projectName: string
}

const root = join(import.meta.dirname, "..", "..", "..")
const vitest = join(root, "node_modules", "vitest", "vitest.mjs")
const count = Number(process.argv[2] ?? 10)
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000)
const project = process.argv[4] ?? ""
const folder = mkdtempSync(join(tmpdir(), "deedkit-alone-"))
process.on("exit", () => rmSync(folder, { recursive: true, force: true }))

const run = (args: ReadonlyArray<string>): string => {
  const { stderr, stdout } = spawnSync(process.execPath, [vitest, ...args], { cwd: root, encoding: "utf8" })
  return stdout + stderr
}

/** A sequence of numbers from 0 to 1 that is the same for the same seed (mulberry32). */
const randomFrom = (from: number) => {
  let state = from
  return (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const list = join(folder, "list.json")
const listed = run(["list", "--no-static-parse", `--json=${list}`])
const tests = ((): Array<Test> => {
  try {
    const all = JSON.parse(readFileSync(list, "utf8")) as Array<Test>
    return all.filter(({ projectName }) => projectName.includes(project))
  } catch {
    throw new Error(`The tests cannot be listed:\n${listed}`)
  }
})()

/** Null if the test passed, otherwise the output of vitest. */
const problemOf = ({ file, name, projectName }: Test, at: number): string | null => {
  const literal = name.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&")
  // Half of a surrogate pair cannot be an argument of a program.
  const pattern = `^${literal.replace(/\p{Surrogate}/gu, ".")}$`
  const report = join(folder, `${at}.json`)
  const printed = run([
    "run",
    file,
    `--project=${projectName}`,
    `--testNamePattern=${pattern}`,
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
  ])
  try {
    const { numFailedTests, numPassedTests, success } = JSON.parse(readFileSync(report, "utf8")) as {
      readonly numFailedTests: number
      readonly numPassedTests: number
      readonly success: boolean
    }
    return success && numFailedTests === 0 && numPassedTests > 0 ? null : printed
  } catch {
    return printed
  }
}

console.log(`${count} of ${tests.length} tests, seed ${seed}`)
const random = randomFrom(seed)
let failed = 0
for (let at = 0; at < count && tests.length > 0; at++) {
  const [test] = tests.splice(Math.floor(random() * tests.length), 1)
  const problem = problemOf(test!, at)
  console.log(`${problem === null ? "pass" : "FAIL"}  ${test!.projectName}  ${test!.name}`)
  if (problem === null) continue
  console.log(problem)
  failed += 1
}
console.log(`${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

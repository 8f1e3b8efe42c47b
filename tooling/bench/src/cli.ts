/**
 * The start time of the program without any work, compared with an empty Node process, and the size of its installation. The program is built from
 * its sources into a separate folder.
 */
import { spawn, spawnSync } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { median, print, rounds } from "./measure.ts"
import type { Measurement, Row } from "./measure.ts"

const times = 15
const nothing = "node -e 0"
const app = join(import.meta.dirname, "..", "..", "..", "apps", "cli")

/** The processor time of a program that ends by itself, reported by a module that is loaded before it. */
const start = async (args: ReadonlyArray<string>): Promise<Measurement> => {
  const before = performance.now()
  const child = spawn(process.execPath, ["--require", join(import.meta.dirname, "usage.cjs"), ...args], {
    stdio: ["ignore", "ignore", "inherit", "pipe"],
  })
  let micros = ""
  child.stdio[3]?.on("data", (part: Buffer) => (micros += part.toString()))
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve))
  if (code !== 0 || micros === "") throw new Error(`node ${args.join(" ")} ended with ${code}`)
  const wallMillis = performance.now() - before
  return { records: 0, cpuMillis: Number(micros) / 1_000, wallMillis, peakRssMegabytes: 0 }
}

/** The most processor time, as a multiple of an empty process. */
const limits: { readonly [name: string]: number } = { "deedkit --version": 1.5, "deedkit --help": 2.5 }

const startTable = async (program: string): Promise<string> => {
  const commands: { readonly [name: string]: ReadonlyArray<string> } = {
    [nothing]: ["-e", "0"],
    "deedkit --version": [program, "--version"],
    "deedkit --help": [program, "--help"],
  }
  const results = await rounds(Object.keys(commands), times, (name) => start(commands[name]!))
  const rows = Array.from(results, ([name, found]): Row => ({
    name,
    figures: found.map(({ cpuMillis }) => cpuMillis),
    note: `wall ${median(found.map(({ wallMillis }) => wallMillis)).toFixed(0)} ms`,
    limits: name === nothing ? {} : { [nothing]: limits[name]! },
  }))
  return print(`Start of the program, ${times} rounds`, "CPU ms", rows)
}

/** The size of the package that npm makes of a folder. */
const packed = (folder: string): Row => {
  const { stdout } = spawnSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: folder,
    encoding: "utf8",
    shell: process.platform === "win32",
  })
  const [found]: ReadonlyArray<{ readonly size: number; readonly unpackedSize: number }> = JSON.parse(stdout)
  if (found === undefined) throw new Error("npm could not pack the program.")
  const note = `unpacked ${(found.unpackedSize / 1_000).toFixed(0)} kB`
  return { name: "packed", figures: [found.size / 1_000], note, atMost: 525 }
}

export async function* bench(): AsyncGenerator<string> {
  const folder = await mkdtemp(join(tmpdir(), "deedkit-bench-"))
  try {
    const command = ["--conditions=@deedkit/source", join(app, "build.ts"), folder]
    if (spawnSync(process.execPath, command, { stdio: "inherit" }).status !== 0)
      throw new Error("The program could not be built.")
    yield await startTable(join(folder, "deedkit.js"))
    yield print("Size of the program", "kB", [packed(folder)])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

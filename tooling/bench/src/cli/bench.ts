/**
 * The start time of the program without any work, compared with an empty Node process, and the size of its installation. The program is built from
 * its sources into a separate folder.
 */
import { spawn, spawnSync } from "node:child_process"
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Measurement } from "../measure/Child.ts"
import { rounds } from "../measure/Rounds.ts"
import { median, print } from "../measure/Table.ts"
import type { Row } from "../measure/Table.ts"

const count = 15
const nothing = "node -e 0"
const app = join(import.meta.dirname, "..", "..", "..", "..", "apps", "cli")

/** The processor time of a program that ends by itself, reported by a module that is loaded before it. */
const start = async (args: ReadonlyArray<string>): Promise<Measurement> => {
  const usage = join(import.meta.dirname, "usage.cjs")
  const before = performance.now()
  const child = spawn(process.execPath, ["--require", usage, ...args], {
    stdio: ["ignore", "ignore", "inherit", "pipe"],
  })
  let micros = ""
  child.stdio[3]?.on("data", (part: Buffer) => (micros += part.toString()))
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve))
  if (code !== 0 || micros === "") throw new Error(`node ${args.join(" ")} ended with ${code}`)
  const wallMillis = performance.now() - before
  return { records: 0, cpuMillis: Number(micros) / 1_000, wallMillis, peakRssMegabytes: 0 }
}

const startTable = async (program: string): Promise<string> => {
  const commands: { readonly [name: string]: ReadonlyArray<string> } = {
    [nothing]: ["-e", "0"],
    "deedkit --version": [program, "--version"],
    "deedkit --help": [program, "--help"],
  }
  const results = await rounds(Object.keys(commands), count, (name) => start(commands[name] ?? []))
  const rows = [...results].map(([name, found]): Row => {
    const wall = median(found.map(({ wallMillis }) => wallMillis))
    const limits = name === nothing ? {} : { [nothing]: 3.5 }
    return {
      name,
      figures: found.map(({ cpuMillis }) => cpuMillis),
      note: `wall ${wall.toFixed(0)} ms`,
      limits,
    }
  })
  return print(`Start of the program, ${count} rounds`, "CPU ms", rows)
}

interface Packed {
  readonly size: number
  readonly unpackedSize: number
}
const pack = (folder: string): Packed => {
  const { status, stdout } = spawnSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: folder,
    encoding: "utf8",
    shell: process.platform === "win32",
  })
  const [packed]: ReadonlyArray<Packed> = status === 0 ? JSON.parse(stdout) : []
  if (packed === undefined) throw new Error("npm could not pack the program.")
  return packed
}

/** The file that contains exceljs, which is loaded only for workbooks. */
const excelFile = async (folder: string): Promise<string> => {
  for (const name of await readdir(folder)) {
    if ((await readFile(join(folder, name), "utf8")).includes("xl/worksheets/_rels/")) return name
  }
  throw new Error("No file of the program holds exceljs.")
}

const sizeTable = async (folder: string): Promise<string> => {
  const whole = pack(folder)
  await rm(join(folder, "dist", await excelFile(join(folder, "dist"))))
  const without = pack(folder)
  const row = (name: string, { size, unpackedSize }: Packed): Row => ({
    name,
    figures: [size / 1_000],
    note: `unpacked ${(unpackedSize / 1_000).toFixed(0)} kB`,
    limits: {},
  })
  return print("Size of the packed program", "kB", [
    row("whole", whole),
    { ...row("without exceljs", without), atMost: 1_000 },
  ])
}

/** Prints the tables. */
export const bench = async (): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), "deedkit-bench-"))
  try {
    const dist = join(folder, "dist")
    await mkdir(dist)
    const { status } = spawnSync(
      process.execPath,
      ["--conditions=@deedkit/source", join(app, "build.ts"), dist],
      { stdio: "inherit" },
    )
    if (status !== 0) throw new Error("The program could not be built.")
    for (const name of ["package.json", "README.md"]) await copyFile(join(app, name), join(folder, name))
    await cp(join(app, "..", "..", "LICENSE"), join(folder, "LICENSE"))
    console.log(await startTable(join(dist, "deedkit.js")))
    console.log(await sizeTable(folder))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The temporary folder of an export bench, for its bundled programs and files. It is removed afterwards. */
import { spawnSync } from "node:child_process"
import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

export interface Place {
  /** The path of a bundled program, or of the page's script. */
  readonly program: (name: "write" | "run" | "slow" | "page") => string
  /** The path of a temporary file. */
  readonly file: (name: string) => string
  /** The folder of these files. */
  readonly folder: string
}

const run = (script: string, args: ReadonlyArray<string>): void => {
  const command = ["--conditions=@deedkit/source", join(import.meta.dirname, "..", script), ...args]
  const { status } = spawnSync(process.execPath, command, { stdio: "inherit" })
  if (status !== 0) throw new Error(`${script} ended with ${status}`)
}

/** Writes the rows for an external program. */
export const dumpRows = (rows: number, path: string): void => run("dump.ts", [String(rows), path])

/** A folder that is never committed, inside the workspace, so that the bundle finds the peers. */
const cache = join(import.meta.dirname, "..", "..", "..", "node_modules", ".cache")

/** Creates the place and removes it afterwards. */
export const within = async (work: (place: Place) => Promise<void>): Promise<void> => {
  await mkdir(cache, { recursive: true })
  const bundle = await mkdtemp(join(cache, "bundle-"))
  const folder = await mkdtemp(join(tmpdir(), "deedkit-bench-"))
  try {
    run("browser/bundle.ts", [bundle])
    await work({
      program: (name) => join(bundle, `${name}.js`),
      file: (name) => join(folder, name),
      folder,
    })
  } finally {
    for (const path of [bundle, folder]) await rm(path, { recursive: true, force: true })
  }
}

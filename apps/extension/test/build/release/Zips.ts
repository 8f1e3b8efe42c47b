/** Makes what is handed in at the stores: a zip for each browser, and one of the sources. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFile } from "node:fs/promises"
import { join } from "node:path"

export const root = join(import.meta.dirname, "..", "..", "..")

export const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
  readonly version: string
}

/** The names of the zips. */
export const names = ["chrome", "firefox", "sources"].map((part) => `deedkit-${version}-${part}.zip`)

const program = `
import { zip } from "wxt"
const [outDir] = process.argv.slice(1)
for (const browser of ["chrome", "firefox"]) await zip({ root: process.cwd(), mode: "production", browser, outDir })
`

/** The environment of a shell that no test was started from. */
const plain = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:NODE_ENV|NODE_OPTIONS|VITEST.*)$/.test(name)),
  )

/** Runs to the end; gives what was said where it failed, and else null. */
export const run = async (
  command: string,
  args: ReadonlyArray<string>,
  cwd: string,
): Promise<string | null> => {
  const child = spawn(command, args, {
    cwd,
    env: { ...plain(), CI: "true" },
    shell: process.platform === "win32",
  })
  let said = ""
  child.stdout.on("data", (text) => (said += String(text)))
  child.stderr.on("data", (text) => (said += String(text)))
  const [code] = await once(child, "close")
  return code === 0 ? null : said
}

/** Puts the zips into a folder. */
export const make = async (folder: string): Promise<void> => {
  const args = ["--conditions=@deedkit/source", "--input-type=module", "-e", program, folder]
  const problem = await run(process.execPath, args, root)
  if (problem !== null) throw new Error(`the zips could not be made:\n${problem}`)
}

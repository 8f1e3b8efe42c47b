/**
 * The libraries that people would use instead. They stand in a folder with its own lockfile, and are installed when a bench first asks for
 * them, so that nobody installs them for the sake of Deedkit alone.
 */
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"

const folder = join(import.meta.dirname, "..", "peers")

/** Installs the peers, unless they are there. */
export const install = (): void => {
  if (existsSync(join(folder, "node_modules"))) return
  const command = ["-y", "pnpm@12", "install", "--ignore-workspace", "--frozen-lockfile"]
  const { status } = spawnSync("npx", command, {
    cwd: folder,
    stdio: "inherit",
    shell: process.platform === "win32",
  })
  if (status !== 0) throw new Error("The peers could not be installed: is the registry in reach?")
}

/** Imports a peer by its package's name. */
export const load = async <A>(name: string): Promise<A> => {
  const file = createRequire(join(folder, "package.json")).resolve(name)
  return (await import(pathToFileURL(file).href)) as A
}

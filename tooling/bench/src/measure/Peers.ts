/**
 * The libraries that people would use instead. They are in a folder with its own lockfile, and are installed when a bench first needs
 * them, so that Deedkit itself does not depend on them. A library that one of our packages is built on is taken from there.
 */
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"

/** The nearest folder upwards that holds the workspace: this file is also run as part of a bundle, which lies elsewhere. */
const rootAbove = (folder: string): string =>
  existsSync(join(folder, "pnpm-workspace.yaml")) ? folder : rootAbove(dirname(folder))

const root = rootAbove(import.meta.dirname)
const folder = join(root, "tooling", "bench", "peers")

interface Manifest {
  readonly version?: string
  readonly dependencies?: { readonly [name: string]: string }
}
const manifestIn = (path: string): Manifest => JSON.parse(readFileSync(join(path, "package.json"), "utf8"))

const isInstalled = (): boolean => {
  const wanted = Object.entries(manifestIn(folder).dependencies ?? {})
  try {
    return wanted.every(
      ([name, version]) => manifestIn(join(folder, "node_modules", name)).version === version,
    )
  } catch {
    return false
  }
}

/** Installs the peers, unless they are there. */
export const install = (): void => {
  if (isInstalled()) return
  const command = ["-y", "pnpm@12", "install", "--ignore-workspace", "--frozen-lockfile"]
  const { status } = spawnSync("npx", command, {
    cwd: folder,
    stdio: "inherit",
    shell: process.platform === "win32",
  })
  if (status !== 0) throw new Error("The peers could not be installed: is the registry in reach?")
}

/** Imports a peer by its name: the one that a package of ours is built on, or one of the bench's own. */
export const load = async <A>(name: string, builtOnBy?: "export-csv" | "export-xlsx"): Promise<A> => {
  const home = builtOnBy === undefined ? folder : join(root, "packages", builtOnBy)
  const file = createRequire(join(home, "package.json")).resolve(name)
  return (await import(pathToFileURL(file).href)) as A
}

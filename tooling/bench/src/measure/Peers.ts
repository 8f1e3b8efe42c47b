/**
 * The libraries that people would use instead. They are in a folder with its own lockfile and are installed when a bench first needs them, so that
 * Deedkit itself does not depend on them. A library that one of our packages uses is taken from that package.
 */
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"

/** The nearest parent folder that is the workspace root: this file also runs as part of a bundle in another folder. */
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

/** Installs the peers unless they are already installed. */
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

/** Imports a peer by its name: the version that one of our packages uses, or one of the bench's own. */
export const load = async <A>(name: string, builtOnBy?: "export-csv" | "export-xlsx"): Promise<A> => {
  const home = builtOnBy === undefined ? folder : join(root, "packages", builtOnBy)
  const file = createRequire(join(home, "package.json")).resolve(name)
  return (await import(pathToFileURL(file).href)) as A
}

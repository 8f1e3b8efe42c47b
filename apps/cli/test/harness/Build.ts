/**
 * Builds the program once for all tests that start it as a process. It is built inside this package, because the keychain's module is not
 * part of the bundle and has to be found.
 */
import { execFile } from "node:child_process"
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import type { TestProject } from "vitest/node"

declare module "vitest" {
  interface ProvidedContext {
    /** The path of the built program, for `process.execPath`. */
    readonly program: string
  }
}

const app = join(import.meta.dirname, "..", "..")

export default async (project: TestProject): Promise<() => Promise<void>> => {
  const cache = join(app, "node_modules", ".cache")
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, "program-"))
  // Some tests start the program as another user.
  await chmod(folder, 0o755)
  const build = ["--conditions=@deedkit/source", join(app, "build.ts"), folder]
  await promisify(execFile)(process.execPath, build, { cwd: app })
  project.provide("program", join(folder, "deedkit.js"))
  return () => rm(folder, { recursive: true, force: true })
}

/** Runs of the program in a folder that has the folder `read-only`, a disk that is mounted read-only. */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import type { Bench } from "./Cli.ts"
import { program } from "./Cli.ts"

export const canMount =
  process.platform === "linux" && spawnSync("unshare", ["-m", "true"], { stdio: "ignore" }).status === 0
if (!canMount) console.warn("SKIPPED: this user may mount nothing, so no disk is read-only.")

const script = 'mount -t tmpfs -o ro tmpfs read-only && exec "$@"'

/** What the program says on standard error, and its exit code. */
export const runBeside = async (
  it: Bench,
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<{ readonly code: number | null; readonly stderr: string }> => {
  await mkdir(join(it.folder, "read-only"), { recursive: true })
  const child = spawn("unshare", ["-m", "sh", "-c", script, "sh", process.execPath, program, ...args], {
    cwd: it.folder,
    env: {
      PATH: process.env["PATH"],
      HOME: it.folder,
      DEEDKIT_BASE_URL: it.url,
      DEEDKIT_API_KEY: it.emulator.apiKey,
      ...env,
    },
    stdio: ["ignore", "ignore", "pipe"],
  })
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "close")])
  return { code: code as number | null, stderr }
}

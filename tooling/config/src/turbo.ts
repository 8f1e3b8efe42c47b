/** Runs turbo with its telemetry switched off, in the same way on every system: arguments and exit code are passed through. */
import { spawnSync } from "node:child_process"

const { error, status } = spawnSync("turbo", process.argv.slice(2), {
  env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1" },
  shell: process.platform === "win32",
  stdio: "inherit",
})
if (error !== undefined) throw error
process.exitCode = status ?? 1

import { spawnSync } from "node:child_process"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { bench, program } from "../../harness/Cli.ts"

it.skipIf(process.platform === "win32").each([["contracts.csv"], ["../contracts.csv"]])(
  "a command that needs a folder that was removed says so (--out %s)",
  async (out) => {
    await using it = await bench()
    const cwd = join(it.folder, "gone")
    await mkdir(cwd)
    const args = [process.execPath, program, "export", "contracts", "--out", out]
    const { status, stderr } = spawnSync("sh", ["-c", 'rmdir "$PWD" && exec "$@"', "sh", ...args], {
      cwd,
      timeout: 30_000,
      encoding: "utf8",
      env: { ...process.env, DEEDKIT_BASE_URL: it.url, DEEDKIT_API_KEY: it.emulator.apiKey },
    })
    expect([status, stderr]).toEqual([
      10,
      "The folder in which deedkit was started does not exist any more. Change to another folder, and run the same command again.\n",
    ])
  },
)

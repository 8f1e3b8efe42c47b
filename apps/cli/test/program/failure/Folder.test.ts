import { execFile } from "node:child_process"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import type { Bench } from "../../harness/Cli.ts"
import { bench, program } from "../../harness/Cli.ts"

/** Exports to a file from a folder that was removed. */
const exportTo = async (it: Bench, out: string) => {
  const cwd = join(it.folder, "gone")
  await mkdir(cwd)
  const args = [process.execPath, program, "export", "contracts", "--out", out]
  // Asynchronous, because the service is in this process.
  const { code, stderr } = await new Promise<{ code: unknown; stderr: string }>((done) =>
    execFile(
      "sh",
      ["-c", 'rmdir "$PWD" && exec "$@"', "sh", ...args],
      {
        cwd,
        timeout: 30_000,
        env: { ...process.env, DEEDKIT_BASE_URL: it.url, DEEDKIT_API_KEY: it.emulator.apiKey },
      },
      (error, _, stderr) => done({ code: error?.code ?? 0, stderr }),
    ),
  )
  return [code, stderr]
}

it.skipIf(process.platform === "win32").each([["contracts.csv"], ["../contracts.csv"]])(
  "a command that needs a folder that was removed says so (--out %s)",
  async (out) => {
    await using it = await bench()
    expect(await exportTo(it, out)).toEqual([
      10,
      "The folder in which deedkit was started does not exist any more. Change to another folder, and run the same command again.\n",
    ])
  },
)

it.skipIf(process.platform === "win32")("an export to another folder needs none", async () => {
  await using it = await bench({ contracts: 3 })
  const out = join(it.folder, "contracts.csv")
  expect(await exportTo(it, out)).toEqual([0, expect.stringContaining(`${out}: 3 rows`)])
  expect(await it.files()).toEqual(["contracts.csv", "contracts.csv.manifest.json"])
})

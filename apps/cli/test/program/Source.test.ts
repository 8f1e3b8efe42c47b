/** The program from its sources, as a checkout runs it. Every other test that starts a process starts the build. */
import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import { bench } from "../harness/Cli.ts"

const bin = join(import.meta.dirname, "..", "..", "src", "bin.ts")

describe("the program from its sources", () => {
  it("prints the same version and the same records as the build", async () => {
    await using it = await bench({ contracts: 3 })
    const env = { DEEDKIT_BASE_URL: it.url, DEEDKIT_API_KEY: it.emulator.apiKey, HOME: it.folder, TZ: "UTC" }
    for (const args of [["--version"], ["contracts", "list", "--json"]]) {
      const source = ["--conditions=@deedkit/source", bin, ...args]
      const { stdout } = await promisify(execFile)(process.execPath, source, { cwd: it.folder, env })
      expect(stdout).not.toBe("")
      expect(stdout).toBe((await it.run(args)).stdout)
    }
  })
})

import { readFile, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { bench } from "./Cli.ts"

const hostile = "\u001B]0;pwned\u0007\u001B[31mX\u009B2J\nSaved."
const controls = /(?!\n)\p{Cc}/u

describe("deedkit export verify", () => {
  it("shows nothing of a manifest that a terminal would act upon", async () => {
    await using it = await bench({ contracts: 3 })
    const path = join(it.folder, "a.csv")
    await it.call(["export", "contracts", "--out", path, "--quiet"])
    const manifestPath = `${path}.manifest.json`
    const manifest = JSON.parse(await readFile(manifestPath, "utf8")) as Record<string, unknown>
    const said = { verdict: hostile, origin: hostile, startedAt: hostile, reasons: [hostile] }
    const tables = [{ table: hostile, rows: 3 }]
    await writeFile(manifestPath, JSON.stringify({ ...manifest, ...said, tables }))
    const { code, stdout } = await it.call(["export", "verify", path])
    expect(code).toBe(0)
    expect(stdout).not.toMatch(controls)
    expect(stdout.trimEnd().split("\n")).toHaveLength(3)
    expect(stdout).toContain("␛]0;pwned␇␛[31mX\uFFFD2J␊Saved.")
    const { stdout: document } = await it.call(["export", "verify", path, "--json"])
    expect(document).not.toMatch(controls)
    expect(JSON.parse(document)).toMatchObject([{ manifest: said }])
  })

  it("shows nothing of a file's name that a terminal would act upon", async () => {
    await using it = await bench({ contracts: 3 })
    const path = join(it.folder, "a\n\u001B[31m.csv")
    const written = await it.call(["export", "contracts", "--out", path])
    expect(written.stderr).toContain("a␊␛[31m.csv: 3 rows")
    const { stdout } = await it.call(["export", "verify", path])
    expect(stdout).toContain("a␊␛[31m.csv: as exported\n")
    const planned = await it.call(["export", "contracts", "--out", path, "--plan"])
    expect(planned.stdout).toContain("a␊␛[31m.csv as csv.\n")
    await rename(path, join(it.folder, "b.csv"))
    const missing = await it.call(["export", "verify", path])
    expect(missing.code).toBe(10)
    expect(missing.stderr.trimEnd().split("\n")).toHaveLength(1)
    for (const { stderr, stdout: out } of [written, planned, missing]) {
      expect(stderr + out).not.toMatch(controls)
    }
  })

  it.each(["{}", "null", '{"version":1,"verdict":"complete","files":[]}', "["])(
    "says that %s is no manifest",
    async (text) => {
      await using it = await bench()
      await writeFile(join(it.folder, "a.csv.manifest.json"), text)
      const { code, stderr } = await it.call(["export", "verify", join(it.folder, "a.csv")])
      expect(code).toBe(10)
      expect(stderr).toContain("is not a manifest of an export that can be read")
    },
  )
})

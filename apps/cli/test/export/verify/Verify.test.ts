import { execFileSync } from "node:child_process"
import { appendFile, readFile, rename, rm, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { Bench } from "../../harness/Cli.ts"
import { bench, lastJson } from "../../harness/Cli.ts"

const hostile = "\u001B]0;pwned\u0007\u001B[31mX\u009B2J\nSaved.\u202Egnp"
const controls = /(?!\n)[\p{Cc}\p{Bidi_Control}]/u

describe("deedkit export verify", () => {
  it("shows nothing of a manifest that a terminal would act upon", async () => {
    await using it = await bench({ contracts: 3 })
    const path = join(it.folder, "a.csv")
    await it.call(["export", "contracts", "--out", path, "--quiet"])
    const manifestPath = `${path}.manifest.json`
    const manifest = JSON.parse(await readFile(manifestPath, "utf8")) as Record<string, unknown>
    const said = {
      verdict: hostile,
      origin: hostile,
      startedAt: hostile,
      endedAt: hostile,
      reasons: [hostile],
      account: { profile: hostile, keyFingerprint: hostile, me: { [hostile]: hostile }, meReason: hostile },
    }
    const tables = [{ table: hostile, rows: 3 }]
    await writeFile(manifestPath, JSON.stringify({ ...manifest, ...said, tables }))
    const checked = await it.call(["export", "verify", path, "--max-age", "1d"])
    expect(checked.code).toBe(9)
    expect(checked.stdout + checked.stderr).not.toMatch(controls)
    expect(checked.stdout.trimEnd().split("\n")).toHaveLength(6)
    expect(checked.stderr.trimEnd().split("\n")).toHaveLength(2)
    expect(checked.stdout).toContain("␛]0;pwned␇␛[31mX\uFFFD2J␊Saved.")
    const { stderr, stdout: document } = await it.call(["export", "verify", path, "--json"])
    expect(document + stderr).not.toMatch(controls)
    expect(JSON.parse(document)).toMatchObject([{ manifest: said }])
  })

  it("shows nothing of a file's name that a terminal would act upon", async () => {
    await using it = await bench({ contracts: 3 })
    const path = join(it.folder, "a\n\u001B[31m.csv")
    const written = await it.call(["export", "contracts", "--out", path])
    expect(written.stderr).toContain("a␊␛[31m.csv: 3 rows")
    const { stdout } = await it.call(["export", "verify", path])
    expect(stdout).toContain("a␊␛[31m.csv: matches its manifest\n")
    const planned = await it.call(["export", "contracts", "--out", path, "--dry-run"])
    expect(planned.stdout).toContain("a␊␛[31m.csv as csv.\n")
    await rename(path, join(it.folder, "b.csv"))
    const missing = await it.call(["export", "verify", path])
    expect(missing.code).toBe(10)
    expect(missing.stderr.trimEnd().split("\n")).toHaveLength(1)
    for (const { stderr, stdout: out } of [written, planned, missing]) {
      expect(stderr + out).not.toMatch(controls)
    }
  })

  it.each(["a pipe", "/dev/zero"])(
    "refuses a manifest that is %s by its name, and does not wait",
    async (what) => {
      await using it = await bench()
      const path = join(it.folder, "a.csv")
      if (what === "a pipe") execFileSync("mkfifo", [`${path}.manifest.json`])
      else await symlink(what, `${path}.manifest.json`)
      const { code, stderr } = await it.call(["export", "verify", path])
      expect([code, stderr]).toEqual([
        10,
        expect.stringContaining(`${path}.manifest.json is not a regular file`),
      ])
      const named = await it.call(["export", "verify", path, "--manifest", `${path}.manifest.json`])
      expect([named.code, named.stderr]).toEqual([10, stderr])
      await rm(`${path}.manifest.json`)
    },
  )

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

/** Files a, b and c, each an export of its own. */
const three = async (it: Bench): Promise<ReadonlyArray<string>> => {
  const paths = ["a.csv", "b.ndjson", "c.xlsx"].map((name) => join(it.folder, name))
  for (const path of paths) {
    expect((await it.call(["export", "keys", "--out", path, "--quiet"])).code).toBe(0)
  }
  return paths
}

const edit = async (path: string, said: object): Promise<void> => {
  const manifestPath = `${path}.manifest.json`
  const manifest = JSON.parse(await readFile(manifestPath, "utf8")) as object
  await writeFile(manifestPath, JSON.stringify({ ...manifest, ...said }))
}

describe("the check of several files", () => {
  it("reports each of them, whatever is wrong with the others, and ends with the worst code", async () => {
    await using it = await bench()
    const [a = "", b = "", c = ""] = await three(it)
    const whole = await it.call(["export", "verify", a, b, c])
    expect([whole.code, whole.stderr]).toEqual([0, ""])
    for (const path of [a, b, c]) expect(whole.stdout).toContain(`${path}: matches its manifest\n`)

    await edit(c, { verdict: "partial", reasons: ["Why."] })
    const partial = await it.call(["export", "verify", a, b, c])
    expect([partial.code, partial.stderr]).toEqual([
      9,
      `${c}: the export is not complete (partial). Export again, or read its reasons.\n`,
    ])

    await rm(b)
    await rm(`${b}.manifest.json`)
    await appendFile(a, "x")
    const mixed = await it.call(["export", "verify", b, c, a, join(it.folder, "none.csv")])
    expect(mixed.code).toBe(10)
    expect(mixed.stdout).toContain(
      `${b}: not checked\n  ${b}.manifest.json does not exist. Check the path. --manifest FILE names another manifest.\n`,
    )
    expect(mixed.stdout).toContain(`${c}: matches its manifest\n  partial: 12 rows of keys`)
    expect(mixed.stdout).toMatch(/a\.csv: differs from its manifest, [\d,]+ bytes instead of [\d,]+ bytes\n/)
    expect(mixed.stdout).toContain("none.csv: not checked\n")
    expect(mixed.stderr.trimEnd().split("\n")).toHaveLength(4)
    expect(mixed.stderr).toContain(
      `${a} does not match its manifest. Do not rely on it: export again, or find out what changed it.\n`,
    )
  })

  it("is a document for each of them, for programs", async () => {
    await using it = await bench()
    const [a = "", b = "", c = ""] = await three(it)
    await appendFile(a, "x")
    await edit(b, { verdict: "unverified" })
    const { code, stderr, stdout } = await it.call(["export", "verify", a, b, c, `${c}.none`, "--json"])
    expect(code).toBe(10)
    expect(JSON.parse(stdout)).toMatchObject([
      { path: a, isIntact: false, files: [{ state: "differs" }], problems: [{ exitCode: 10 }] },
      { path: b, isIntact: true, problems: [{ path: b, exitCode: 9 }] },
      { path: c, isIntact: true, problems: [] },
      { path: `${c}.none`, error: "FileMissing", exitCode: 10 },
    ])
    expect(lastJson(stderr)).toMatchObject({
      error: "NotVerified",
      exitCode: 10,
      problems: [{ path: a }, { path: b }, { path: `${c}.none` }],
    })
  })
})

describe("the age of an export", () => {
  const hours = (ago: number): string => new Date(Date.now() - ago * 3_600_000).toISOString()

  it.each<[string, unknown, number]>([
    ["36h", hours(1), 0],
    ["36h", hours(35.9), 0],
    ["36h", hours(36.1), 9],
    ["2d", hours(47), 0],
    ["2d", hours(49), 9],
    ["90m", hours(2), 9],
    ["1.5h", hours(1.4), 0],
    ["1w", hours(167), 0],
    ["36h", hours(-1), 9],
    ["36h", "yesterday", 9],
    ["36h", null, 9],
  ])("of at most %s is judged by the end of the export: %j ends with %i", async (maxAge, endedAt, code) => {
    await using it = await bench()
    const path = join(it.folder, "a.csv")
    await it.call(["export", "keys", "--out", path, "--quiet"])
    await edit(path, { endedAt })
    const checked = await it.call(["export", "verify", path, "--max-age", maxAge])
    expect(checked.code).toBe(code)
    expect(checked.stderr === "").toBe(code === 0)
    if (maxAge === "2d" && code === 9)
      expect(checked.stderr).toContain("Z, longer ago than 2d. Export again.")
    expect((await it.call(["export", "verify", path])).code).toBe(0)
  })

  it.each(["36", "h", "0h", "-1h", "1y", "36 moons", "", "1e9d", "1h1m"])("cannot be %j", async (span) => {
    await using it = await bench()
    const { code, stderr, stdout } = await it.call(["export", "verify", "a.csv", `--max-age=${span}`])
    expect([code, stdout]).toEqual([2, ""])
    expect(stderr).toContain("--max-age")
  })
})

describe("a renamed export", () => {
  it("is checked with its manifest", async () => {
    await using it = await bench()
    const [a = ""] = await three(it)
    const renamed = join(it.folder, "Μάρτιος 2026.csv")
    await rename(a, renamed)
    const alone = await it.call(["export", "verify", renamed])
    expect([alone.code, alone.stdout]).toEqual([10, expect.stringContaining("not checked")])
    const args = ["export", "verify", renamed, "--manifest", `${a}.manifest.json`]
    expect((await it.call(args)).stdout).toContain(`${renamed}: matches its manifest\n`)
    await appendFile(renamed, "x")
    expect((await it.call(args)).code).toBe(10)
  })
})

describe("the check of an export", () => {
  it("never claims more than accidental changes", async () => {
    await using it = await bench()
    const [a = ""] = await three(it)
    const texts = [
      (await it.call(["export", "verify", a])).stdout,
      (await it.call(["export", "verify", "--help"])).stdout,
      (await it.call(["export", "--help"])).stdout,
    ].join("\n")
    expect(texts).toContain("this finds accidental changes, not deliberate ones")
    expect(texts).not.toMatch(
      /\bprov(?:e|es|en)\b|as exported|as it was exported|untouched|tamper|authentic/i,
    )
    const readmes = await Promise.all(
      [
        "README.md",
        "apps/cli/README.md",
        "apps/cli/docs/complete.md",
        "packages/export/README.md",
        "packages/export/docs/runs.md",
      ].map((name) => readFile(join(import.meta.dirname, "../../../../..", name), "utf8")),
    )
    for (const readme of readmes) expect(readme).not.toMatch(/\bable to prove\b|\bcan prove\b|as exported/i)
  })
})

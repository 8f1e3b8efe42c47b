import { join } from "node:path"
import { readFile, writeFile } from "node:fs/promises"
import { make } from "@deedkit/emulator"
import { listen } from "@deedkit/emulator/node"
import { describe, expect, it } from "vitest"
import type { Bench } from "../harness/Cli.ts"
import { bench, run } from "../harness/Cli.ts"
import type { Ended } from "../harness/InProcess.ts"

interface Offices extends AsyncDisposable {
  readonly folder: string
  readonly acme: Bench["emulator"]
  readonly run: (command: string) => Promise<Ended>
  readonly file: (name: string) => Promise<string>
  /** The exported files. */
  readonly files: () => Promise<ReadonlyArray<string>>
}

/** Two profiles of two services: acme with 30 contracts, beta with 20. */
const offices = async (): Promise<Offices> => {
  const it = await bench({ contracts: 30 })
  const other = make({ contracts: 20, seed: 2 })
  const server = await listen(other)
  for (const [name, baseUrl, key] of [
    ["acme", it.url, it.emulator.apiKey],
    ["beta", server.url, other.apiKey],
  ] as const) {
    const path = join(it.folder, `${name}.key`)
    await writeFile(path, key, { mode: 0o600 })
    const login = ["auth", "login", "--profile", name, "--base-url", baseUrl, "--key-file", path]
    expect((await run(login, { cwd: it.folder })).code).toBe(0)
  }
  return {
    folder: it.folder,
    acme: it.emulator,
    run: (command) => run(command.split(" "), { cwd: it.folder }),
    file: it.file,
    files: async () => (await it.files()).filter((name) => /\.(?:csv|xlsx)$/.test(name)),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([server.close(), it[Symbol.asyncDispose]()])
    },
  }
}

const rows = (csv: string): number => csv.trimEnd().split("\r\n").length - 1

describe("an export of several profiles", () => {
  it("writes the contracts of each to its own file", async () => {
    await using it = await offices()
    const named = await it.run("export contracts --profile beta --profile=acme --out {profile}.csv")
    expect([named.code, named.stdout]).toEqual([0, ""])
    expect(named.stderr).toMatch(/beta\.csv: 20 rows[^]*acme\.csv: 30 rows/)
    expect([rows(await it.file("acme.csv")), rows(await it.file("beta.csv"))]).toEqual([30, 20])
    const all = await it.run("export keys --all --out keys-{profile}.csv --quiet")
    expect([all.code, all.stderr]).toEqual([0, ""])
    const report = await it.run("export report --all --out {profile}.xlsx --quiet")
    expect([report.code, report.stderr]).toEqual([0, ""])
    expect(await it.files()).toEqual([
      "acme.csv",
      "acme.xlsx",
      "beta.csv",
      "beta.xlsx",
      "keys-acme.csv",
      "keys-beta.csv",
    ])
    const manifest = JSON.parse(await it.file("beta.csv.manifest.json")) as { account: { profile: string } }
    expect(manifest.account.profile).toBe("beta")
  })

  it("goes on where one fails, and ends with its exit code and a line for it", async () => {
    await using it = await offices()
    it.acme.faults.set(["ok-false"])
    const { code, stderr } = await it.run("export contracts --all --out {profile}.csv --quiet")
    expect(code).toBe(8)
    expect(stderr).toMatch(/^acme: .+/m)
    expect(stderr).toMatch(/\n1 of 2 accounts needs attention\.\n$/)
    expect(await it.files()).toEqual(["beta.csv"])
    await writeFile(join(it.folder, "beta.key"), "dk_revoked_0000", { mode: 0o600 })
    const both = await it.run("export contracts --all --out {profile}.csv --quiet --overwrite")
    expect([both.code, both.stderr]).toEqual([9, expect.stringContaining("2 of 2 accounts need attention.")])
    expect(rows(await readFile(join(it.folder, "beta.csv"), "utf8"))).toBe(20)
  })

  it("shows a command to resume that names all profiles again", async () => {
    await using it = await offices()
    it.acme.faults.set(["server-error:requests=3"])
    const { stderr } = await it.run(
      "export contracts --all --out {profile}.csv --page-size 10 --attempts 1 --rate 0",
    )
    expect(stderr).toContain("deedkit export contracts --all --out '{profile}.csv' --page-size 10")
    it.acme.faults.set([])
    const again = await it.run(
      "export contracts --all --out {profile}.csv --page-size 10 --attempts 1 --rate 0 --resume --overwrite",
    )
    expect([again.code, rows(await it.file("acme.csv"))]).toEqual([0, 30])
  })

  it("prints one line of JSON for each", async () => {
    await using it = await offices()
    const { code, stdout } = await it.run("export keys --all --out {profile}.csv --json")
    const verdicts = stdout
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as { manifest: { verdict: string } }).manifest.verdict)
    expect([code, verdicts]).toEqual([0, ["complete", "complete"]])
  })

  it.each([
    ["export contracts --all --out all.csv", "Add {profile} to the name"],
    ["export contracts --all --out -", "Add {profile} to the name"],
    ["export contracts --all --profile acme --out {profile}.csv", "--all and --profile cannot be combined"],
    ["export contracts --profile acme --profile acme --out {profile}.csv", "acme is named twice"],
    [
      "export contracts --profile acme --profile beta --from m.sqlite --out {profile}.csv",
      "accounts and no profiles",
    ],
    ["export contracts --all --data-columns", "--data-columns reads one profile"],
  ])("refuses %s before anything is sent", async (command, words) => {
    await using it = await offices()
    it.acme.journal.clear()
    const { code, stderr } = await it.run(command)
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)])
    expect(it.acme.journal.entries).toEqual([])
  })
})

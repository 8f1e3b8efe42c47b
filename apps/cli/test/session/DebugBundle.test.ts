import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmod, stat, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { withoutSecrets } from "../../src/failure/TypedSecrets.ts"
import { bench, program } from "../harness/Cli.ts"
import { canMount, runBeside } from "../harness/ReadOnlyDisk.ts"

interface Bundle {
  readonly args: ReadonlyArray<string>
  readonly exitCode: number
  readonly error: { readonly error: string } | null
  readonly events: ReadonlyArray<{ readonly _tag: string }>
}

describe("a debug bundle", () => {
  it("says what was done and how it ended, and holds no key", async () => {
    await using it = await bench({ faults: ["rate-limit:page=2,times=1"] })
    const args = ["contracts", "list", "--all", "--quiet", "--debug-bundle", "bundle.json"]
    expect((await it.run(args)).code).toBe(0)
    const bundle = JSON.parse(await it.file("bundle.json")) as Bundle
    expect(bundle).toMatchObject({ args, exitCode: 0, error: null, eventsLeftOut: 0 })
    const tags = new Set(bundle.events.map(({ _tag }) => _tag))
    expect([...tags]).toEqual(expect.arrayContaining(["Attempted", "Waiting", "PageRead"]))
    expect((await stat(join(it.folder, "bundle.json"))).mode & 0o777).toBe(0o600)
  })

  it("is written where a command fails, and names no home folder", async () => {
    await using it = await bench({ faults: ["ok-false"] })
    const home = join(it.folder, "managers-home-1f2e3d")
    const out = join(home, "nowhere-at-all", "x.csv")
    const failed = `--debug-bundle=${join(it.folder, "failed.json")}`
    expect((await it.call(["me", "--json", failed])).code).toBe(8)
    expect(JSON.parse(await it.file("failed.json"))).toMatchObject({ exitCode: 8, error: { error: "NotOk" } })
    const args = ["export", "keys", "--out", out, "--debug-bundle", "home.json"]
    expect((await it.run(args, { env: { HOME: home } })).code).toBe(8)
    const text = await it.file("home.json")
    expect(text).not.toContain(home)
    expect(text).toContain("~/nowhere-at-all/x.csv")
  })

  it.skipIf(!canMount)("on a read-only file system says so, and what to do", async () => {
    await using it = await bench({ contracts: 3 })
    const { code, stderr } = await runBeside(it, ["me", "--quiet", "--debug-bundle", "read-only/bundle.json"])
    expect([code, stderr]).toEqual([
      0,
      "The debug bundle could not be written (its file system is mounted read-only; choose another path).\n",
    ])
  })

  it("is written where the arguments are wrong, too", async () => {
    await using it = await bench()
    const args = ["me", "--frob", "--debug-bundle", join(it.folder, "usage.json")]
    expect((await it.call(args)).code).toBe(2)
    expect(JSON.parse(await it.file("usage.json"))).toMatchObject({ exitCode: 2 })
  })

  it.runIf(process.platform === "linux" && process.getuid?.() === 0)(
    "is written for a user without a name and a home folder, as in containers",
    async () => {
      await using it = await bench()
      await chmod(it.folder, 0o777)
      const child = spawn(process.execPath, [program, "me", "--debug-bundle", "bundle.json"], {
        cwd: it.folder,
        uid: 54_321,
        env: { DEEDKIT_BASE_URL: it.url, DEEDKIT_API_KEY: it.emulator.apiKey },
        stdio: "ignore",
      })
      expect(await once(child, "close")).toEqual([0, null])
      expect(JSON.parse(await it.file("bundle.json"))).toMatchObject({ exitCode: 0 })
    },
  )

  it("never replaces a file", async () => {
    await using it = await bench()
    const path = (name: string): string => join(it.folder, name)
    for (const name of ["notes.txt", "o.csv"]) await writeFile(path(name), "mine")
    for (const name of ["notes.txt", "o.csv"]) {
      const args = ["export", "keys", "--out", path("o.csv"), "--overwrite", "--debug-bundle", path(name)]
      const { code, stderr } = await it.call(args)
      expect([code, stderr]).toEqual([2, expect.stringContaining(`${name} exists already`)])
      expect(await it.file(name)).toBe("mine")
    }
    await symlink(path("elsewhere"), path("link.json"))
    expect((await it.call(["me", "--debug-bundle", path("link.json")])).code).toBe(2)
    expect(await it.files()).not.toContain("elsewhere")
    expect(it.emulator.journal.entries).toEqual([])
    const one = path("new.csv")
    const both = await it.call(["export", "keys", "--out", one, "--quiet", "--debug-bundle", one])
    expect([both.code, both.stderr]).toEqual([0, "The debug bundle could not be written (EEXIST).\n"])
    expect(await it.file("new.csv")).toContain("Scopes")
    expect((await it.run(["me", "--debug-bundle", "--json"])).code).toBe(2)
    expect(await it.files()).not.toContain("--json")
  })

  it.each([
    [
      ["me", "--api-key=abc", "--token", "def"],
      ["me", "--api-key=(left out)", "--token", "(left out)"],
    ],
    [
      ["sync", "--to", "postgres://u:s3cret@h:5/db"],
      ["sync", "--to", "postgres://h:5"],
    ],
    [["--base-url=https://u:p@h.test/a?k=1"], ["--base-url=https://h.test"]],
    [
      ["--to", "postgres://u:1/s3cret@h/db"],
      ["--to", "(left out)"],
    ],
    [
      ["--to", "u:s3cret@h/db"],
      ["--to", "(left out)"],
    ],
    [
      ["--to", "host=h password=s3cret"],
      ["--to", "(left out)"],
    ],
    [
      ["--header", "Authorization: Bearer abc"],
      ["--header", "(left out)"],
    ],
    [
      ["dk_live_Zq9xW7vT3mR5", "--dk_live_Zq9xW7vT3mR5"],
      ["(left out)", "(left out)"],
    ],
    [
      ["--out", "/a b/contracts-2026-11-24.csv.gz"],
      ["--out", "/a b/contracts-2026-11-24.csv.gz"],
    ],
    [
      ["contracts", "list", "--where", "created_at>=2026-03-01", "--limit=5", "-"],
      ["contracts", "list", "--where", "created_at>=2026-03-01", "--limit=5", "-"],
    ],
  ])("has of %j what holds no secret", (args, shown) => {
    expect(withoutSecrets(args)).toEqual(shown)
  })

  it("that cannot be written is told of, and changes nothing else", async () => {
    await using it = await bench()
    const { code, stderr } = await it.call([
      "me",
      "--quiet",
      "--debug-bundle",
      join(it.folder, "nowhere", "b.json"),
    ])
    expect([code, stderr]).toEqual([0, "The debug bundle could not be written (ENOENT).\n"])
  })
})

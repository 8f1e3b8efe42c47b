import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { account } from "../../harness/Account.ts"
import { bench } from "../../harness/Cli.ts"

const today = () => new Date().toISOString().slice(0, 10)

describe("--out", () => {
  it("makes folders and fills in the profile, the day and the table", async () => {
    await using it = await account({ contracts: 30 })
    const login = ["auth", "login", "--profile", "office", "--base-url", it.url, "--with-key"]
    expect((await it.pipe([...login, "--insecure-storage"], it.emulator.apiKey)).code).toBe(0)
    const night = join(it.folder, "nights", "{profile}", "{date}")
    const args = ["export", "all", "--out", join(night, "{table}.csv.gz"), "--rate", "0"]
    const { code, stderr } = await it.pipe(args, "")
    const folder = join(it.folder, "nights", "office", today())
    expect([code, stderr]).toEqual([0, expect.stringContaining("contracts.csv.gz: 30 rows")])
    expect((await readdir(folder)).filter((name) => name.endsWith(".gz")).toSorted()).toEqual([
      "contracts.csv.gz",
      "keys.csv.gz",
      "summary.csv.gz",
    ])
  })

  it("takes the day of this machine's zone or of --time-zone, and says which", async () => {
    await using it = await bench({ contracts: 3 })
    const args = "export keys --out new/{date}.csv --rate 0".split(" ")
    // 26 hours apart: never the same day.
    const hours = { "Etc/GMT+12": -12, "Pacific/Kiritimati": 14, UTC: 0 }
    const dayIn = (zone: keyof typeof hours) =>
      new Date(Date.now() + hours[zone] * 3_600_000).toISOString().slice(0, 10)
    const [early, late] = ["Etc/GMT+12", "Pacific/Kiritimati"] as const
    const local = await it.run(args, { env: { TZ: late } })
    expect([local.code, local.stderr]).toEqual([
      0,
      expect.stringContaining(`{date} is ${dayIn(late)} in ${late}.\n`),
    ])
    const chosen = await it.run([...args, "--time-zone", early], { env: { TZ: late } })
    expect(chosen.stderr).toContain(`{date} is ${dayIn(early)} in ${early}.\n`)
    expect(chosen.stderr).toContain(`\n${join("new", `${dayIn(early)}.csv`)}: 12 rows`)
    expect(chosen.stderr).toMatch(/, read \d{4}-\d\d-\d\d \d\d:\d\d:\d\d-\d\d:\d\d:\d\d \+14:00, complete\./)
    const nowhere = await it.run([...args, "--overwrite"], { env: { TZ: "Nowhere/X" } })
    expect(nowhere.stderr).toContain(`{date} is ${dayIn("UTC")} in UTC.\n`)
    const plain = await it.run("export keys --out plain.csv --rate 0".split(" "))
    expect(plain.stderr).not.toContain("{date}")
  })

  it("writes the day in the same form where Node has no language but English", async () => {
    await using it = await bench({ contracts: 3 })
    const english = `const Form = Intl.DateTimeFormat
      Intl.DateTimeFormat = class extends Form { constructor(_, options) { super("en-US", options) } }`
    const preload = `--import=data:text/javascript,${encodeURIComponent(english)}`
    const env = { NODE_OPTIONS: preload, TZ: "UTC" }
    const { code } = await it.run(["export", "keys", "--out", "{date}.csv", "--rate", "0"], { env })
    expect([code, await it.files()]).toEqual([0, expect.arrayContaining([`${today()}.csv`])])
  })

  it("keeps its day in the command that resumes an interrupted export", async () => {
    await using it = await bench({ contracts: 300, faults: ["server-error:requests=4"] })
    const { stderr } = await it.run(
      "export contracts --out {table}-{date}.csv --page-size 50 --attempts 1 --rate 0 --quick".split(" "),
    )
    expect(stderr).toContain(`deedkit export contracts --out '{table}-${today()}.csv' --page-size 50`)
    const again = `export contracts --out {table}-${today()}.csv --page-size 50 --attempts 1 --rate 0 --quick --resume`
    expect((await it.run(again.split(" "))).code).toBe(9)
    expect(await it.files()).toContain(`contracts-${today()}.csv`)
  })

  it("packs what ends in .gz or .zst, in every format of a read, and verify checks it", async () => {
    await using it = await bench({ contracts: 30 })
    const args = "export contracts --format csv --format ndjson --out new/{table}.gz --rate 0".split(" ")
    expect((await it.run(args)).code).toBe(0)
    expect(await it.files()).toContain("new")
    expect((await readdir(`${it.folder}/new`)).toSorted()).toEqual([
      "contracts.csv.gz",
      "contracts.csv.gz.manifest.json",
      "contracts.ndjson.gz",
      "contracts.ndjson.gz.manifest.json",
    ])
    const lines = gunzipSync(await readFile(`${it.folder}/new/contracts.ndjson.gz`))
      .toString()
      .trim()
      .split("\n")
    expect(lines).toHaveLength(30)
    const verified = await it.run(["export", "verify", "new/contracts.csv.gz"])
    expect([verified.code, verified.stdout]).toEqual([0, expect.stringContaining("matches its manifest")])
    const rows = gunzipSync(await readFile(`${it.folder}/new/contracts.csv.gz`))
      .toString()
      .trim()
      .split("\r\n")
    const ids = lines.map((line) => String((JSON.parse(line) as { readonly id: number }).id))
    expect(rows.slice(1).map((row) => row.split(",")[0])).toEqual(ids)
  })

  it("makes no folder in a dry run", async () => {
    await using it = await bench({ contracts: 3 })
    const { code, stdout } = await it.run("export keys --out a/{table}-{date}.csv --dry-run".split(" "))
    expect([code, stdout]).toEqual([0, expect.stringContaining(`To a/{table}-${today()}.csv as csv.`)])
    expect(await it.files()).toEqual([])
  })

  it.each([
    ["{profil}.csv", "There is no placeholder {profil} for --out. Use {profile}, {table} or {date}."],
    ["{profile}.csv", "--out names {profile}, and the key is not that of a profile."],
    ["~root/a.csv", "--out ~root/a.csv begins with the home folder of another user."],
    ["$HOME/a.csv", "--out $HOME/a.csv begins with $HOME, which only a shell replaces."],
    ["%USERPROFILE%\\a.csv", "begins with %USERPROFILE%, which only a shell replaces."],
    ["s3://bucket/a.csv", "--out s3://bucket/a.csv is an address"],
    ["file:///srv/a.csv", "--out file:///srv/a.csv is an address"],
  ])("%s is refused before anything is sent", async (out, sentence) => {
    await using it = await bench({ contracts: 3 })
    const { code, stderr } = await it.run(["export", "keys", "--out", out])
    expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)])
    expect(await it.files()).toEqual([])
    expect(it.emulator.journal.entries).toEqual([])
  })
})

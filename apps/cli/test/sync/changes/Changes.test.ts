import { execFile, spawnSync } from "node:child_process"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import Papa from "papaparse"
import { describe, expect, it } from "vitest"
import { read, utils } from "xlsx"
import { age, edit, mirrored } from "../../harness/digest/Mirrored.ts"

describe("deedkit sync changes", () => {
  it("counts records that are read for the first time, and takes none of them for a change", async () => {
    await using it = await mirrored(() => {})
    const { code, stderr, stdout } = await it.call([
      "sync",
      "changes",
      it.mirror,
      "--since",
      "1d",
      "--fail-on-changes",
    ])
    expect([code, stdout]).toEqual([
      0,
      "acme\n  5 contracts read for the first time\n  12 API keys read for the first time\n",
    ])
    expect(stderr).toMatch(/^No changes from \S+Z to \S+Z\.\n$/)
  })

  it.each(["text", "md", "html", "json", "xlsx"])(
    "writes %s with counts, window, account and what is unusual, and fails on request",
    async (format) => {
      await using it = await mirrored()
      const [first, second] = [it.emulator.store.contracts[0]!.id, "removed"]
      const out = join(it.folder, "digest.bin")
      const args = ["sync", "changes", it.mirror, "--since", "1d", "--format", format, "--fail-on-changes"]
      const { code, stderr, stdout } = await it.call([...args, "--out", out])
      expect([code, stdout]).toEqual([12, ""])
      expect(stderr).toMatch(
        /^1 changed \(1 unusual\), 1 removed from \S+Z to \S+Z\.\nThere are 2 changes\.\n$/,
      )
      const bytes = await readFile(out)
      const text =
        format === "xlsx"
          ? read(bytes)
              .SheetNames.map((name) => utils.sheet_to_csv(read(bytes).Sheets[name]!))
              .join("\n")
          : bytes.toString("utf8")
      const day = new Date().toISOString().slice(0, 10)
      const wanted = [String(first), second, "acme", "unusual", "ended", "active", day]
      for (const each of wanted) expect(text.toLowerCase()).toContain(each)
      if (format === "xlsx") return
      // Standard output has the same, but for the moment, and for the last line of text.
      const printed = await it.call(args)
      const general = (each: string) => each.replaceAll(/\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z| UTC)?/g, "TIME")
      expect(printed.code).toBe(12)
      expect(general(text)).toContain(general(printed.stdout))
    },
  )

  it("shows the records of a change whole with --json", async () => {
    await using it = await mirrored()
    const [first] = it.emulator.store.contracts
    const { stdout } = await it.call(["sync", "changes", it.mirror, "--since", "1d", "--json"])
    const document: unknown = JSON.parse(stdout)
    const after: object = { ...first }
    expect(document).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      mirror: "mirror.sqlite",
      counts: { added: 0, changed: 1, removed: 1, returned: 0, unusual: 1 },
      lists: [
        {
          account: "acme",
          collection: "contracts",
          firstRead: 5,
          changes: expect.arrayContaining([
            expect.objectContaining({ id: first!.id, unusual: true, after }),
            expect.objectContaining({ change: "removed", after: null }),
          ]) as Array<object>,
        },
        { account: "acme", collection: "api-keys", firstRead: 12, changes: [] },
      ],
    })
  })

  it("cleans what a terminal might act upon", async () => {
    await using it = await mirrored(({ store }) => {
      store.update(store.contracts[0]!.id, { unit_label: "<b>3C</b>\u001B[2J", status: "ended|*now*" })
    })
    const { stdout } = await it.call(["sync", "changes", it.mirror, "--since", "1d"])
    expect(stdout).toContain("(<b>3C</b>\u241B[2J) changed: ")
    expect(stdout).toContain("status ended -> ended|*now*")
  })

  it("refuses to replace a file, unless it is told to, and leaves no part of one", async () => {
    await using it = await mirrored()
    const out = join(it.folder, "week.md")
    await writeFile(out, "mine")
    const args = ["sync", "changes", it.mirror, "--since", "1d", "--out", out]
    const refused = await it.call(args)
    expect([refused.code, refused.stderr]).toEqual([10, expect.stringContaining("already exists")])
    expect(await it.file("week.md")).toBe("mine")
    expect((await it.call([...args, "--overwrite"])).code).toBe(0)
    expect(await it.file("week.md")).toMatch(/^# Changes\n/)
    expect(await it.files()).toEqual(["accounts.jsonl", "mirror.sqlite", "week.md"])
  })

  it("shows nothing where nothing was seen since, and refuses a moment in the future", async () => {
    await using it = await mirrored()
    age(it.mirror)
    expect((await it.call(["sync", "changes", it.mirror, "--since", "1d"])).stdout).toBe("")
    expect(await it.call(["sync", "changes", it.mirror, "--since", "2100-01-01"])).toEqual({
      code: 2,
      stdout: "",
      stderr: "--since 2100-01-01 is in the future. Choose a moment that has passed.\n",
    })
  })

  it.each([
    ["body = 'x'", "text", "The mirror "],
    ["body = 'x'", "md", "The mirror "],
    ["body = 'x'", "json", "The mirror "],
    ["body = 'x'", "xlsx", "The mirror "],
    ["members = 'x'", "text", "The account acme is damaged in the mirror "],
    ["members = '{}'", "html", "The account acme is damaged in the mirror "],
  ])("says what is damaged where a row was changed to %s, as %s", async (change, format, what) => {
    await using it = await mirrored()
    edit(it.mirror, `update contract_history set ${change} where change = 'changed'`)
    const out = ["--format", format, "--out", join(it.folder, "digest")]
    const { code, stderr } = await it.call(["sync", "changes", it.mirror, "--since", "1d", ...out])
    expect([code, stderr]).toEqual([10, expect.stringMatching(/ is damaged\b.*\. Restore /)])
    expect(stderr.startsWith(`${what}${it.mirror}`)).toBe(true)
    expect(await it.files()).toEqual(["accounts.jsonl", "mirror.sqlite"])
  })
})

const execute = promisify(execFile)
const required = process.env["DEEDKIT_REQUIRE_LIBREOFFICE"] === "1"
const runs = (command: string): boolean => spawnSync(command, ["--version"], { stdio: "ignore" }).status === 0
const withLibreOffice = required || runs("soffice")
if (!withLibreOffice)
  console.warn("SKIPPED: LibreOffice is not installed, so no workbook of a digest is opened in it.")

const formulas = ["=1+1", "@SUM(1+1)", "+cmd|' /C calc'!A0", '=HYPERLINK("https://evil.example","x")']

describe("the workbook of a digest", () => {
  const made = () =>
    mirrored(({ store }) => {
      for (const [at, unit_label] of formulas.entries()) store.update(store.contracts[at]!.id, { unit_label })
    })

  it("holds no formula and no link, whatever names say", async () => {
    await using it = await made()
    const out = join(it.folder, "week.xlsx")
    expect((await it.call(["sync", "changes", it.mirror, "--since", "1d", "--out", out])).code).toBe(0)
    const { SheetNames, Sheets } = read(await readFile(out), { cellFormula: true })
    expect(SheetNames).toEqual(["Cover", "Changes", "Accounts"])
    const rows = utils.sheet_to_json<Record<string, unknown>>(Sheets["Changes"]!)
    expect(new Set(rows.map((row) => row["Name"]))).toEqual(new Set(formulas))
    for (const row of rows) expect([row["What"], row["After"]]).toEqual(["unit_label", row["Name"]])
    expect(utils.sheet_to_json(Sheets["Accounts"]!)).toEqual([
      {
        Account: "acme",
        Added: 0,
        Changed: 4,
        Removed: 0,
        Returned: 0,
        Unusual: 0,
        "Contracts read for the first time": 5,
        "API keys read for the first time": 12,
      },
    ])
    const cells = ["Changes", "Accounts"].flatMap((name) =>
      Object.values(Sheets[name]!).filter(
        (cell): cell is object => typeof cell === "object" && cell !== null,
      ),
    )
    for (const cell of cells) {
      expect(cell).not.toHaveProperty("f")
      expect(cell).not.toHaveProperty("l")
    }
  })

  it.runIf(withLibreOffice)(
    "opens in LibreOffice, which evaluates no cell",
    async () => {
      await using it = await made()
      const out = join(it.folder, "week.xlsx")
      await it.call(["sync", "changes", it.mirror, "--since", "1d", "--out", out])
      await execute(
        "soffice",
        [
          `-env:UserInstallation=file://${join(it.folder, "profile")}`,
          "--headless",
          "--convert-to",
          // The last number is for all sheets, each in its own file.
          "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1",
          "--outdir",
          join(it.folder, "read-back"),
          out,
        ],
        { timeout: 240_000 },
      )
      const csv = await it.file("read-back/week-Changes.csv")
      const { data } = Papa.parse<Record<string, string>>(csv, { header: true, skipEmptyLines: true })
      expect(new Set(data.map((row) => row["Name"]))).toEqual(new Set(formulas))
      expect(new Set(data.map((row) => row["After"]))).toEqual(new Set(formulas))
      expect(await it.file("read-back/week-Cover.csv")).toContain("4 changed.")
    },
    300_000,
  )
})

import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, it, vi } from "vitest"
import * as Pdf from "../../../src/export/Pdf.ts"
import { Environment } from "../../../src/terminal/Environment.ts"
import type { Bench } from "../../harness/Cli.ts"
import { bench } from "../../harness/Cli.ts"
import { screen } from "../../harness/InProcess.ts"

/** Writes its arguments to `args` beside it, and prints whatever it is told to. */
const prints = (lines: string): string =>
  `#!/bin/sh\nprintf '%s\\n' "$@" > "$(dirname "$0")/args"\nwhile [ "$1" != "--outdir" ]; do shift; done\n${lines}\n`
const whole = "%PDF-1.7\nA page.\n%%EOF\n"
const good = prints(
  `cmp "$2/workbook.xlsx" "$3" && printf '${whole.replaceAll("%", "%%")}' > "$2/workbook.pdf"`,
)

/** The search path of a folder with this program in the place of LibreOffice. */
const office = async (it: Bench, script: string, place = "bin"): Promise<string> => {
  const folder = join(it.folder, place)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, "soffice"), script)
  await chmod(join(folder, "soffice"), 0o755)
  return `${folder}:/usr/bin:/bin`
}

const nowhere = { env: { PATH: "/nowhere" } }
const report = (it: Bench, name = "march.xlsx") =>
  ["export", "report", "--rate", "0", "--pdf", "--out", join(it.folder, name)] as const

describe("a report with --pdf", () => {
  it("is printed beside the workbook, by a LibreOffice with a profile of its own that is gone afterwards", async () => {
    await using it = await bench({ contracts: 5 })
    const ended = await it.call(report(it), { env: { PATH: await office(it, good) } })
    expect(ended).toMatchObject({ code: 0 })
    expect(ended.stderr).toMatch(/march\.pdf: 23 B\.\n$/)
    expect(await it.file("march.pdf")).toBe(whole)
    const args = (await it.file("bin/args")).split("\n")
    const [, profile] = /^-env:UserInstallation=file:\/\/(\/.*\/deedkit-pdf-.*)$/.exec(args[0]!)!
    await expect(readFile(profile!)).rejects.toThrow("ENOENT")
    await expect(readFile(args.at(-2)!)).rejects.toThrow("ENOENT")
  })

  it("is printed by a snap, which sees no temporary files of others", async () => {
    await using it = await bench({ contracts: 5 })
    const ended = await it.call(report(it), { env: { PATH: await office(it, good, "snap/bin") } })
    expect(ended).toMatchObject({ code: 0 })
    const args = (await it.file("snap/bin/args")).split("\n")
    expect(args.at(-2)).toMatch(new RegExp(`^${it.folder}/deedkit-pdf-\\w+/workbook\\.xlsx$`))
    expect(await it.files()).toEqual(["march.pdf", "march.xlsx", "march.xlsx.manifest.json", "snap"])
  })

  it("replaces an older one with --overwrite alone, and is refused before the first request without", async () => {
    await using it = await bench({ contracts: 5 })
    const env = { PATH: await office(it, good) }
    await writeFile(join(it.folder, "march.pdf"), "older")
    const refused = await it.call(report(it), { env })
    expect(refused.stderr).toMatch(/march\.pdf already exists/)
    expect(it.emulator.journal.entries).toEqual([])
    expect(await it.files()).toEqual(["bin", "march.pdf"])
    expect((await it.call([...report(it), "--overwrite"], { env })).code).toBe(0)
    expect(await it.file("march.pdf")).toBe(whole)
  })

  it.each([[[]], [["--split-by", "city"]], [["--all"]], [["--dry-run"]]])(
    "says before the first request that there is no LibreOffice, with %j",
    async (flags) => {
      await using it = await bench({ contracts: 5 })
      const { code, stderr } = await it.call([...report(it), ...flags], nowhere)
      expect([code, stderr]).toEqual([
        2,
        expect.stringMatching(/^--pdf prints by LibreOffice, and there is no soffice on the search path\./m),
      ])
      expect(it.emulator.journal.entries).toEqual([])
      expect(await it.files()).toEqual([])
    },
  )

  it.each([
    ["fails", "echo 'Error: no export filter' >&2; exit 1", /made no PDF \(Error: no export filter\)/],
    ["prints nothing and says that it succeeded", "exit 0", /made no PDF \(it said nothing\)/],
    ["breaks off", `printf '%%PDF-1.7 A pa' > "$2/workbook.pdf"`, /made no PDF/],
  ])("leaves the workbook and the older PDF where LibreOffice %s", async (_, lines, problem) => {
    await using it = await bench({ contracts: 5 })
    await writeFile(join(it.folder, "march.pdf"), "older")
    const env = { PATH: await office(it, prints(lines)) }
    const { code, stderr } = await it.call([...report(it), "--overwrite"], { env })
    expect(code).toBe(10)
    expect(stderr).toMatch(problem)
    expect(stderr).toMatch(/march\.pdf was not printed/)
    expect(await it.file("march.pdf")).toBe("older")
    expect(await it.files()).toEqual(["bin", "march.pdf", "march.xlsx", "march.xlsx.manifest.json"])
  })

  it("waits for LibreOffice alone, and not for what it leaves behind", async () => {
    await using it = await bench({ contracts: 5 })
    const leaves = good.replace("#!/bin/sh\n", "#!/bin/sh\nsleep 60 &\n")
    const ended = await it.call(report(it), { env: { PATH: await office(it, leaves) } })
    expect(ended).toMatchObject({ code: 0 })
    expect(await it.file("march.pdf")).toBe(whole)
  })

  it("gives the verdict of the export its exit code, and says beside it that nothing was printed", async () => {
    await using it = await bench({ contracts: 5 })
    const env = { PATH: await office(it, "#!/bin/sh\nexit 1\n") }
    const none = [...report(it), "--where", "city=nowhere", "--fail-on-empty"]
    const { code, stderr } = await it.call(none, { env })
    expect(stderr).toContain("was not printed: LibreOffice made no PDF")
    expect(stderr).toContain("No contract")
    expect(code).toBe(12)
  })

  it("ends LibreOffice and all that it started once its time is over", async () => {
    await using it = await bench()
    const pids = join(it.folder, "pids")
    const path = await office(it, `#!/bin/sh\nsleep 600 &\necho $! $$ > ${pids}\nwait\n`)
    await writeFile(join(it.folder, "march.xlsx"), "a workbook")
    const { terminal, variables } = screen({ env: { PATH: path } })
    const printing = Pdf.printAll(
      [join(it.folder, "march.xlsx")],
      { minutes: 0.05, overwrite: false },
      { note: () => {}, terminal },
    )
    const exit = await Effect.runPromiseExit(Effect.provideService(printing, Environment, variables))
    expect(String(exit)).toMatch(/did not end within 0\.05 minutes/)
    const started = (await readFile(pids, "utf8")).trim().split(" ")
    expect(started).toHaveLength(2)
    // A process that has ended has no command line, also while nobody has waited for it.
    const lines = () =>
      Promise.all(started.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")))
    await vi.waitFor(async () => expect(await lines()).toEqual(["", ""]), 10_000)
    expect(await it.files()).toEqual(["bin", "march.xlsx", "pids"])
  })
})

describe("--pdf", () => {
  it("prints the workbook of an export of everything, and no other file", async () => {
    await using it = await bench({ contracts: 5 })
    const env = { PATH: await office(it, good) }
    const all = ["export", "all", "--rate", "0", "--pdf", "--out"]
    const csv = await it.call([...all, join(it.folder, "all.csv")], { env })
    expect([csv.code, csv.stderr]).toEqual([2, expect.stringMatching(/no file of --out ends in \.xlsx/)])
    const both = ["--format", "csv", "--format", "xlsx"]
    expect((await it.call([...all, join(it.folder, "all"), ...both], { env })).code).toBe(0)
    expect((await it.files()).filter((name) => name.endsWith(".pdf"))).toEqual(["all.pdf"])
  })

  it("names the PDF in a dry run, and prints nothing", async () => {
    await using it = await bench({ contracts: 5 })
    const env = { PATH: await office(it, good) }
    const { code, stdout } = await it.call([...report(it), "--dry-run"], { env })
    expect([code, stdout]).toEqual([0, expect.stringContaining("march.pdf")])
    expect(await it.files()).toEqual(["bin"])
  })

  it("is among the files of earlier days that --keep removes", async () => {
    await using it = await bench({ contracts: 5 })
    const env = { PATH: await office(it, good) }
    for (const name of ["r-2020-01-01.pdf", "r-2020-01-01.xlsx", "r-2020-01-01.txt"])
      await writeFile(join(it.folder, name), "old")
    expect((await it.call([...report(it, "r-{date}.xlsx"), "--keep", "30d"], { env })).code).toBe(0)
    expect((await it.files()).filter((name) => name.includes("2020"))).toEqual(["r-2020-01-01.txt"])
  })

  it("prints a workbook for each value of --split-by", async () => {
    await using it = await bench({ contracts: 20 })
    const env = { PATH: await office(it, good) }
    const names = report(it, "by/{value}.xlsx")
    expect((await it.call([...names, "--split-by", "status"], { env })).code).toBe(0)
    const { contracts } = it.emulator.store
    for (const status of new Set(contracts.map((each) => each.status)))
      expect(await it.file(`by/${status}.pdf`)).toBe(whole)
  })

  it("goes on with the other values where LibreOffice fails for one, and names that one", async () => {
    await using it = await bench({ contracts: 20 })
    const statuses = [...new Set(it.emulator.store.contracts.map(({ status }) => status))]
    const once = `mkdir "$(dirname "$0")/first" 2>/dev/null && exit 1\n`
    const env = { PATH: await office(it, good.replace("#!/bin/sh\n", `#!/bin/sh\n${once}`)) }
    const names = report(it, "by/{value}.xlsx")
    const { code, stderr } = await it.call([...names, "--split-by", "status"], { env })
    expect([code, stderr.match(/was not printed/g)]).toEqual([10, ["was not printed"]])
    const made = (await readdir(join(it.folder, "by"))).filter((name) => /\.(?:pdf|xlsx)$/.test(name))
    expect(made).toHaveLength(2 * statuses.length - 1)
  })

  it("looks for older PDFs of all values before it writes the first workbook", async () => {
    await using it = await bench({ contracts: 60 })
    const last = it.emulator.store.contracts
      .map(({ status }) => status)
      .toSorted()
      .at(-1)
    await writeFile(join(it.folder, `${last}.pdf`), "older")
    const env = { PATH: await office(it, good) }
    const { code, stderr } = await it.call([...report(it, "{value}.xlsx"), "--split-by", "status"], { env })
    expect([code, stderr]).toEqual([10, expect.stringContaining(`${last}.pdf already exists`)])
    expect(await it.files()).toEqual(["bin", `${last}.pdf`])
  })

  it("says in one sentence why a PDF could not be written", async () => {
    await using it = await bench({ contracts: 5 })
    const path = join(it.folder, "march.pdf")
    const env = { PATH: await office(it, `${good}\nmkdir ${path}\n`) }
    const { code, stderr } = await it.call(report(it), { env })
    expect([code, stderr]).toEqual([
      10,
      expect.stringMatching(/was not printed: [^.]*\.pdf [^.]*\. The workbook/),
    ])
  })

  it("replaces no older PDF where the name has {table}", async () => {
    await using it = await bench({ contracts: 5 })
    const env = { PATH: await office(it, good) }
    await writeFile(join(it.folder, "all-all.pdf"), "older")
    const all = ["export", "all", "--rate", "0", "--pdf", "--out", join(it.folder, "all-{table}.xlsx")]
    const { code, stderr } = await it.call(all, { env })
    expect([code, stderr]).toEqual([10, expect.stringMatching(/all-all\.pdf already exists/)])
    expect((await it.files()).filter((name) => name.endsWith(".xlsx"))).toEqual([])
  })
})

import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import Papa from "papaparse"
import { describe, expect, it } from "vitest"
import { bench, lastJson } from "../harness/Cli.ts"

const parse = (csv: string): ReadonlyArray<Record<string, string>> =>
  Papa.parse<Record<string, string>>(csv, { header: true, skipEmptyLines: true }).data

const text = (value: unknown): string =>
  value === null || value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value)

describe("deedkit export", () => {
  it.concurrent("writes every contract as the service has it, and says why that is all", async () => {
    await using it = await bench({ contracts: 2_500 })
    const { code, stderr, stdout } = await it.run(
      "export contracts --out all.csv --headers api --formula-guard off --rate 0".split(" "),
    )
    expect([code, stdout]).toEqual([0, ""])
    expect(stderr).toMatch(
      /2,500 contracts in 26 pages, read \d{4}-\d\d-\d\d \d\d:\d\d:\d\d-\d\d:\d\d:\d\d \+00:00, complete\./,
    )
    expect(stderr).toContain("all.csv: 2,500 rows, ")
    const expected = it.emulator.store.contracts.map((contract) => ({
      id: text(contract.id),
      status: contract.status,
      kind: contract.kind,
      unit_label: contract.unit_label,
      "listing.title": text(contract.listing?.title),
      "listing.city": text(contract.listing?.city),
      "listing.area": text(contract.listing?.area),
      created_at: contract.created_at,
      updated_at: contract.updated_at,
      unit_id: text(contract.unit_id),
      listing_id: text(contract.listing_id),
      "listing.slug": text(contract.listing?.slug),
      template_id: text(contract.template_id),
      "listing.id": text(contract.listing?.id),
      extra: "",
    }))
    expect(parse(await it.file("all.csv"))).toEqual(expected)
    expect(await it.files()).toEqual(["all.csv", "all.csv.manifest.json"])
  })

  it.concurrent.each(["contracts", "keys", "report", "all"])(
    "names a file that %s can be written to where --out is missing",
    async (command) => {
      await using it = await bench({ contracts: 3 })
      const { code, stderr } = await it.run(["export", command, "--rate", "0"])
      const [, name = "none"] = /Add `--out ([^`]+)`/.exec(stderr) ?? []
      expect([code, stderr]).toEqual([2, expect.stringContaining("Missing --out")])
      const added = await it.run(["export", command, "--rate", "0", "--out", name])
      expect([added.code, await it.files()]).toEqual([0, expect.arrayContaining([name])])
    },
  )

  it.concurrent.each(["csv", "ndjson"])("sorts the records of all pages as asked, in %s", async (format) => {
    await using it = await bench({ contracts: 250 })
    const args = `export contracts --out s.${format} --headers api --sort status,-id --rate 0`
    expect((await it.run(args.split(" "))).code).toBe(0)
    const file = await it.file(`s.${format}`)
    const rows =
      format === "csv"
        ? parse(file)
        : file
            .trimEnd()
            .split("\n")
            .map((line) => JSON.parse(line) as Record<string, unknown>)
    const sorted = it.emulator.store.contracts.toSorted((one, other) =>
      one.status === other.status ? other.id - one.id : one.status < other.status ? -1 : 1,
    )
    expect(rows.map(({ id }) => Number(id))).toEqual(sorted.map(({ id }) => id))
  })

  it.concurrent("resumes a sorted export, and refuses an unknown column before anything is sent", async () => {
    await using it = await bench({ contracts: 250 })
    const args = "export contracts --out s.csv --headers api --sort=-id --columns id --rate 0".split(" ")
    it.emulator.faults.set(["server-error:page=3"])
    expect((await it.run([...args, "--attempts", "1"])).code).not.toBe(0)
    it.emulator.faults.set([])
    expect((await it.run([...args, "--resume"])).code).toBe(0)
    const ids = parse(await it.file("s.csv")).map(({ id }) => Number(id))
    expect(ids).toEqual(it.emulator.store.contracts.map(({ id }) => id).toSorted((one, other) => other - one))
    const asked = it.emulator.journal.entries.length
    expect((await it.run("export contracts --out t.csv --sort nothing".split(" "))).code).toBe(2)
    expect(it.emulator.journal.entries).toHaveLength(asked)
  })

  it.concurrent("writes chosen columns of API keys to standard output, and only them", async () => {
    await using it = await bench()
    const { code, stderr, stdout } = await it.run(
      "export keys --columns name,id --out - --for tsv --quiet".split(" "),
    )
    expect([code, stderr]).toEqual([0, ""])
    const [head, ...rows] = stdout.split("\r\n")
    expect(head).toBe("Name\tKey")
    expect(rows).toHaveLength(it.emulator.store.apiKeys.length + 1)
  })

  it.concurrent.each(["-", "/dev/stdout"])(
    "has rows alone on standard output with --json, whatever its name: %s",
    async (out) => {
      await using it = await bench({ contracts: 3 })
      const args = ["export", "contracts", "--columns", "id", "--format", "csv", "--json", "--out", out]
      const { code, stderr, stdout } = await it.run(args)
      expect(code).toBe(0)
      expect(stdout.trimEnd().split("\r\n")).toHaveLength(4)
      expect(lastJson(stderr)).toMatchObject({ manifest: { verdict: "complete" } })
    },
  )

  it.concurrent("gives out no record of a second page that it does not believe", async () => {
    await using it = await bench()
    const args = ["export", "contracts", "--cursor-param", "wrong", "--page-size", "50", "--columns", "id"]
    const piped = await it.run([...args, "--out", "-"])
    const first = it.emulator.store.contracts.slice(0, 50).map(({ id }) => String(id))
    expect(piped.code).toBe(11)
    expect(piped.stdout.trimEnd().split("\r\n")).toEqual(["Contract", ...first])
    expect(piped.stderr).toContain("--cursor-param")

    const filed = await it.run([...args, "--out", "out.csv", "--json"])
    expect([filed.code, lastJson(filed.stderr)["error"]]).toEqual([11, "CursorIgnored"])
    expect(await it.files()).toEqual([])
  })

  it.concurrent("leaves an existing file as it is unless it may be replaced", async () => {
    await using it = await bench()
    await writeFile(join(it.folder, "old.csv"), "old")
    const refused = await it.run(["export", "keys", "--out", "old.csv"])
    expect([refused.code, refused.stdout, await it.file("old.csv")]).toEqual([10, "", "old"])
    expect(refused.stderr).toContain("old.csv already exists")
    expect(it.emulator.journal.entries).toHaveLength(0)

    expect((await it.run(["export", "keys", "--out", "old.csv", "--overwrite"])).code).toBe(0)
    expect(await it.file("old.csv")).toContain("Key,Name,Scopes")
    expect(await it.files()).toEqual(["old.csv", "old.csv.manifest.json"])
  })

  it.concurrent("asks for nothing when the file cannot be made", async () => {
    await using it = await bench()
    await mkdir(join(it.folder, "folder.csv"))
    await writeFile(join(it.folder, "file"), "")
    for (const [out, words] of [
      ["file/out.csv", "file"],
      ["folder.csv", "is a folder"],
    ] as const) {
      const { code, stderr, stdout } = await it.run(["export", "contracts", "--out", out])
      expect([code, stdout]).toEqual([10, ""])
      expect(stderr).toContain(words)
    }
    expect(it.emulator.journal.entries).toHaveLength(0)
  })

  it.concurrent("ends with 130 on Ctrl-C and leaves no part of a file", async () => {
    await using it = await bench({ faults: ["stall:page=4"] })
    const { code, stderr, stdout } = await it.run(
      ["export", "contracts", "--out", "out.csv", "--page-size", "50"],
      {
        onStart: (child) => {
          const stop = it.emulator.journal.watch(({ fault }) => {
            if (fault !== "stall") return
            stop()
            child.kill("SIGINT")
          })
        },
      },
    )
    expect([code, stdout]).toEqual([130, ""])
    expect(await it.files()).toEqual(["out.csv.interrupted.json", "out.csv.part.records"])
    expect(stderr).toMatch(
      /out\.csv was not written\. [345] pages are saved\. To resume:\n {2}deedkit export contracts --out out\.csv --page-size 50 --resume\nInterrupted\.\n$/,
    )
  })

  it.concurrent("says of an older file that it was not replaced, whatever stopped the export", async () => {
    await using it = await bench({ faults: ["stall:page=4", "server-error:page=2,times=1"] })
    await writeFile(join(it.folder, "out.csv"), "of last night")
    const args = ["export", "contracts", "--out", "out.csv", "--page-size", "50", "--overwrite"]
    const failed = await it.run([...args, "--attempts", "1"])
    expect(failed.code).toBe(7)
    const stopped = await it.run(args, {
      onStart: (child) => {
        const stop = it.emulator.journal.watch(({ fault }) => {
          if (fault !== "stall") return
          stop()
          child.kill("SIGINT")
        })
      },
    })
    expect(stopped.code).toBe(130)
    for (const { stderr } of [failed, stopped]) {
      expect(stderr).toMatch(/out\.csv was not replaced\. [1-4] pages? (?:is|are) saved\. To resume:\n/)
      expect(stderr).not.toMatch(/No out\.csv|was made|not written/)
    }
    // The reason comes first, then what to do about it.
    expect(failed.stderr).toMatch(/\b500\b[^]*out\.csv was not replaced\.[^]* --resume\n$/)
    expect(await it.file("out.csv")).toBe("of last night")
  })

  it.concurrent("ends without a word when the reader of its output has enough", async () => {
    await using it = await bench({ contracts: 2_500 })
    const { code, stderr } = await it.run(["export", "contracts", "--out", "-", "--rate", "0"], {
      onStart: ({ stdout }) => stdout?.once("data", () => stdout.destroy()),
    })
    expect([code, stderr]).toEqual([10, ""])
  })

  it.concurrent("says why it waits and when it resumes", async () => {
    await using it = await bench({ faults: ["rate-limit:page=2,times=1"] })
    const { code, stderr } = await it.run(["export", "contracts", "--out", "out.csv", "--page-size", "100"])
    expect(code).toBe(0)
    expect(stderr).toMatch(
      /^rate limited; the server asked for 1 s; resuming at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+00:00$/m,
    )
  })

  it.concurrent("refuses a flavour of CSV that no file would have, before anything is sent", async () => {
    await using it = await bench({ contracts: 3 })
    const of = async (flavour: string, ...outs: ReadonlyArray<string>) => {
      const each = outs.flatMap((out) => ["--out", out])
      const { code, stderr } = await it.run(["export", "keys", "--for", flavour, ...each, "--overwrite"])
      return [code, stderr.split(". ")[0]]
    }
    for (const [flavour, out, label] of [
      ["excel-eu", "x.tsv", "TSV"],
      ["libreoffice", "x.tsv.gz", "TSV"],
      ["excel", "x.json", "JSON"],
      ["tsv", "x.parquet", "Parquet"],
    ] as const)
      expect(await of(flavour, out)).toEqual([2, `--for ${flavour} is for CSV, and ${out} is ${label}`])
    expect(it.emulator.journal.entries).toEqual([])
    for (const [flavour, ...outs] of [
      ["tsv", "x.tsv"],
      ["excel", "x.xlsx"],
      ["excel-eu", "x.csv", "x.tsv"],
    ] as const)
      expect((await of(flavour, ...outs))[0]).toBe(0)
  })

  it.concurrent("says at a terminal how a CSV is made for Excel, and nowhere else", async () => {
    await using it = await bench({ contracts: 3 })
    const hint = "To open it in Excel: --for excel"
    const said = async (columns: number | undefined, ...more: ReadonlyArray<string>) => {
      const name = join(it.folder, `${Math.random()}.csv`)
      const { stderr } = await it.call(
        ["export", "contracts", "--rate", "0", "--out", name, ...more],
        columns === undefined ? {} : { columns },
      )
      return stderr.includes(hint)
    }
    expect(await said(80)).toBe(true)
    expect(await said(undefined)).toBe(false)
    for (const flags of [["--for", "excel"], ["--headers", "api"], ["--quiet"], ["--format", "xlsx"]])
      expect(await said(80, ...flags)).toBe(false)
  })
})

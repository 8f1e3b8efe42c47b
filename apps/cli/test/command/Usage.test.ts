import { describe, expect, it } from "vitest"
import { bench } from "../harness/Cli.ts"
import { call } from "../harness/InProcess.ts"

describe("wrong arguments", () => {
  it.each([
    [["exprt", "contracts"], 'There is no command "exprt". Did you mean export?'],
    [["export", "contracts"], "No file is named. Add --out FILE, or --out - for standard output."],
    [
      ["export", "--out", "x"],
      "There is no flag --out for deedkit export. deedkit export --help shows how it is used.",
    ],
    [
      ["export", "contracts", "--out", "x"],
      "The name x does not say which format it should have. End it in one of .csv .tsv .xlsx .json .ndjson, or add --format.",
    ],
    [
      ["export", "contracts", "--out", "x.csv", "--where", "citi=Athens"],
      'There is no column "citi". Did you mean "listing.city"? The columns are: id, status, kind, unit_label, listing.title, listing.city, listing.area, created_at, updated_at, unit_id, listing_id, listing.slug, template_id, listing.id, extra.',
    ],
    [
      ["export", "contracts", "--for", "exel", "--out", "x.csv"],
      '--for cannot be "exel": it takes rfc4180, excel, excel-eu or tsv. Did you mean excel?',
    ],
    [["me", "--base-ulr", "x"], "There is no flag --base-ulr for deedkit me. Did you mean --base-url?"],
    [["contracts", "list", "--limit", "0"], '--limit cannot be "0": it takes a whole number from 1.'],
    [
      ["contracts", "list", "--limit"],
      "--limit needs a value. deedkit contracts list --help shows how it is used.",
    ],
    [["contracts", "get", "1.5"], 'The id cannot be "1.5": it takes a whole number from 1.'],
    [["contracts", "get", ""], 'The id cannot be "": it takes a whole number from 1.'],
    [
      ["contracts", "get"],
      "deedkit contracts get needs an id. deedkit contracts get --help shows how it is used.",
    ],
    [["keys", "get", "1", "x"], 'The id cannot be "x": it takes a whole number from 1.'],
    [
      ["me", "--quiet", "--json=id"],
      '{"error":"UsageError","message":"deedkit me shows the whole: --json takes no names here. deedkit me --help shows how it is used.","exitCode":2}',
    ],
  ])("%j: one sentence, exit code 2, no data", async (args, sentence) => {
    expect(await call(args)).toEqual({ code: 2, stdout: "", stderr: `${sentence}\n` })
  })

  it("list the commands that there are when none is near", async () => {
    const { code, stderr, stdout } = await call(["frobnicate"])
    expect([code, stdout]).toEqual([2, ""])
    expect(stderr).toMatch(/^There is no command "frobnicate"\. There are: demo, export, .*keys, .*\.\n$/)
  })

  it("never repeat a key that was tried as a flag", async () => {
    await using it = await bench()
    const { code, stderr } = await it.run(["me", `--api-key=${it.emulator.apiKey}`])
    expect(code).toBe(2)
    expect(stderr).toContain("the API key is never given as a flag")
  })

  it("are a JSON document when JSON is asked for", async () => {
    const { stderr, stdout } = await call(["export", "contracts", "--json"])
    expect(stdout).toBe("")
    expect(JSON.parse(stderr)).toMatchObject({ error: "UsageError", exitCode: 2 })
  })

  it("are explained by help on standard error when there are none", async () => {
    const { code, stderr, stdout } = await call([])
    expect([code, stdout]).toEqual([2, ""])
    expect(stderr).toContain("deedkit demo")
  })
})

describe("help and version", () => {
  it.each([
    [["--help"]],
    [["demo", "--help"]],
    [["export", "--help"]],
    [["contracts", "--help"]],
    [["contracts", "list", "--help"]],
    [["contracts", "get", "--help"]],
    [["keys", "get", "--help"]],
    [["me", "--help"]],
  ])("%j: on standard output, with examples", async (args) => {
    const { code, stderr, stdout } = await call(args)
    expect([code, stderr]).toEqual([0, ""])
    expect(stdout).toMatch(/EXAMPLES\n(?:.*\n)* {2}deedkit /)
  })

  it("name the version of the manifest", async () => {
    await using it = await bench()
    expect(await it.run(["--version"])).toEqual({ code: 0, stdout: "deedkit 0.0.0\n", stderr: "" })
  })
})

import { describe, expect, it } from "vitest"
import { names } from "../../src/export/Formats.ts"
import { bench } from "../harness/Cli.ts"
import { call } from "../harness/InProcess.ts"
import { version } from "../../src/command/Version.ts"

describe("wrong arguments", () => {
  it.each([
    [["exprt", "contracts"], 'Unknown command "exprt" for deedkit. Did you mean export?'],
    [
      ["export", "contracts"],
      "Missing --out FILE. Add `--out contracts.csv`, or `--out -` for standard output.",
    ],
    [
      ["export", "--out", "x"],
      "Unknown flag --out for deedkit export. A flag follows the whole command. Commands: contracts, keys, all, report, verify.",
    ],
    [
      ["export", "contracts", "--out", "x"],
      `Unknown format for --out x. Use one of the extensions .${names.join(" .")}, or add --format.`,
    ],
    [
      ["export", "contracts", "--out", "x.csv", "--where", "citi=Athens"],
      'Unknown column "citi". Did you mean "listing.city"? Columns: id, status, kind, unit_label, listing.title, listing.city, listing.area, created_at, updated_at, unit_id, listing_id, listing.slug, template_id, listing.id, extra.',
    ],
    [
      ["export", "contracts", "--for", "exel", "--out", "x.csv"],
      'Invalid value "exel" for --for: it takes rfc4180, excel, excel-eu, libreoffice or tsv. Did you mean excel?',
    ],
    [["me", "--base-ulr", "x"], "Unknown flag --base-ulr for deedkit me. Did you mean --base-url?"],
    [
      ["export", "contracts", "--out", "x.csv", "--limit", "5"],
      "Unknown flag --limit for deedkit export contracts. An export writes all records: select some with --where, or set the records a page with --page-size.",
    ],
    [
      ["export", "contracts", "-Z", "x.csv"],
      "Unknown flag -Z for deedkit export contracts. Run `deedkit export contracts --help` for usage.",
    ],
    [["contracts", "list", "--limit", "0"], 'Invalid value "0" for --limit: it takes a whole number from 1.'],
    [
      ["contracts", "list", "--limit"],
      "Missing value for --limit. Run `deedkit contracts list --help` for usage.",
    ],
    [
      ["sync", "status", "mirror.sqlite", "--max-age", "-36h"],
      'Invalid value "-36h" for --max-age: it takes a span such as 90m, 36h or 2d.',
    ],
    [["contracts", "get", "1.5"], 'Invalid value "1.5" for ID: it takes a whole number from 1.'],
    [["contracts", "get", ""], 'Invalid value "" for ID: it takes a whole number from 1.'],
    [["contracts", "get"], "Missing ID for deedkit contracts get. Such as `deedkit contracts get 1204`."],
    [["keys", "get", "1", "x"], 'Invalid value "x" for ID: it takes a whole number from 1.'],
    [
      ["me", "--quiet", "--json=id"],
      '{"error":"UsageError","message":"--json takes no field names for deedkit me. Run `deedkit me --help` for usage.","exitCode":2}',
    ],
  ])("%j: one sentence, exit code 2, no data", async (args, sentence) => {
    expect(await call(args)).toEqual({ code: 2, stdout: "", stderr: `${sentence}\n` })
  })

  it("list the commands that there are when none is near", async () => {
    const { code, stderr, stdout } = await call(["frobnicate"])
    expect([code, stdout]).toEqual([2, ""])
    expect(stderr).toMatch(
      /^Unknown command "frobnicate" for deedkit\. Commands: demo, export, .*keys, .*\.\n$/,
    )
  })

  it("never repeat a key that was tried as a flag", async () => {
    await using it = await bench()
    const { code, stderr } = await it.run(["me", `--api-key=${it.emulator.apiKey}`])
    expect(code).toBe(2)
    expect(stderr).toContain("the API key is never passed as a flag")
  })

  it("are a JSON document when JSON is asked for", async () => {
    const { stderr, stdout } = await call(["export", "contracts", "--json"])
    expect(stdout).toBe("")
    expect(JSON.parse(stderr)).toMatchObject({ error: "UsageError", exitCode: 2 })
  })

  it("are explained by help on standard output when there are none, so that it can be paged", async () => {
    const { code, stderr, stdout } = await call([])
    expect([code, stderr]).toEqual([2, ""])
    expect(stdout).toContain("deedkit demo")
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
    expect(await it.run(["--version"])).toEqual({ code: 0, stdout: `deedkit ${version}\n`, stderr: "" })
  })
})

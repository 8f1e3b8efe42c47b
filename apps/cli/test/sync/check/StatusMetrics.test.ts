import { spawnSync } from "node:child_process"
import { chmod, readdir, readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { AccountStatus, ListStatus, RunRow } from "@deedkit/sync"
import { describe, expect, it } from "vitest"
import { lines } from "../../../src/sync/check/StatusMetrics.ts"
import { bench } from "../../harness/Cli.ts"

const parser = `
import json, sys
from prometheus_client.parser import text_string_to_metric_families
print(json.dumps([[s.name, s.labels, s.value] for f in text_string_to_metric_families(sys.stdin.read()) for s in f.samples]))`
const python = ["python3", "/usr/bin/python3"].find(
  (command) => spawnSync(command, ["-c", "import prometheus_client"], { stdio: "ignore" }).status === 0,
)
const required = process.env["DEEDKIT_REQUIRE_LIBREOFFICE"] === "1"
if (python === undefined && !required)
  console.warn("SKIPPED: Python's prometheus_client is not installed, so it parses no metrics.")

type Samples = ReadonlyArray<readonly [string, Readonly<Record<string, string>>, number]>

/** The samples of a document by the grammar of the format; fails at a line that it does not have. */
const samplesOf = (document: string): Samples => {
  expect(document.endsWith("\n")).toBe(true)
  const typed = new Set<string>()
  return document
    .slice(0, -1)
    .split("\n")
    .flatMap((line) => {
      const comment = /^# (?:HELP ([a-z_]+) (?:[^\\]|\\\\|\\n)*|TYPE ([a-z_]+) gauge)$/.exec(line)
      if (comment !== null) {
        if (comment[2] !== undefined) {
          expect(typed).not.toContain(comment[2])
          typed.add(comment[2])
        }
        return []
      }
      const sample = /^([a-z_]+)(?:\{((?:[a-z]+="(?:[^"\\]|\\["\\n])*",?)+)\})? (-?\d+(?:\.\d+)?)$/.exec(line)
      expect([line, sample]).not.toEqual([line, null])
      const [, name = "", pairs = "", value] = sample!
      expect(typed).toContain(name)
      const labels = [...pairs.matchAll(/([a-z]+)="((?:[^"\\]|\\.)*)"/g)].map(([, label, text]) => [
        label,
        text!.replaceAll(/\\(.)/g, (_, character: string) => (character === "n" ? "\n" : character)),
      ])
      return [[name, Object.fromEntries(labels) as Record<string, string>, Number(value)] as const]
    })
}

const byPrometheus = (document: string): Samples => {
  const { status, stderr, stdout } = spawnSync(python ?? "python3", ["-c", parser], {
    input: document,
    encoding: "utf8",
  })
  expect([status, stderr]).toEqual([0, ""])
  return JSON.parse(stdout) as Samples
}

const row = { endedAt: "2026-11-22T02:00:10.500Z", startedAt: "2026-11-22T02:00:00.000Z" } as RunRow
const contracts: ListStatus = {
  collection: "contracts",
  last: { ...row, requests: 4, rejected: 2, added: 1, changed: 0, removed: 3, returned: 0 },
  lastComplete: null,
  running: null,
  records: 250,
  brokenAt: null,
  missing: 0,
}
const named = (account: string, more: Partial<AccountStatus> = {}): AccountStatus => ({
  account,
  baseUrl: "https://api.example.com",
  addedAt: row.startedAt,
  problem: null,
  problemAt: null,
  lists: [],
  ...more,
})

describe("the metrics of a mirror", () => {
  const odd = 'a\\n"b"\n{c="d"} 1 # é\u{1F511}\uD800'
  const document = `${lines(
    [
      { status: named(odd, { problem: "401" }), isComplete: false },
      { status: named("acme", { lists: [contracts] }), isComplete: true },
    ],
    Date.parse("2026-11-22T06:00:00.250Z"),
  ).join("\n")}\n`

  it("are in the text format, whatever accounts are called", () => {
    const account = odd.toWellFormed()
    const list = { account: "acme", list: "contracts" }
    expect(samplesOf(document)).toEqual([
      ["deedkit_sync_status_timestamp_seconds", {}, 1_795_327_200.25],
      ["deedkit_sync_accounts", {}, 2],
      ["deedkit_sync_complete", { account }, 0],
      ["deedkit_sync_complete", { account: "acme" }, 1],
      ["deedkit_sync_failed", { account }, 1],
      ["deedkit_sync_failed", { account: "acme" }, 0],
      ["deedkit_sync_records", list, 250],
      ["deedkit_sync_read_timestamp_seconds", list, 1_795_312_810.5],
      ["deedkit_sync_read_duration_seconds", list, 10.5],
      ["deedkit_sync_read_requests", list, 4],
      ["deedkit_sync_read_rejected", list, 2],
      ["deedkit_sync_read_versions", { ...list, change: "added" }, 1],
      ["deedkit_sync_read_versions", { ...list, change: "changed" }, 0],
      ["deedkit_sync_read_versions", { ...list, change: "removed" }, 3],
      ["deedkit_sync_read_versions", { ...list, change: "returned" }, 0],
    ])
  })

  it.skipIf(python === undefined && !required)("are what Prometheus' own parser reads in them", () => {
    expect(byPrometheus(document)).toEqual(samplesOf(document))
  })

  it("of a mirror without accounts are valid too", () => {
    expect(samplesOf(`${lines([], 1_000).join("\n")}\n`)).toEqual([
      ["deedkit_sync_status_timestamp_seconds", {}, 1],
      ["deedkit_sync_accounts", {}, 0],
    ])
  })
})

describe("deedkit sync status --format prometheus", () => {
  it("replaces its file whole, also when an account is not complete, and leaves it when the mirror fails", async () => {
    await using it = await bench({ contracts: 120 })
    const mirror = join(it.folder, "mirror.sqlite")
    const out = join(it.folder, "deedkit.prom")
    const metrics = async () => samplesOf(await readFile(out, "utf8"))
    const status = ["sync", "status", mirror, "--format", "prometheus"]
    await it.call(["sync", "--to", mirror])
    expect(await it.call([...status, "--out", out])).toEqual({ code: 0, stdout: "", stderr: "" })
    const account = String(
      (await metrics()).find(([name]) => name === "deedkit_sync_complete")![1]["account"],
    )
    expect(await metrics()).toContainEqual(["deedkit_sync_records", { account, list: "contracts" }, 120])
    expect(await metrics()).toContainEqual(["deedkit_sync_complete", { account }, 1])
    const printed = await it.call(status)
    const withoutTime = (samples: Samples) => samples.slice(1)
    expect([printed.code, withoutTime(samplesOf(printed.stdout))]).toEqual([0, withoutTime(await metrics())])

    await chmod(out, 0o644)
    const before = await stat(out)
    const db = new DatabaseSync(mirror)
    db.exec("update sync_run set ended_at = '2020-01-01T00:00:00.000Z'")
    db.close()
    const stale = await it.call([...status, "--max-age", "36h", "--out", out])
    expect([stale.code, stale.stdout]).toEqual([9, ""])
    expect(stale.stderr).toContain(
      `${account}: The contracts were last complete at 2020-01-01T00:00:00.000Z.`,
    )
    expect(await metrics()).toContainEqual(["deedkit_sync_complete", { account }, 0])
    const after = await stat(out)
    expect([after.ino === before.ino, after.mode]).toEqual([false, before.mode])

    const text = await readFile(out, "utf8")
    const none = await it.call(["sync", "status", `${mirror}.gone`, "--format", "prometheus", "--out", out])
    expect(none.code).toBe(10)
    expect(await readFile(out, "utf8")).toBe(text)
    expect((await readdir(it.folder)).filter((name) => name.includes(".prom"))).toEqual(["deedkit.prom"])
  })

  it.each([
    [["--out", "deedkit.prom"], "--out needs --format prometheus"],
    [["--format", "prometheus", "--json"], "--json and --format prometheus cannot be combined"],
  ])("refuses %j", async (flags, message) => {
    await using it = await bench({ contracts: 1 })
    const refused = await it.call(["sync", "status", "mirror.sqlite", ...flags])
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain(message)
  })
})

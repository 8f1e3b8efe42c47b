/**
 * Records as JSON are the same wherever they come from: a file of an export, or a list. Python reads them, strictly, whatever texts they
 * hold.
 */
import { execFile, spawnSync } from "node:child_process"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { Json } from "@deedkit/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { bench } from "../harness/Cli.ts"
import type { Bench } from "../harness/Cli.ts"
import { call } from "../harness/InProcess.ts"
import { answering, contract } from "../harness/Servers.ts"

const execute = promisify(execFile)
const withPython = spawnSync("python3", ["--version"], { stdio: "ignore" }).status === 0
if (!withPython) console.warn("SKIPPED: python3 is not installed, so no JSON is read back by it.")

/** Reads JSON, and encodes every text of it, which fails for half of a surrogate pair. */
const strictly = `
import json, sys
lines = open(sys.argv[1], encoding="utf-8", errors="strict").read()
values = [json.loads(line) for line in lines.split("\\n") if line] if sys.argv[2] == "lines" else json.loads(lines)
json.dumps(values, ensure_ascii=False).encode("utf-8", errors="strict")
print(len(values))
`

/** Values as text, members in their order: equal texts are equal shapes. */
const shapes = (values: ReadonlyArray<Json.Json>): ReadonlyArray<string> =>
  values.map((value) => Json.stringify(value))

const linesOf = (text: string): ReadonlyArray<Json.Json> => text.trimEnd().split("\n").map(Json.parse)

const itemsOf = (text: string): ReadonlyArray<Json.Json> =>
  (Json.parse(text) as { readonly items: ReadonlyArray<Json.Json> }).items

describe("a record as JSON", () => {
  let it_: Bench
  beforeAll(async () => {
    it_ = await bench({ contracts: 120, hurting: true })
  })
  afterAll(() => it_[Symbol.asyncDispose]())

  const exported = async (kind: string, name: string, ...more: ReadonlyArray<string>): Promise<string> => {
    const out = join(it_.folder, name)
    const args = ["export", kind, "--out", out, "--overwrite", "--quiet", "--rate", "0", ...more]
    expect((await it_.call(args)).code).toBe(0)
    return readFile(out, "utf8")
  }
  const listed = async (kind: string, ...more: ReadonlyArray<string>): Promise<string> =>
    (await it_.call([kind, "list", "--all", "--rate", "0", ...more])).stdout

  it.each(["contracts", "keys"])("of %s is the same from an export and from a list", async (kind) => {
    const wanted = shapes(itemsOf(await listed(kind, "--json")))
    expect(wanted.length).toBeGreaterThan(10)
    expect(shapes(linesOf(await listed(kind, "--ndjson")))).toEqual(wanted)
    expect(shapes(linesOf(await exported(kind, "a.ndjson")))).toEqual(wanted)
    expect(shapes(Json.parse(await exported(kind, "a.json")) as ReadonlyArray<Json.Json>)).toEqual(wanted)
  })

  it.each([
    ["contracts", "listing.city,id,listing.area,unit_id"],
    ["keys", "scopes,name,revoked,created_at"],
  ])("of %s with the columns %s is, too", async (kind, columns) => {
    const wanted = shapes(linesOf(await listed(kind, "--ndjson", "--columns", columns)))
    expect(shapes(linesOf(await exported(kind, "b.ndjson", "--columns", columns)))).toEqual(wanted)
    expect(wanted[0]).toMatch(/^\{"(?:listing":\{"city"|scopes":\[)/)
  })
})

const half = ["\uD800", "\uDC00", "a\uDBFF", "\uDFFFz", "\\ud800", "\u{1F3E0}", "\0", "\u2028", "\u202Eabc"]

describe("texts that strict readers refuse", () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "deedkit-json-"))
  })
  afterAll(() => rm(folder, { recursive: true }))

  it.runIf(withPython)("are replaced in files and lists, and counted", async () => {
    const items = half.map((text, at) =>
      contract(half.length - at, {
        unit_label: text,
        unit_id: { [text]: [text] },
        [`note ${text}`]: text,
        listing: { id: 1, slug: text, title: text, city: "Athens", area: text },
      }),
    )
    await using server = await answering(() => JSON.stringify({ ok: true, items, next_before_id: null }))
    const env = { DEEDKIT_BASE_URL: server.url, DEEDKIT_API_KEY: "dk_test_key_of_this_test" }
    const lists = { ndjson: ["--ndjson"], json: ["--json"] } as const
    for (const format of ["ndjson", "json"] as const) {
      const out = join(folder, `a.${format}`)
      expect((await call(["export", "contracts", "--out", out, "--quiet"], { env })).code).toBe(0)
      const { stdout } = await call(["contracts", "list", ...lists[format]], { env })
      const list = join(folder, `list.${format}`)
      await writeFile(list, stdout)
      const form = format === "ndjson" ? "lines" : "document"
      const read = async (path: string) =>
        (await execute("python3", ["-c", strictly, path, form])).stdout.trim()
      expect(await read(out)).toBe(String(half.length))
      await read(list)
      const { textsChanged } = JSON.parse(await readFile(`${out}.manifest.json`, "utf8")) as {
        readonly textsChanged: Record<string, Record<string, number>>
      }
      expect(textsChanged[format]).toEqual({
        unit_label: 4,
        unit_id: 8,
        listing: 12,
        "note \uFFFD": 4,
        "note a\uFFFD": 2,
        "note \uFFFDz": 2,
      })
    }
  })
})

/** JSON that is nested more deeply than any engine writes by itself, in every place of the program where a server can put it. */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call } from "../harness/InProcess.ts"
import type { Server } from "../harness/Servers.ts"
import { answering, contract } from "../harness/Servers.ts"

const levels = 20_000
const nested = `${"[".repeat(levels)}${"]".repeat(levels)}`
const bad = JSON.stringify(contract(2, { kind: null })).replace('"kind":null', `"kind":${nested}`)
const deep = JSON.stringify(contract(1)).replace(/\}$/, `,"data":${nested}}`)
const fine = Array.from({ length: 40 }, (_, at) => contract(at + 10))

let server: Server
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "deedkit-deep-"))
  server = await answering((url) => {
    if (url.pathname.endsWith("/me/")) return `{"ok":true,"account":${nested}}`
    if (url.searchParams.has("id")) return `{"ok":true,"contract":${deep}}`
    const items = [deep, bad, ...fine.map((each) => JSON.stringify(each))]
    return `{"ok":true,"next_before_id":null,"items":[${items.join(",")}]}`
  })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const run = (...args: ReadonlyArray<string>) =>
  call(args, { env: { DEEDKIT_BASE_URL: server.url, DEEDKIT_API_KEY: "dk_test_key_of_this_test" } })

describe("deeply nested answers", () => {
  it.each([
    [["me"], 0],
    [["me", "--json"], 0],
    [["api", "/v1/me/"], 0],
    [["contracts", "get", "1", "--data"], 0],
    [["contracts", "get", "1", "--data", "--json"], 0],
    [["contracts", "get", "1", "1", "--ndjson"], 0],
    [["contracts", "list", "--json"], 9],
    [["contracts", "list", "--ndjson"], 9],
    [["contracts", "list", "--columns", "id,extra", "--where", "id=1"], 9],
  ])("are shown whole by %j", async (args, expected) => {
    const { code, stderr, stdout } = await run(...args)
    expect(stderr).not.toContain("bug")
    expect(code).toBe(expected)
    if (!args.includes("id,extra")) expect(stdout.replaceAll(/\s/g, "")).toContain(nested)
  })

  it("land in every format of an export, or among its rejects, and no interrupted run is left", async () => {
    const formats = ["csv", "json", "ndjson", "xlsx"]
    const out = join(folder, "o")
    const each = formats.flatMap((format) => ["--format", format])
    const { code, stderr } = await run("export", "contracts", "--columns", "id,extra", "--out", out, ...each)
    expect(stderr).not.toContain("bug")
    expect(code).toBe(9)
    expect((await readdir(folder)).toSorted()).toEqual(
      [
        ...formats.flatMap((format) => [`o.${format}`, `o.${format}.manifest.json`]),
        "o.csv.rejected.ndjson",
        "o.csv.texts.ndjson",
      ].toSorted(),
    )
    for (const name of ["o.csv", "o.json", "o.ndjson", "o.csv.rejected.ndjson", "o.csv.texts.ndjson"]) {
      expect([name, (await readFile(join(folder, name), "utf8")).includes(nested)]).toEqual([name, true])
    }
  })
})

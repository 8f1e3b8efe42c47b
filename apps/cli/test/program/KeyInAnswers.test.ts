/** What the program shows when a server puts the API key, or a part of it, into its answers. */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call } from "../harness/InProcess.ts"
import type { Server } from "../harness/Servers.ts"
import { answering, contract } from "../harness/Servers.ts"

const key = "sk_live_Zq9XvT4mB7nLpR2wYc8D"
const part = key.slice(5, 16)
const parts = Array.from({ length: key.length - 7 }, (_, at) => key.slice(at, at + 8))

let server: Server

beforeAll(async () => {
  const hostile = { unit_label: `Unit ${part}`, unit_id: { [part]: key }, [`x${key}`]: [part], status: part }
  const keyRecord = {
    id: 1,
    name: `of ${part}`,
    scopes: ["read:api_keys", "read:contracts", part],
    created_at: "2020-01-01T00:00:00Z",
    last_used_at: null,
    revoked_at: null,
  }
  server = await answering((url) => {
    if (url.pathname.endsWith("/me/"))
      return JSON.stringify({ ok: true, token: key, [part]: { near: [part] } })
    const isContracts = url.pathname.includes("contracts")
    const data = url.searchParams.has("include_data") ? { data: { [key]: `of ${key}` } } : {}
    const record = isContracts ? contract(1, { ...hostile, ...data }) : keyRecord
    return url.searchParams.has("id")
      ? JSON.stringify({ ok: true, [isContracts ? "contract" : "api_key"]: record })
      : JSON.stringify({ ok: true, items: [record], next_before_id: null })
  })
})
afterAll(() => server[Symbol.asyncDispose]())

const run = (...args: ReadonlyArray<string>) =>
  call(args, { env: { DEEDKIT_BASE_URL: server.url, DEEDKIT_API_KEY: key } })

describe("a key in an answer", () => {
  it.each([
    ["me"],
    ["me --json"],
    ["me --verbose"],
    ["api /v1/me/"],
    ["contracts list"],
    ["contracts list --columns id,unit_label,unit_id,extra"],
    ["contracts list --json"],
    ["contracts list --ndjson"],
    ["contracts get 1"],
    ["contracts get 1 --json"],
    ["contracts get 1 1 --ndjson"],
    ["keys list"],
    ["keys list --json"],
    ["keys get 1"],
    ["keys audit"],
    ["keys audit --json"],
    ["auth status"],
    ["auth status --json"],
    ["doctor"],
    ["doctor --json"],
  ])("is not shown by %s", async (words) => {
    const { code, stderr, stdout } = await run(...words.split(" "))
    expect(code).toBe(0)
    expect(parts.filter((each) => `${stdout}${stderr}`.includes(each))).toEqual([])
    if (!words.startsWith("doctor")) expect(stdout).toContain("[API key]")
    if (words.endsWith(" --json")) expect(() => JSON.parse(stdout) as unknown).not.toThrow()
  })

  it("is in no file of an export, whose cells are the data as it came but for that", async () => {
    const folder = await mkdtemp(join(tmpdir(), "deedkit-key-"))
    const files = ["a.csv", "a.tsv", "a.json", "a.ndjson"].map((name) => join(folder, name))
    const out = files.flatMap((file) => ["--out", file])
    const ended = await run("export", "contracts", "--data", ...out)
    expect(ended).toMatchObject({ code: 0 })
    for (const name of await readdir(folder)) {
      const text = await readFile(join(folder, name), "utf8")
      expect(text).not.toContain(key)
      if (!name.includes("manifest")) expect(text).toMatch(new RegExp(`Unit ${part}.*\\[API key\\]`, "s"))
    }
    await rm(folder, { recursive: true })
  })

  it("is not in a mirror, nor in what is read from one", async () => {
    const folder = await mkdtemp(join(tmpdir(), "deedkit-key-"))
    const mirror = join(folder, "m.sqlite")
    expect((await run("sync", "--to", mirror, "--data", "--quiet")).code).toBe(0)
    for (const name of await readdir(folder))
      expect(await readFile(join(folder, name), "latin1")).not.toContain(key)
    for (const words of [
      ["sync", "changes", mirror, "--since", "1d"],
      ["sync", "changes", mirror, "--since", "1d", "--json"],
      ["sync", "changes", mirror, "--since", "1d", "--format", "html"],
      ["contracts", "list", "--from", mirror, "--json"],
    ]) {
      const { code, stderr, stdout } = await run(...words)
      expect([words.join(" "), code, `${stdout}${stderr}`.includes(key)]).toEqual([words.join(" "), 0, false])
    }
    await rm(folder, { recursive: true })
  })
})

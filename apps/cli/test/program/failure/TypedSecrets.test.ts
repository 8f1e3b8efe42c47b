/** A key or a password that was typed where none belongs is repeated by no message, and by no file for support. */
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { hiding } from "../../../src/failure/TypedSecrets.ts"
import { bench } from "../../harness/Cli.ts"

const keys = [
  "dk_live_9f8e7d6c5b4a39281706f5e4",
  "sk-proj-Ab3dEf6hIj9kLm2nOp5q",
  "4f1d7a90c3b24e58a6d0",
  "0f8fad5b-d9cb-469f-a165-70867728950e",
]
const password = "tr0ub4dor&3"

/** Where a key is typed by mistake. */
const mistakes: ReadonlyArray<(key: string) => ReadonlyArray<string>> = [
  (key) => [key],
  (key) => ["me", key],
  (key) => [`--api-key-stdin=${key}`, "me"],
  (key) => ["me", "--api-key", key],
  (key) => ["me", `--api-key=${key}`],
  (key) => ["me", "--token", key],
  (key) => ["me", "--log", `/none/${key}`],
  (key) => ["me", "--profile", key],
  (key) => ["me", "--base-url", key],
  (key) => ["contracts", "get", key],
  (key) => ["contracts", key],
  (key) => ["contracts", "list", "--limit", key],
  (key) => ["contracts", "list", "--where", `id=${key}`],
  (key) => ["contracts", "list", "--where", key],
  (key) => ["contracts", "list", "--sort", key],
  (key) => ["export", "contracts", "--out", `${key}.xyz`],
  (key) => ["export", "contracts", "--columns", key],
  (key) => ["export", key],
  (key) => ["api", key],
  (key) => ["auth", "login", key],
  (key) => ["sync", key],
]

/** Where a password is, in the address of a database. */
const addresses: ReadonlyArray<ReadonlyArray<string>> = [
  ["sync", `postgres://nightly:${password}@db.example.test/mirror`],
  ["sync", "--to", `postgress://nightly:${password}@db.example.test/mirror`],
  ["sync", "--to", `postgres://nightly:${password}@127.0.0.1:1/mirror`],
  ["me", "--base-url", `https://owner:${password}@api.example.test/v1/`],
  ["sync", `host=db.example.test user=nightly password=${password}`],
]

describe("what was typed and is secret", () => {
  it.each(keys)("is in no message: %s", async (key) => {
    await using it = await bench()
    for (const mistake of mistakes) {
      const args = mistake(key)
      for (const flags of [[], ["--json"]]) {
        const { stderr, stdout } = await it.call([...args, ...flags])
        expect([args, `${stdout}${stderr}`.includes(key)]).toEqual([args, false])
      }
    }
  })

  it.each(addresses)("is in no message: %s %s", async (...args) => {
    await using it = await bench()
    for (const flags of [[], ["--json"]]) {
      const bundle = `b${flags.length}.json`
      const { stderr, stdout } = await it.call([...args, ...flags, "--debug-bundle", join(it.folder, bundle)])
      expect(`${stdout}${stderr}`).not.toContain(password)
      expect(await it.file(bundle)).not.toContain(password)
    }
  })

  it("is said to have been there", async () => {
    await using it = await bench()
    const { code, stderr } = await it.call(["me", "dk_live_9f8e7d6c5b4a39281706f5e4"])
    expect(code).toBe(2)
    expect(stderr).toContain('"(32 characters, hidden)"')
  })
})

describe("what was typed and is the name of something", () => {
  it.each([
    "contracts-2025-11-25.csv",
    "contracts-2025-11-25T10-30-00Z.csv",
    "/srv/reports/athens-2025-q3/contracts-final-v2.xlsx",
    "C:\\Users\\maria\\Documents\\contracts 2025.xlsx",
    "https://api.example.test/v1/",
    "status=active",
    "updated_at>=2025-06-01T00:00:00Z",
    "acme-properties-athens-2",
    "2025-06..2025-08",
  ])("is named as it was: %s", (word) => {
    expect(hiding([word, `--out=${word}`])(`${word} exists already`)).toBe(`${word} exists already`)
  })

  it("is named where it cannot be written", async () => {
    await using it = await bench()
    const out = join(it.folder, "contracts-2025-11-25T10-30-00Z.csv")
    await mkdir(out)
    const { stderr } = await it.call(["export", "contracts", "--out", out])
    expect(stderr).toContain("contracts-2025-11-25T10-30-00Z.csv")
  })
})

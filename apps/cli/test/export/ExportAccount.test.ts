import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { read, utils } from "xlsx"
import { ask } from "../../src/export/ExportAccount.ts"
import { account } from "../harness/Account.ts"
import { bench } from "../harness/Cli.ts"
import { call } from "../harness/InProcess.ts"
import { answering, contract } from "../harness/Servers.ts"

interface AccountOf {
  readonly account: {
    readonly profile: string | null
    readonly keyFingerprint: string
    readonly me: Readonly<Record<string, unknown>> | null
    readonly meReason: string | null
  }
}

const allScopes = ["read:contracts", "read:api_keys", "read:me"]

const manifestOf = async (path: string): Promise<AccountOf["account"]> =>
  (JSON.parse(await readFile(`${path}.manifest.json`, "utf8")) as AccountOf).account

describe("the account in the manifest of an export", () => {
  it("tells thirty accounts apart: the profile, the key, what the service says", async () => {
    await using it = await account({ contracts: 3 })
    const secrets = Array.from(
      { length: 30 },
      () => it.emulator.store.insertKey({ scopes: allScopes }).secret,
    )
    const said = new Set<string>()
    const fingerprints = new Set<string>()
    for (const [at, secret] of secrets.entries()) {
      const [key, path] = [join(it.folder, `key-${at}`), join(it.folder, `${at}.csv`)]
      await writeFile(key, secret, { mode: 0o600 })
      const login = ["auth", "login", "--profile", `office-${at}`, "--base-url", it.url, "--key-file", key]
      expect((await it.call(login)).code).toBe(0)
      const exporting = ["export", "contracts", "--profile", `office-${at}`, "--out", path, "--quiet"]
      expect((await it.call(exporting)).code).toBe(0)
      const { keyFingerprint, ...account } = await manifestOf(path)
      expect(account).toMatchObject({
        profile: `office-${at}`,
        me: { "account.name": "Portfolio & Söhne", "user.email": "ada@portfolio.example" },
        meReason: null,
      })
      expect(keyFingerprint).toMatch(/^[0-9a-f]{16}$/)
      fingerprints.add(keyFingerprint)
      // The check says it as well, and not all alike.
      const { stdout } = await it.call(["export", "verify", path])
      expect(stdout).toContain(`  account: profile office-${at}, key ${keyFingerprint}\n`)
      said.add(stdout)
    }
    expect([fingerprints.size, said.size]).toEqual([30, 30])
  }, 60_000)

  it("names no profile where the key is not the profile's", async () => {
    await using it = await account()
    const login = ["auth", "login", "--profile", "office", "--base-url", it.url, "--with-key"]
    expect((await it.pipe([...login, "--insecure-storage"], it.emulator.apiKey)).code).toBe(0)
    const path = join(it.folder, "a.csv")
    const args = ["export", "contracts", "--out", path, "--overwrite", "--quiet"]
    expect((await it.pipe(args, "")).code).toBe(0)
    expect((await manifestOf(path)).profile).toBe("office")
    const inEnvironment = { DEEDKIT_BASE_URL: it.url, DEEDKIT_API_KEY: it.emulator.apiKey }
    expect((await it.pipe(args, "", inEnvironment)).code).toBe(0)
    expect((await manifestOf(path)).profile).toBeNull()
  })

  it.each([["missing"], ["html"], ["ok-false"]])(
    "says why nothing is known, and the export is complete: %s",
    async (what) => {
      const answers: Readonly<Record<string, string | null>> = {
        missing: null,
        html: "<!doctype html>",
        "ok-false": '{"ok":false}',
      }
      await using server = await answering((url) =>
        url.pathname.endsWith("/me/")
          ? (answers[what] ?? null)
          : JSON.stringify({ ok: true, items: [contract(1)], next_before_id: null }),
      )
      await using it = await bench()
      const path = join(it.folder, "a.csv")
      const env = { DEEDKIT_BASE_URL: server.url, DEEDKIT_API_KEY: "dk_test_key_of_this_test" }
      const args = ["export", "contracts", "--out", path, "--attempts", "1", "--quiet"]
      expect((await call(args, { env })).code).toBe(0)
      const { me, meReason } = await manifestOf(path)
      expect([me, typeof meReason]).toEqual([null, "string"])
    },
  )

  it("says it too where the key may not ask", async () => {
    await using it = await bench({ assumptions: { meScope: "read:nothing" } })
    const path = join(it.folder, "a.csv")
    expect((await it.call(["export", "contracts", "--out", path, "--quiet"])).code).toBe(0)
    expect(await manifestOf(path)).toMatchObject({
      me: null,
      meReason: expect.stringContaining("403") as string,
    })
  })

  it.effect("is not waited for longer than ten seconds", () =>
    Effect.gen(function* () {
      const client = { me: () => Effect.never, redact: (text: string) => text }
      const asking = yield* Effect.forkChild(ask(client, "office"))
      yield* TestClock.adjust("9 seconds")
      expect(asking.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust("1 second")
      expect(yield* Fiber.join(asking)).toEqual({
        profile: "office",
        me: null,
        meReason: "no answer within 10 s",
      })
    }),
  )

  it("holds neither the key nor a part of it, in whatever the service says", async () => {
    const key = "sk_live_Zq9XvT4mB7nLpR2wYc8D"
    const said = { ok: true, name: `of ${key}`, user: { [`x${key.slice(4, 20)}`]: key.slice(3, 14) } }
    await using server = await answering((url) =>
      url.pathname.endsWith("/me/")
        ? JSON.stringify(said)
        : JSON.stringify({ ok: true, items: [contract(1)], next_before_id: null }),
    )
    await using it = await bench()
    const path = join(it.folder, "a.xlsx")
    const env = { DEEDKIT_BASE_URL: server.url, DEEDKIT_API_KEY: key }
    expect((await call(["export", "contracts", "--out", path, "--summary"], { env })).code).toBe(0)
    const book = read(await readFile(path))
    const texts = JSON.stringify([
      await readFile(`${path}.manifest.json`, "utf8"),
      utils.sheet_to_json(book.Sheets["Summary"]!),
      book.Props,
    ])
    for (let at = 0; at + 8 <= key.length; at++) expect(texts).not.toContain(key.slice(at, at + 8))
    expect(texts).toContain("of [API key]")
  })

  it("is on the summary sheet and in the workbook's properties", async () => {
    await using it = await bench()
    const path = join(it.folder, "a.xlsx")
    expect((await it.call(["export", "contracts", "--out", path, "--summary", "--quiet"])).code).toBe(0)
    const { keyFingerprint } = await manifestOf(path)
    const book = read(await readFile(path))
    const rows = utils.sheet_to_json<{
      readonly About: string
      readonly What: string
      readonly Value: unknown
    }>(book.Sheets["Summary"]!)
    const ofAccount = rows.filter(({ About }) => About === "Account").map(({ Value, What }) => [What, Value])
    expect(ofAccount.slice(0, 2)).toEqual([
      ["Key fingerprint", keyFingerprint],
      ["account.id", 3],
    ])
    expect(ofAccount).toContainEqual(["user.email", "ada@portfolio.example"])
    expect(book.Props?.Comments).toBe(`Source: ${it.url}\nKey fingerprint: ${keyFingerprint}`)
  })
})

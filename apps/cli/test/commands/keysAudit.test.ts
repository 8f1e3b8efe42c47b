import { describe, expect, it } from "vitest"
import { bench, lastJson } from "../harness/Cli.ts"
import type { Bench } from "../harness/Cli.ts"

const daysAgo = (days: number): string =>
  `${new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 19)}Z`

/** All keys as they should be: young, used today, with one scope. */
const tidy = ({ emulator: { store } }: Bench): ReadonlyArray<number> =>
  store.apiKeys.map(({ id }, index) => {
    store.updateKey(id, {
      name: `Key ${index}`,
      scopes: ["read:contracts", "read:api_keys"],
      created_at: daysAgo(20),
      last_used_at: daysAgo(0),
      revoked_at: null,
    })
    return id
  })

describe("deedkit keys audit", () => {
  it.concurrent("has no findings about tidy keys", async () => {
    await using it = await bench({ contracts: 1, keys: 5 })
    tidy(it)
    const { code, stderr, stdout } = await it.call(["keys", "audit", "--fail-on-findings"])
    expect([code, stdout, stderr]).toEqual([0, "", "No findings (5 API keys).\n"])
  })

  it.concurrent("shows findings, the most severe first, and what to do", async () => {
    await using it = await bench({ contracts: 1, keys: 5 })
    const [a = 0, b = 0, c = 0] = tidy(it)
    const { store } = it.emulator
    store.updateKey(a, { name: "Old\u001B[2J CRM", last_used_at: daysAgo(214) })
    store.updateKey(b, { last_used_at: daysAgo(1), revoked_at: daysAgo(3) })
    store.updateKey(c, {
      scopes: ["read:me", "read:contracts", "read:listings", "read:api_keys", "write:all"],
    })
    const { code, stderr, stdout } = await it.call(["keys", "audit"])
    const lines = stdout.trimEnd().split("\n")
    expect(code).toBe(0)
    expect(lines[0]).toMatch(/^Severity +Key +Name +Finding$/)
    expect(lines.slice(1).map((line) => line.split(/ {2,}/).slice(0, 2))).toEqual(
      [
        ["high", `${b}`],
        ["medium", `${a}`],
        ["medium", `${c}`],
        ["low", `${c}`],
      ].map(([severity, key]) => [severity, expect.stringContaining(key ?? "")]),
    )
    expect(stdout).toContain("not used for 214 days")
    expect(stdout).toContain("Old␛[2J CRM")
    expect(stdout).toContain("scopes that are not specified: write:all")
    expect(stderr).toMatch(/^4 findings about 3 of 5 API keys\.\nused-after-revocation: Find the program/)
  })

  it.concurrent("ends with 12 when it should fail on findings and has one", async () => {
    await using it = await bench({ contracts: 1, keys: 5 })
    const [a = 0] = tidy(it)
    it.emulator.store.updateKey(a, { last_used_at: daysAgo(40) })
    const quiet = ["keys", "audit", "--quiet"]
    expect(await it.call([...quiet, "--fail-on-findings"])).toMatchObject({ code: 0, stdout: "", stderr: "" })
    const strict = await it.call([...quiet, "--unused-days", "30", "--fail-on-findings"])
    expect([strict.code, strict.stderr]).toEqual([12, "The audit has 1 finding.\n"])
    expect((await it.call([...quiet, "--unused-days", "30"])).code).toBe(0)
    expect((await it.call([...quiet, "--max-scopes", "1", "--fail-on-findings"])).code).toBe(12)
    expect((await it.call([...quiet, "--max-age-days", "10", "--fail-on-findings"])).code).toBe(12)
  })

  it.concurrent("is one JSON document, with an error as another", async () => {
    await using it = await bench({ contracts: 1, keys: 5 })
    const [a = 0] = tidy(it)
    it.emulator.store.updateKey(a, { last_used_at: null })
    const { code, stderr, stdout } = await it.run(["keys", "audit", "--json", "--fail-on-findings"])
    expect(JSON.parse(stdout)).toMatchObject({
      limits: { unusedDays: 90, maxScopes: 3, maxAgeDays: 365 },
      keys: 5,
      rejected: [],
      findings: [
        {
          rule: "never-used",
          keyId: a,
          keyName: "Key 0",
          severity: "low",
          evidence: { days: 20 },
          says: `never used in 20 days, since ${daysAgo(20).slice(0, 10)}`,
        },
      ],
    })
    expect([code, lastJson(stderr)]).toEqual([
      12,
      { error: "AuditFindings", message: "The audit has 1 finding.", findings: 1, exitCode: 12 },
    ])
  })

  it.concurrent("reads all pages, and ends with 9 where a key could not be judged", async () => {
    await using it = await bench({ contracts: 1, keys: 120, assumptions: { maximumLimit: 50 } })
    const { stdout } = await it.call(["keys", "audit", "--json", "--rate", "0"])
    expect(JSON.parse(stdout)).toMatchObject({ keys: 120 })
    await using strange = await bench({ contracts: 1, faults: ["missing-field:field=name"] })
    const odd = await strange.call(["keys", "audit", "--json", "--rate", "0"])
    expect(odd.code).toBe(9)
    expect(
      (JSON.parse(odd.stdout) as { readonly rejected: ReadonlyArray<unknown> }).rejected.length,
    ).toBeGreaterThan(0)
  })

  it.concurrent.each([["--unused-days"], ["--max-scopes"], ["--max-age-days"]])(
    "refuses %s 0",
    async (flag) => {
      await using it = await bench({ contracts: 1 })
      expect(await it.call(["keys", "audit", flag, "0"])).toEqual({
        code: 2,
        stdout: "",
        stderr: `Invalid value "0" for ${flag}: it takes a whole number from 1.\n`,
      })
    },
  )
})

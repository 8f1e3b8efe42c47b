import { describe, expect, it } from "vitest"
import { bench, lastJson } from "../../harness/Cli.ts"

describe("deedkit demo", () => {
  it("exports both tables over a rate limit, shows them, and can be run again", async () => {
    await using it = await bench()
    const first = await it.run(["demo"])
    expect(first.code).toBe(0)
    expect(first.stderr).toContain("rate limited; the server asked for 1 s; resuming at ")
    expect(first.stderr).toMatch(
      /250 contracts in 6 pages, read \d{4}-\d\d-\d\d \d\d:\d\d:\d\d-\d\d:\d\d:\d\d \+00:00, 1 retry, complete\./,
    )
    expect(first.stderr).toMatch(
      /12 API keys in 1 page, read \d{4}-\d\d-\d\d \d\d:\d\d:\d\d-\d\d:\d\d:\d\d \+00:00, complete\./,
    )
    expect(first.stderr).toMatch(/With your own account:\s+deedkit auth login [^]*deedkit export all/)
    expect(first.stdout).toMatch(/^Contract +Status[^]*\nKey +Name/)
    expect(await it.files()).toEqual(["demo"])
    expect((await it.file("demo/contracts.csv")).split("\r\n")).toHaveLength(252)
    expect((await it.file("demo/keys.csv")).split("\r\n")).toHaveLength(14)

    const again = await it.run(["demo", "--json", "--quiet"])
    expect([again.code, again.stderr]).toEqual([0, ""])
    expect(JSON.parse(again.stdout)).toMatchObject({
      files: [{ manifest: { tables: [{ rows: 250 }] } }, { manifest: { tables: [{ rows: 12 }] } }],
    })
    // The account in the environment is not the demo's business.
    expect(it.emulator.journal.entries).toHaveLength(0)
  })

  it("says what is wrong with its folder", async () => {
    await using it = await bench()
    const { code, stderr } = await it.run(["demo", "--out", "/dev/null/demo", "--json"])
    expect([code, lastJson(stderr)["error"]]).toEqual([10, "FileFailed"])
  })
})

import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { Failure } from "../../src/failure/Failure.ts"
import type { Asked } from "../../src/sync/Changes.ts"
import { chooseFormat } from "../../src/sync/Changes.ts"
import { age, edit, mirrored } from "../harness/Mirrored.ts"

describe("deedkit sync changes", () => {
  it("counts records that are read for the first time, and takes none of them for a change", async () => {
    await using it = await mirrored(() => {})
    const { code, stderr, stdout } = await it.call([
      "sync",
      "changes",
      it.mirror,
      "--since",
      "1d",
      "--fail-on-changes",
    ])
    expect([code, stdout]).toEqual([
      0,
      "acme\n  5 contracts read for the first time\n  12 API keys read for the first time\n",
    ])
    expect(stderr).toMatch(/^No changes from \S+Z to \S+Z\.\n$/)
  })

  it.each(["text", "html", "json"])(
    "writes %s with counts, window, account and what is unusual, and fails on request",
    async (format) => {
      await using it = await mirrored()
      const [first, second] = [it.emulator.store.contracts[0]!.id, "removed"]
      const out = join(it.folder, "digest.bin")
      const args = ["sync", "changes", it.mirror, "--since", "1d", "--format", format, "--fail-on-changes"]
      const { code, stderr, stdout } = await it.call([...args, "--out", out])
      expect([code, stdout]).toEqual([12, ""])
      expect(stderr).toMatch(
        /^1 changed \(1 unusual\), 1 removed from \S+Z to \S+Z\.\nThere are 2 changes\.\n$/,
      )
      const text = await readFile(out, "utf8")
      const day = new Date().toISOString().slice(0, 10)
      const wanted = [String(first), second, "acme", "unusual", "ended", "active", day]
      for (const each of wanted) expect(text.toLowerCase()).toContain(each)
      // Standard output has the same, but for the moment, and for the last line of text.
      const printed = await it.call(args)
      const general = (each: string) => each.replaceAll(/\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z| UTC)?/g, "TIME")
      expect(printed.code).toBe(12)
      expect(general(text)).toContain(general(printed.stdout))
    },
  )

  it("shows with --since last what was not shown before, once it was written", async () => {
    await using it = await mirrored()
    const digest = (...args: ReadonlyArray<string>) =>
      it.call(["sync", "changes", it.mirror, "--since", "last", ...args])
    const none = await digest("--out", join(it.folder, "none", "day.txt"))
    expect(none.code).not.toBe(0)
    const first = await digest()
    expect([first.code, first.stderr]).toEqual([
      0,
      expect.stringMatching(/^1 changed \(1 unusual\), 1 removed from the first read to \S+Z\.\n$/),
    ])
    expect(first.stdout).toContain("5 contracts read for the first time")
    const again = await digest("--fail-on-changes")
    expect([again.code, again.stdout, again.stderr]).toEqual([
      0,
      "",
      expect.stringMatching(/^No changes from 20\S+Z to \S+Z\.\n$/),
    ])
    const html = await digest("--format", "html")
    expect(html.stdout).toContain("No changes")
  })

  it("shows one account, and the counts alone, on request", async () => {
    await using it = await mirrored()
    const changes = (...args: ReadonlyArray<string>) =>
      it.call(["sync", "changes", it.mirror, "--since", "1d", ...args])
    expect((await changes("--summary")).stdout).toBe(
      "acme: contracts: 1 changed (1 unusual), 1 removed, 5 contracts read for the first time; API keys: no changes, 12 API keys read for the first time\n",
    )
    const document: unknown = JSON.parse((await changes("--summary", "--json")).stdout)
    expect(document).toMatchObject({ lists: [{ account: "acme", counts: { changed: 1, removed: 1 } }, {}] })
    expect(JSON.stringify(document)).not.toContain('"changes"')
    const html = (await changes("--summary", "--format", "html")).stdout
    expect([html.includes("1 changed (1 unusual), 1 removed"), html.includes("<table>")]).toEqual([
      true,
      false,
    ])
    expect((await changes("--account", "acme")).stdout).toBe((await changes()).stdout)
    const unknown = await changes("--account", "acme", "--account", "beta")
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("no account beta")])
  })

  it("shows the records of a change whole with --json", async () => {
    await using it = await mirrored()
    const [first] = it.emulator.store.contracts
    const { stdout } = await it.call(["sync", "changes", it.mirror, "--since", "1d", "--json"])
    const document: unknown = JSON.parse(stdout)
    const after: object = { ...first }
    expect(document).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      mirror: "mirror.sqlite",
      counts: { added: 0, changed: 1, removed: 1, returned: 0, unusual: 1 },
      lists: [
        {
          account: "acme",
          collection: "contracts",
          firstRead: 5,
          changes: expect.arrayContaining([
            expect.objectContaining({ id: first!.id, unusual: true, after }),
            expect.objectContaining({ change: "removed", after: null }),
          ]) as Array<object>,
        },
        { account: "acme", collection: "api-keys", firstRead: 12, changes: [] },
      ],
    })
  })

  it("cleans what a terminal might act upon", async () => {
    await using it = await mirrored(({ store }) => {
      store.update(store.contracts[0]!.id, { unit_label: "<b>3C</b>\u001B[2J", status: "ended|*now*" })
    })
    const { stdout } = await it.call(["sync", "changes", it.mirror, "--since", "1d"])
    expect(stdout).toContain("(<b>3C</b>\u241B[2J) changed: ")
    expect(stdout).toContain("status ended -> ended|*now*")
  })

  it("refuses to replace a file, unless it is told to, and leaves no part of one", async () => {
    await using it = await mirrored()
    const out = join(it.folder, "week.txt")
    await writeFile(out, "mine")
    const args = ["sync", "changes", it.mirror, "--since", "1d", "--out", out]
    const refused = await it.call(args)
    expect([refused.code, refused.stderr]).toEqual([10, expect.stringContaining("already exists")])
    expect(await it.file("week.txt")).toBe("mine")
    expect((await it.call([...args, "--overwrite"])).code).toBe(0)
    expect(await it.file("week.txt")).toMatch(/^acme\n/)
    expect(await it.files()).toEqual(["accounts.jsonl", "mirror.sqlite", "week.txt"])
  })

  it("shows nothing where nothing was seen since, and refuses a moment in the future", async () => {
    await using it = await mirrored()
    age(it.mirror)
    expect((await it.call(["sync", "changes", it.mirror, "--since", "1d"])).stdout).toBe("")
    expect(await it.call(["sync", "changes", it.mirror, "--since", "2100-01-01"])).toEqual({
      code: 2,
      stdout: "",
      stderr: "--since 2100-01-01 is in the future. Choose a moment that has passed.\n",
    })
  })

  it.each([
    ["body = 'x'", "text", "The mirror "],
    ["body = 'x'", "json", "The mirror "],
    ["body = 'x'", "html", "The mirror "],
    ["members = 'x'", "text", "The account acme is damaged in the mirror "],
    ["members = '{}'", "html", "The account acme is damaged in the mirror "],
  ])("says what is damaged where a row was changed to %s, as %s", async (change, format, what) => {
    await using it = await mirrored()
    edit(it.mirror, `update contract_history set ${change} where change = 'changed'`)
    const out = ["--format", format, "--out", join(it.folder, "digest")]
    const { code, stderr } = await it.call(["sync", "changes", it.mirror, "--since", "1d", ...out])
    expect([code, stderr]).toEqual([10, expect.stringMatching(/ is damaged\b.*\. Restore /)])
    expect(stderr.startsWith(`${what}${it.mirror}`)).toBe(true)
    expect(await it.files()).toEqual(["accounts.jsonl", "mirror.sqlite"])
  })
})

const chosen = (given: Partial<Asked>): string => {
  const found = chooseFormat({ format: undefined, json: false, out: undefined, ...given })
  return found instanceof Failure ? found.message : found
}

describe("the format of a digest", () => {
  it.each([
    [{}, "text"],
    [{ json: true }, "json"],
    [{ json: true, format: "json" }, "json"],
    [{ format: "html" }, "html"],
    [{ out: "-" }, "text"],
    [{ out: "-", format: "html" }, "html"],
    [{ out: "a.b/week.HTML" }, "html"],
    [{ out: "week.htm" }, "html"],
    [{ out: "week.txt" }, "text"],
    [{ out: "week.log", format: "html" }, "html"],
    [{ out: "week.html", format: "text" }, "text"],
    [{ out: "week.log", json: true }, "json"],
  ] as const)("asked for by %j is %s", (given, format) => {
    expect(chosen(given)).toBe(format)
  })

  it.each([
    [{ json: true, format: "html" }, "--json and --format html cannot be combined."],
    [{ json: true, out: "week.html" }, "--json and --out week.html cannot be combined."],
    [{ out: "week" }, "Unknown format for --out week. Use one of the endings .txt .html .json"],
    [{ out: "week.constructor" }, "Unknown format for --out week.constructor."],
  ] as const)("asked for by %j is refused", (given, problem) => {
    expect(chosen(given)).toContain(problem)
  })
})

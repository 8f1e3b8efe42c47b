/** Links to the listings' public pages: in which formats they are, and what is said where they cannot be. */
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { Bench } from "../../harness/Cli.ts"
import { bench } from "../../harness/Cli.ts"

const link = ["--link", "https://site.example/{slug}"]

const exporting = (it: Bench, names: ReadonlyArray<string>, ...more: ReadonlyArray<string>) =>
  it.call([
    ..."export contracts --rate 0 --headers api".split(" "),
    ...link,
    ...names.flatMap((name) => ["--out", join(it.folder, name)]),
    ...more,
  ])

interface Linked {
  readonly link?: string | null
  readonly listing: { readonly slug: string } | null
}

const linesOf = async (it: Bench, name: string): Promise<ReadonlyArray<Linked>> =>
  (await it.file(name))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Linked)

const said = "JSON and NDJSON hold each record as the API gives it, without the links of --link."

describe("--link", () => {
  it.each([["a.json"], ["a.ndjson"], ["a.ndjson.gz"], ["a.json", "a.ndjson"]])(
    "is refused where whole records alone are written, as %s, before anything is sent",
    async (...names) => {
      await using it = await bench({ contracts: 20 })
      const { code, stderr } = await exporting(it, names)
      expect([code, stderr]).toEqual([
        2,
        "--link adds a column, and JSON and NDJSON hold each record as the API gives it. Choose another format, or name the columns: `deedkit export contracts --columns id,listing.slug,link`.\n",
      ])
      expect(it.emulator.journal.entries).toHaveLength(0)
      const all = await it.call(["export", "all", "--out", join(it.folder, "x.json"), ...link])
      expect([all.code, await it.files()]).toEqual([2, []])
    },
  )

  it("is said not to be in whole records beside another format, which has it", async () => {
    await using it = await bench({ contracts: 20 })
    const { code, stderr } = await exporting(it, ["a.csv", "a.ndjson"])
    expect([code, stderr]).toEqual([0, expect.stringContaining(said)])
    expect(await it.file("a.csv")).toMatch(/,https:\/\/site\.example\/[^,]+,/)
    for (const record of await linesOf(it, "a.ndjson")) expect(record).not.toHaveProperty("link")
  })

  it("is text in JSON whose columns name it, and nothing is said", async () => {
    await using it = await bench({ contracts: 20 })
    const { code, stderr } = await exporting(it, ["a.ndjson", "a.tsv"], "--columns", "id,listing.slug,link")
    expect([code, stderr]).toEqual([0, expect.not.stringContaining(said)])
    for (const { link: address, listing } of await linesOf(it, "a.ndjson")) {
      const slug = listing?.slug ?? null
      expect(address).toBe(slug === null ? null : `https://site.example/${encodeURIComponent(slug)}`)
    }
    expect((await it.file("a.tsv")).split("\r\n")[0]).toBe("id\tlisting.slug\tlink")
  })

  it.each(["contracts", "report"])(
    "is refused in export %s where --columns does not name it",
    async (command) => {
      await using it = await bench({ contracts: 20 })
      const out = ["--out", join(it.folder, "a.xlsx"), "--columns", "id,status"]
      const { code, stderr } = await it.call(["export", command, ...out, ...link])
      expect([code, stderr]).toEqual([
        2,
        "--link adds the column link, and --columns does not name it. Name it too: --columns id,listing.slug,link.\n",
      ])
      expect(it.emulator.journal.entries).toHaveLength(0)
    },
  )
})

import { rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { bench } from "../../harness/Cli.ts"

const json = (text: string) => JSON.parse(text) as { readonly [member: string]: unknown }

describe("--schema", () => {
  it("writes a schema beside each file of text, of each table", async () => {
    await using it = await bench({ contracts: 5 })
    const out = ["a.csv", "b.tsv.gz", "c.json", "d.xlsx", "e.parquet"].flatMap((name) => ["--out", name])
    const { code } = await it.run(["export", "all", ...out, "--schema", "--no-manifest", "--rate", "0"])
    expect(code).toBe(0)
    expect((await it.files()).filter((name) => name.endsWith(".schema.json"))).toEqual([
      "a-contracts.csv.schema.json",
      "a-keys.csv.schema.json",
      "a-summary.csv.schema.json",
      "b-contracts.tsv.gz.schema.json",
      "b-keys.tsv.gz.schema.json",
      "b-summary.tsv.gz.schema.json",
      "c-contracts.json.schema.json",
      "c-keys.json.schema.json",
      "c-summary.json.schema.json",
    ])
    const [heading] = (await it.file("a-keys.csv")).split("\r\n")
    const { fields } = json(await it.file("a-keys.csv.schema.json")) as {
      fields: ReadonlyArray<{ name: string }>
    }
    expect(fields.map(({ name }) => name).join(",")).toBe(heading)
    expect(json(await it.file("c-keys.json.schema.json"))).toMatchObject({ title: "API keys", type: "array" })
  })

  it("is in the manifest, and checked with the file that it describes", async () => {
    await using it = await bench({ contracts: 5 })
    const path = join(it.folder, "a.csv")
    expect((await it.run(["export", "contracts", "--out", path, "--schema", "--rate", "0"])).code).toBe(0)
    const verify = () => it.run(["export", "verify", path])
    expect(await verify()).toMatchObject({ code: 0, stdout: expect.stringContaining("a.csv.schema.json") })
    await writeFile(`${path}.schema.json`, "{}")
    expect((await verify()).code).toBe(10)
    await rm(`${path}.schema.json`)
    expect((await verify()).code).toBe(10)
  })

  it("is refused where no file needs one", async () => {
    await using it = await bench({ contracts: 5 })
    for (const out of ["a.xlsx", "-"]) {
      const { code, stderr } = await it.run(["export", "keys", "--out", out, "--schema"])
      expect([code, stderr]).toEqual([2, expect.stringContaining("and none is written")])
    }
    expect(it.emulator.journal.entries).toEqual([])
  })
})

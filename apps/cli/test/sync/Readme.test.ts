/** The guide of @deedkit/sync is true: its commands are run one after the other, and its queries on the mirror that they make. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { make } from "@deedkit/emulator"
import { listen } from "@deedkit/emulator/node"
import { sqliteStore } from "@deedkit/sync"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { examplesIn, matches, plain, show } from "../harness/Guide.ts"

const docs = join(import.meta.dirname, "../../../../packages/sync/docs")
const [accountsPage, tablesPage, programPage] = await Promise.all(
  ["accounts.md", "tables.md", "program.md"].map((name) => readFile(join(docs, name), "utf8")),
)
const guide = [accountsPage, tablesPage, programPage].join("\n")
const examples = examplesIn(guide)
const queries = [...guide.matchAll(/^```sql\n([^]*?)^```$/gm)].flatMap(([, block = ""]) =>
  block
    .split(";")
    .map((query) => query.trim())
    .filter((query) => query !== ""),
)

/** Ids and labels are those of made-up records; ages and moments differ from run to run. */
const general = (line: string): string =>
  plain(line)
    .replace(/^ {2}contract \d+ \([^)]*\)/, "  contract ID (LABEL)")
    .replace(/status \S+ -> /, "status STATUS -> ")
    .replaceAll(/[\d.]+ (?:s|min) ago/g, "AGE ago")
    .replaceAll(/\b\d+ kB/g, "SIZE")

describe("the guide of a mirror", () => {
  const acme = make()
  const beta = make({ contracts: 90, seed: 2 })
  const servers: Array<Awaited<ReturnType<typeof listen>>> = []
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "deedkit-readme-"))
    servers.push(await listen(acme), await listen(beta))
    let accounts = /```json\n([^]*?)```/.exec(guide)?.[1] ?? ""
    for (const [at, name] of ["api", "beta"].entries()) {
      accounts = accounts.replace(`https://${name}.example.com`, servers[at]!.url)
    }
    await writeFile(join(folder, "accounts.jsonl"), accounts)
    await writeFile(join(folder, "acme.key"), acme.apiKey, { mode: 0o600 })
    await writeFile(join(folder, "beta.key"), beta.apiKey, { mode: 0o600 })
  })
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.close()))
    await rm(folder, { recursive: true, force: true })
  })

  it(
    "leads from an accounts file to the first digest, and its queries run on that mirror",
    { timeout: 60_000 },
    async () => {
      expect(examples.map(({ command }) => command.split(" ").slice(0, 3).join(" "))).toEqual([
        "deedkit sync --accounts",
        "deedkit sync status",
        "deedkit sync --accounts",
        "deedkit sync changes",
        "deedkit export contracts",
        "deedkit sync backup",
        "deedkit sync backup",
      ])
      for (const [at, { command, output }] of examples.entries()) {
        if (at === 2) {
          const [first, second] = acme.store.contracts
            .filter(({ status }) => status === "active")
            .toReversed()
          acme.store.update(first!.id, { status: "ended" })
          acme.store.remove(second!.id)
          acme.store.insert({ unit_label: "Loft" })
        }
        const got = (await show(folder, command)).map(general)
        const wanted = output.map(general)
        expect(matches(wanted, got) ? wanted : got).toEqual(wanted)
      }
      const db = new DatabaseSync(join(folder, "mirror.sqlite"), { readOnly: true })
      expect(queries).toHaveLength(4)
      for (const query of queries) expect(() => db.prepare(query).all()).not.toThrow()
      expect(db.prepare(queries[0]!).all().length).toBeGreaterThan(1)
      db.close()
    },
  )

  it("names every public table, view and column", async () => {
    const path = join(folder, "empty.sqlite")
    await Effect.runPromise(Effect.scoped(sqliteStore({ path })))
    const mirror = new DatabaseSync(path, { readOnly: true })
    const columns = mirror
      .prepare(
        "select m.name as name, c.name as member from sqlite_schema m, pragma_table_info(m.name) c where m.type in ('table', 'view') and m.name not in ('sync_page', 'sqlite_sequence')",
      )
      .all()
    mirror.close()
    expect(columns.length).toBeGreaterThan(40)
    for (const { member, name } of columns) {
      expect(tablesPage).toContain(`\`${String(name)}\``)
      if (!String(member).startsWith("cursor_")) expect(tablesPage).toContain(`\`${String(member)}\``)
    }
  })
})

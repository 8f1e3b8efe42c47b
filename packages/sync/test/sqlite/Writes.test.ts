import { stat } from "node:fs/promises"
import { DatabaseSync } from "node:sqlite"
import { describe, expect, it } from "vitest"
import { emulated, folder, query, sync } from "../harness/World.ts"

describe("a first night", () => {
  it("fills the pages of the file, although the list comes with falling ids", async () => {
    await using place = await folder()
    await sync(place.mirror, emulated("acme", { contracts: 2_000 }).account, { pageSize: 100 })
    const { size } = await stat(place.mirror)
    const db = new DatabaseSync(place.mirror)
    db.exec("vacuum")
    db.close()
    expect(size).toBeLessThan((await stat(place.mirror)).size * 1.4)
  })
})

describe("a night in which nothing has changed", () => {
  it("writes two rows a page, however many records it has", async () => {
    await using place = await folder()
    const { account } = emulated("acme", { contracts: 300 })
    await sync(place.mirror, account)
    const db = new DatabaseSync(place.mirror)
    db.exec("create table written (name text)")
    for (const { name } of db.prepare("select name from sqlite_schema where type = 'table'").all())
      for (const kind of name === "written" || String(name).startsWith("sqlite_") ? [] : ["insert", "update"])
        db.exec(
          `create trigger ${String(name)}_${kind} after ${kind} on ${String(name)} begin insert into written values ('${String(name)}'); end`,
        )
    db.close()
    const runs = await sync(place.mirror, account)
    const pages = runs.reduce((sum, run) => sum + run.pages, 0)
    expect(pages).toBeGreaterThan(30)
    const written = query(
      place.mirror,
      "select name, count(*) as rows from written group by name order by name",
    )
    // A run has a row when it begins, and one more change when it ends, as its list has. The account is noted as one without a problem.
    expect(written).toEqual([
      { name: "sync_list", rows: runs.length },
      { name: "sync_page", rows: pages },
      { name: "sync_run", rows: pages + 2 * runs.length },
    ])
  })
})

import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { emulated, folder, query, sync, using } from "../harness/World.ts"

const since = "2000-01-01T00:00:00.000Z"
/** The contracts of a moment, as the guide has it. */
const at = `select id, body from contract_versions
  where account = 'acme' and valid_from <= ? and (valid_to is null or valid_to > ?) order by id desc`

/** A mirror of three nights, and the account. */
const threeNights = async (mirror: string) => {
  const { account, emulator } = emulated("acme", { contracts: 25 })
  const { store } = emulator
  await sync(mirror, account)
  const [first, second, third] = store.contracts.map(({ id }) => id)
  store.update(first!, { status: "ended" })
  store.remove(second!)
  store.insert()
  await sync(mirror, account)
  store.update(first!, { status: "active" })
  store.update(third!, { unit_label: "Loft" })
  store.updateKey(store.apiKeys[0]!.id, { name: "renamed" })
  await sync(mirror, account)
  return { account, emulator }
}

describe("the views of a mirror", () => {
  it("give the contracts of a moment, as a snapshot does", async () => {
    await using place = await folder()
    await threeNights(place.mirror)
    const ends = query(
      place.mirror,
      "select ended_at from sync_run where collection = 'contracts' and state = 'finished' order by run",
    ).map((row) => String(row["ended_at"]))
    expect(ends).toHaveLength(3)
    for (const moment of ends) {
      const kept = await using(place.mirror, (store) =>
        Effect.flatMap(store.snapshot({ account: "acme", collection: "contracts", at: moment }), ({ page }) =>
          page(null, 100),
        ),
      )
      expect(query(place.mirror, at, moment, moment)).toEqual(kept.map(({ body, id }) => ({ id, body })))
    }
    expect(query(place.mirror, at, since, since)).toEqual([])
  })

  it("give what has changed, as the digest does, without the records of the first read", async () => {
    await using place = await folder()
    await threeNights(place.mirror)
    const lists = await using(place.mirror, (store) => store.changes(since))
    const rows = query(place.mirror, "select * from changes order by collection desc, run, id, version")
    expect(
      rows.map((row) => ({
        account: row["account"],
        collection: row["collection"],
        id: row["id"],
        version: row["version"],
        change: row["change"],
        members: JSON.parse(String(row["members"])) as unknown,
        seenAt: row["seen_at"],
        run: row["run"],
        body: row["body"],
        before: row["body_before"],
        data: row["data"],
        dataBefore: row["data_before"],
      })),
    ).toEqual(lists.flatMap(({ changes }) => changes))
    expect(rows).toHaveLength(6)
  })

  it("give each current record with the address of its account and the last complete read", async () => {
    await using place = await folder()
    const { account } = await threeNights(place.mirror)
    const latest = (collection: string) =>
      query(
        place.mirror,
        `select max(ended_at) as at from sync_run where collection = '${collection}' and state = 'finished'`,
      )[0]!["at"]
    for (const [view, collection] of [
      ["contract", "contracts"],
      ["api_key", "api-keys"],
    ]) {
      const columns = "account, id, version, seen_at, created_at, body"
      expect(
        query(place.mirror, `select ${columns}, base_url, complete_at from ${view}s order by id`),
      ).toEqual(
        query(place.mirror, `select ${columns} from ${view} order by id`).map((row) =>
          Object.assign(row, { base_url: account.baseUrl, complete_at: latest(collection!) }),
        ),
      )
    }
  })

  it.each([
    ["what changed since a moment", "changes where seen_at >= '2026-10-24'", "history_by_time"],
    ["the versions of a time", "contract_versions where valid_from >= '2026-10-24'", "history_by_time"],
    ["the contracts of a listing", "contracts where listing_id = 7", "history_by_listing"],
    ["a listing", "listings where listing_id = 7", "history_by_listing"],
  ])("look up %s, and do not read the whole history", async (_, rows, index) => {
    await using place = await folder()
    await threeNights(place.mirror)
    const plan = query(place.mirror, `explain query plan select * from ${rows}`).map((row) =>
      String(row["detail"]),
    )
    expect(plan.join("\n")).toContain(`USING INDEX contract_${index} (`)
    expect(plan.filter((step) => /^SCAN (?:later|kept|\w+_history)/.test(step))).toEqual([])
  })

  it("answer the queries of the guide", async () => {
    await using place = await folder()
    await threeNights(place.mirror)
    const db = new DatabaseSync(place.mirror)
    db.exec("update contract_history set seen_at = '2026-10-30' || substr(seen_at, 11)")
    db.close()
    const guide = await readFile(join(import.meta.dirname, "..", "..", "docs", "tables.md"), "utf8")
    const queries = [...guide.matchAll(/```sql\n(.*?)```/gs)].flatMap(([, block]) =>
      block!.split(";\n").filter((sql) => sql.trim() !== ""),
    )
    const found = queries.map((sql) => query(place.mirror, sql))
    expect(found.map((rows) => rows.length > 0)).toEqual([true, false, true, true])
    expect(found[3]).toContainEqual(
      expect.objectContaining({ change: "changed", status_before: "ended", status: "active" }),
    )
  })
})

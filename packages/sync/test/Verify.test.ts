import { PropertyClient, Transport } from "@deedkit/core"
import * as Effect from "effect/Effect"
import { DatabaseSync } from "node:sqlite"
import { describe, expect, it } from "vitest"
import { sqliteStore, verifyAccount } from "../src/index.ts"
import type { Account } from "./harness/World.ts"
import { emulated, folder, query, sync } from "./harness/World.ts"

const verifying = (mirror: string, { apiKey, baseUrl, fetch, name }: Account) =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const store = yield* sqliteStore({ path: mirror, isReadOnly: true })
        const client = yield* PropertyClient.make({ baseUrl, apiKey, rate: 0 })
        return yield* verifyAccount({ store, client, account: name, sample: 100 })
      }),
    ).pipe(Effect.provideService(Transport.Transport, Transport.viaFetch(fetch))),
  )

describe("verifyAccount", () => {
  it("finds records that are the same, changed, removed and not as specified, and what differs without an update", async () => {
    await using place = await folder()
    const { account, emulator } = emulated("acme", { contracts: 20 })
    await sync(place.mirror, account)
    expect(await verifying(place.mirror, account)).toMatchObject({ compared: 32, same: 32, different: [] })
    const [changed, gone, bad, silent] = emulator.store.contracts
    emulator.store.update(changed!.id, { status: "on_hold" })
    emulator.store.remove(gone!.id)
    emulator.store.update(bad!.id, { kind: 7 as unknown as string })
    const db = new DatabaseSync(place.mirror)
    db.exec(
      `update contract_history set body = replace(body, '"status":"${silent!.status}"', '"status":"wrong"') where id = ${silent!.id}`,
    )
    db.close()
    const before = query(place.mirror, "select * from sync_run")
    expect(await verifying(place.mirror, account)).toEqual({
      account: "acme",
      compared: 32,
      same: 28,
      changed: 1,
      gone: 1,
      unreadable: 1,
      different: [{ collection: "contracts", id: silent!.id, members: ["status"] }],
    })
    expect(query(place.mirror, "select * from sync_run")).toEqual(before)
  })

  it.each(["x", "[]", "{}", "null"])("finds a text that was changed to %s in the mirror", async (text) => {
    await using place = await folder()
    const { account, emulator } = emulated("acme", { contracts: 3 })
    await sync(place.mirror, account)
    const { id } = emulator.store.contracts[0]!
    const db = new DatabaseSync(place.mirror)
    db.prepare("update contract_history set body = ? where id = ?").run(text, id)
    db.close()
    expect(await verifying(place.mirror, account)).toMatchObject({
      same: 14,
      different: [{ collection: "contracts", id, members: [] }],
    })
  })

  it("takes an earlier updated_at for no update", async () => {
    await using place = await folder()
    const { account, emulator } = emulated("acme", { contracts: 3 })
    await sync(place.mirror, account)
    const { id } = emulator.store.contracts[0]!
    emulator.store.update(id, { status: "on_hold", updated_at: "1990-01-01T00:00:00Z" })
    expect(await verifying(place.mirror, account)).toMatchObject({
      changed: 0,
      different: [{ collection: "contracts", id, members: ["status", "updated_at"] }],
    })
  })

  it("takes members that only the retrieve form has, and the use of a key, for no difference", async () => {
    await using place = await folder()
    const { account, emulator } = emulated("acme", { contracts: 3 })
    await sync(place.mirror, account)
    emulator.store.updateKey(emulator.store.apiKeys[0]!.id, { last_used_at: "2026-05-01T00:00:00Z" })
    const fetch: Account["fetch"] = async (request) => {
      const response = await emulator.fetch(request)
      if (!request.url.includes("/contracts/?id=")) return response
      const body = (await response.json()) as { contract: object }
      return Response.json({ ...body, contract: { ...body.contract, only_here: true } })
    }
    expect(await verifying(place.mirror, { ...account, fetch })).toMatchObject({ compared: 15, same: 15 })
  })

  it.each([
    ["AccountUnknown", { name: "nobody" }],
    ["OtherAccount", { baseUrl: "https://other.example.test" }],
  ])("fails with %s where it would compare two accounts", async (tag, more) => {
    await using place = await folder()
    const { account } = emulated("acme", { contracts: 3 })
    await sync(place.mirror, account)
    await expect(verifying(place.mirror, { ...account, ...more })).rejects.toMatchObject({
      reason: { _tag: tag },
    })
  })
})

import { Json } from "@deedkit/core"
import { describe, expect, it } from "vitest"
import { answered, stores } from "../../../src/index/Database.ts"
import type { AppState } from "../../../src/messages/AppState.ts"
import type { ApiKeysAnswer } from "../../../src/messages/PageMessage.ts"
import type { UserError } from "../../../src/messages/UserError.ts"
import * as World from "../World.ts"

const whole = (answer: ApiKeysAnswer | UserError): ApiKeysAnswer => {
  if ("_tag" in answer) throw new Error(answer.message)
  return answer
}

describe("the list of API keys", () => {
  it("has every key of the service, as on the wire, and no secret", async () => {
    const world = World.make({ keys: 120 })
    await world.setUp()
    const { apiKeys, complete, readAt, sync } = whole(await world.ask({ type: "page.apiKeys" }))
    const ids = (Json.parse(apiKeys) as unknown as ReadonlyArray<{ readonly id: number }>).map(({ id }) => id)
    expect(ids).toEqual(world.emulator.store.apiKeys.map(({ id }) => id))
    expect(complete).toBe(true)
    expect(readAt).toBe("2026-03-01T14:00:00.000Z")
    expect(sync).toMatchObject({ collection: "api-keys", records: ids.length, complete: true })
    expect(apiKeys).not.toContain(world.emulator.apiKey)
  })

  it("is refused to a key without the scope for it, which is no failure of the extension", async () => {
    const world = World.make()
    await world.setUp(world.emulator.secrets.contractsOnly)
    await world.until(World.isSynced)
    expect(await world.ask({ type: "page.apiKeys" })).toMatchObject({ _tag: "UserError" })
    expect((await world.ask({ type: "page.state" })).connection).toEqual({ _tag: "Ready" })
  })

  it("does not end the failure of a key that may list keys and may not read contracts", async () => {
    const world = World.make()
    await world.setUp(world.emulator.secrets.keysOnly)
    const isMissing = ({ connection }: AppState) => connection._tag === "MissingScope"
    await world.until(isMissing)
    whole(await world.ask({ type: "page.apiKeys" }))
    expect(isMissing(await world.ask({ type: "page.state" }))).toBe(true)
  })

  it("does not end that failure either where both are answered at the same time", async () => {
    for (let steps = 0; steps < 60; steps += 2) {
      const [contracts, keys] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const sleep = (ms: number) => (ms === 1 ? contracts.promise : keys.promise)
      const world = World.make({ contracts: 30, clock: { now: () => World.startMillis, sleep } })
      await world.setUp()
      await world.until(World.isSynced)
      world.platform.asked.length = 0
      world.emulator.faults.set([
        { name: "scope-missing", scope: "read:contracts" },
        { name: "latency", ms: 1, when: { path: "/contracts" } },
        { name: "latency", ms: 2, when: { path: "/api-keys" } },
      ])
      const listed = world.ask({ type: "page.apiKeys" })
      await world.ask({ type: "page.sync" })
      await world.until(() => world.platform.asked.length === 2)
      keys.resolve()
      for (let step = 0; step < steps; step++) await Promise.resolve()
      contracts.resolve()
      whole(await listed)
      const state = await world.until(({ sync }) => sync._tag === "Idle")
      expect(state.connection._tag).toBe("MissingScope")
    }
  })

  it("keeps nothing of how it ended where address or key are others by then", async () => {
    const world = World.make()
    await world.setUp()
    await world.until(World.isSynced)
    const { emulator, platform } = world
    const { reaches } = platform
    emulator.store.insertKey({ scopes: ["read:contracts"] }, "dk_another_key")
    const isReady = ({ connection, sync }: AppState) => connection._tag === "Ready" && sync._tag === "Idle"
    const isRefused = ({ connection }: AppState) => connection._tag === "WrongKey"
    /** The list is asked for with this key and answered after the next one was set. */
    const crossed = async (key: string, answer: () => Response, next: string): Promise<void> => {
      await world.ask({ type: "page.setKey", key })
      const answered = Promise.withResolvers<Response>()
      platform.reaches = async (request) =>
        request.url.includes("/api-keys") ? answered.promise : reaches(request)
      platform.asked.length = 0
      const listed = world.ask({ type: "page.apiKeys" })
      await world.until(() => platform.asked.some((path) => path.includes("/api-keys")))
      platform.asked.length = 0
      await world.ask({ type: "page.setKey", key: next })
      // The sync that the next key begins has ended.
      const isAsWanted = next === "dk_unknown" ? isRefused : isReady
      await world.until(
        (state) => platform.asked.some((path) => path.includes("/contracts")) && isAsWanted(state),
      )
      answered.resolve(answer())
      await listed
    }
    const refused = () => Response.json({ ok: false, error: "unauthorized" }, { status: 401 })
    await crossed(emulator.apiKey, refused, "dk_another_key")
    expect((await world.ask({ type: "page.state" })).connection._tag).toBe("Ready")
    const none = () => Response.json({ ok: true, items: [], next_before_id: null })
    await crossed(emulator.apiKey, none, "dk_unknown")
    expect((await world.ask({ type: "page.state" })).connection._tag).toBe("WrongKey")
  })

  it("ends at 10,000 keys, and says that it is not complete", async () => {
    const world = World.make({ contracts: 0 })
    await world.setUp()
    await world.until(World.isSynced)
    const [key] = world.emulator.store.apiKeys
    let pages = 0
    world.platform.reaches = async () => {
      const items = Array.from({ length: 3_000 }, (_, at) => ({ ...key, id: pages * 3_000 + at + 1 }))
      pages += 1
      return Response.json({ ok: true, items, next_before_id: pages })
    }
    const { apiKeys, complete, sync } = whole(await world.ask({ type: "page.apiKeys" }))
    expect(Json.parse(apiKeys)).toHaveLength(10_000)
    expect([complete, sync?.complete]).toEqual([false, false])
    expect(pages).toBeLessThanOrEqual(5)
  })

  it("is kept nowhere", async () => {
    const world = World.make({ contracts: 0 })
    await world.setUp()
    await world.until(World.isSynced)
    const name = "IndexMeta of the coast"
    world.emulator.store.insertKey({ name, scopes: ["read:contracts"] })
    expect(whole(await world.ask({ type: "page.apiKeys" })).apiKeys).toContain(name)
    const kept: Array<unknown> = [[...world.platform.kept]]
    for (const name of stores) {
      kept.push(await answered((await world.database().reading(name)).objectStore(name).getAll()))
    }
    expect(JSON.stringify(kept)).not.toContain(name)
  })

  it("is refused in words when there is nothing to ask with, and nothing is asked", async () => {
    const world = World.make()
    expect(await world.ask({ type: "page.apiKeys" })).toMatchObject({ _tag: "UserError" })
    expect(world.platform.asked).toEqual([])
  })
})

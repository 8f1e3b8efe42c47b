/**
 * What a read would miss that stops at the first page without news, and what it would save: the reason why every list is read to its end. The
 * the guide quotes the table that this prints.
 */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { Json, PropertyClient, Transport } from "@deedkit/core"
import type { Contract } from "@deedkit/core"
import type { Emulator } from "@deedkit/emulator"
import { make } from "@deedkit/emulator"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { describe, expect, it } from "vitest"

const nights = 10
const contracts = 2_000
const page = 100
/** What happens to an account in a day. */
const day = { updates: 20, listings: 10, removals: 10, additions: 10 } as const
type Kind = keyof typeof day
const kinds = Object.keys(day) as ReadonlyArray<Kind>

const orders = { descending: "falling ids", updated: "latest update first" } as const
type Order = keyof typeof orders

/** A sequence of numbers below a bound, the same for each seed. */
const numbers = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const pagesOf = ({ apiKey, fetch }: Emulator) =>
  PropertyClient.make({ baseUrl: "https://api.example.test", apiKey, rate: 0 }).pipe(
    Effect.provideService(Transport.Transport, Transport.viaFetch(fetch)),
    Effect.map((client) => client.contracts.pages({ limit: page })),
  )

/** Changes the account, and returns the ids that each kind of change concerns. */
const live = ({ store }: Emulator, draw: (below: number) => number): Record<Kind, ReadonlyArray<number>> => {
  const left = store.contracts.filter(({ listing }) => listing !== null)
  const drawn = (count: number): ReadonlyArray<(typeof left)[number]> =>
    Array.from({ length: count }, () => left.splice(draw(left.length), 1)[0]!)
  const ids = (records: ReturnType<typeof drawn>): ReadonlyArray<number> => records.map(({ id }) => id)
  const updates = ids(drawn(day.updates))
  const removals = ids(drawn(day.removals))
  const retitled = drawn(day.listings)
  for (const id of updates) store.update(id, { unit_label: `Unit of ${draw(1_000)}` })
  // The listing is a record of its own: nothing says that the contract's `updated_at` follows it (Spec: Contract, gaps).
  for (const { id, listing, updated_at } of retitled)
    store.update(id, { listing: { ...listing!, title: `Title ${draw(1_000)}` }, updated_at })
  for (const id of removals) store.remove(id)
  const additions = Array.from({ length: day.additions }, () => store.insert().id)
  return { updates, listings: ids(retitled), removals, additions }
}

/** What a read that stops early misses in all nights, and how many of the pages it reads. */
const simulate = async (order: Order) => {
  const missed = { updates: 0, listings: 0, removals: 0, additions: 0 }
  let read = 0
  let whole = 0
  for (let night = 0; night < nights; night++) {
    const emulator = make({ contracts, seed: night + 1, assumptions: { ordering: order } })
    await Effect.runPromise(
      Effect.gen(function* () {
        const pages = yield* pagesOf(emulator)
        const known = new Map<number, string>()
        const isNews = (contract: Contract.Contract): boolean =>
          known.get(contract.id) !== Json.stringify(contract)
        const learn = (records: ReadonlyArray<Contract.Contract>): void => {
          for (const contract of records) known.set(contract.id, Json.stringify(contract))
        }
        yield* Stream.runForEach(pages, ({ records }) => Effect.sync(() => learn(records)))
        const changed = live(emulator, numbers(night + 1))
        const found = new Set<number>()
        yield* pages.pipe(
          Stream.takeUntil(({ records }) => {
            const news = records.filter(isNews)
            for (const { id } of news) found.add(id)
            read += 1
            return news.length === 0
          }),
          Stream.runDrain,
        )
        whole += Math.ceil(emulator.store.contracts.length / page)
        for (const kind of kinds) missed[kind] += changed[kind].filter((id) => !found.has(id)).length
      }),
    )
  }
  return { missed, read, whole }
}

describe("a read that stops at the first page without news", () => {
  it("misses what the guide says, in either order of a list", { timeout: 120_000 }, async () => {
    const heading = `| order of the list | updates missed | listings missed | removals missed | additions missed | pages read |
| --- | --- | --- | --- | --- | --- |`
    const rows = []
    for (const order of ["descending", "updated"] as const) {
      const { missed, read, whole } = await simulate(order)
      const cells = kinds.map((kind) => `${missed[kind]} of ${day[kind] * nights}`)
      rows.push(`| ${[orders[order], ...cells, `${read} of ${whole}`].join(" | ")} |`)
      expect(missed.removals).toBe(day.removals * nights)
    }
    const guide = await readFile(join(import.meta.dirname, "..", "docs", "accounts.md"), "utf8")
    const tables = (text: string): string => text.replaceAll(/ +/g, " ").replaceAll(/-{3,}/g, "---")
    expect(tables(guide)).toContain([heading, ...rows].join("\n"))
  })
})

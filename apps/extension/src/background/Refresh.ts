/**
 * Single requests beside the sync: contracts by id, for people who look at them, with priority over a sync that is under way; and the first
 * page of the list. The answers are kept in the index, unless address or key has changed meanwhile. A contract that the service no longer
 * knows stays in the index until a complete sync has not seen it.
 */
import type { ClientError, PropertyClient } from "@deedkit/core"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as Watched from "../index/Watched.ts"
import type { Row } from "../index/Row.ts"
import { Index } from "./Account.ts"
import { Platform, Changes } from "./Platform.ts"
import { ServiceClient } from "./ServiceClient.ts"
import { Sites } from "./Sites.ts"
import { pageSize } from "./SyncPlan.ts"

const make = Effect.gen(function* () {
  const service = yield* ServiceClient
  const index = yield* Index
  const changes = yield* Changes
  const sites = yield* Sites
  const { notify } = yield* Platform

  /** Sends a request, and records how it ended. Null if address or key has changed meanwhile. */
  const ask = Effect.fnUntraced(function* <A>(
    request: (client: PropertyClient.Service) => Effect.Effect<A, ClientError.ClientError>,
  ) {
    const client = yield* service.client
    const isOurs = service.sameAccount()
    const answer = yield* Effect.tapError(request(client), (error) =>
      isOurs() ? service.failed(error) : Effect.void,
    )
    if (isOurs()) yield* service.succeeded
    return isOurs() ? answer : yield* Effect.as(service.client, null)
  })

  /** The contracts with these ids, as far as the service has them. */
  const many = Effect.fnUntraced(function* (ids: ReadonlyArray<number>) {
    const lookups = yield* ask(({ contracts }) => contracts.getMany(ids))
    if (lookups === null) return [] as ReadonlyArray<Row>
    const now = yield* Clock.currentTimeMillis
    const seenAt = new Date(now).toISOString()
    const contracts = lookups.flatMap((lookup) => (lookup._tag === "Found" ? [lookup.record] : []))
    const rows = yield* Effect.promise(() => index.putSome(contracts, seenAt))
    changes.tell()
    return rows
  })

  const firstPage = (limit: number) =>
    ask(({ contracts }) => {
      const pages = contracts.pages({ limit, onRejected: "collect", readAhead: 0 })
      return Stream.runCollect(Stream.take(pages, 1))
    })

  /** Reads the first page, if it shows what is new. */
  const head = Effect.gen(function* () {
    const before = (yield* Effect.promise(index.meta)).head
    if (before === undefined) return
    const [page] = (yield* firstPage(pageSize)) ?? []
    if (page === undefined) return
    const at = yield* Clock.currentTimeMillis
    const isNews = yield* Effect.promise(() =>
      index.putHead(before, {
        contracts: page.records,
        invalidIds: page.rejected.flatMap(({ id }) => id ?? []),
        isWhole: page.next === null,
        serviceAt: service.serviceAt(),
        at,
      }),
    )
    if (isNews) yield* sites.tell({ type: "listing.changed" })
    changes.tell()
    const readAt = new Date(at).toISOString()
    yield* Effect.promise(async () => notify(Watched.countSince(await index.watched(), readAt)))
  })

  /** After a failure that may pass, asks for one contract to see whether it has passed. A waiting sync finds that out itself. */
  const recover = Effect.gen(function* () {
    const sync = yield* Effect.promise(() => index.sync())
    if ((yield* service.lastFailure) === null || (sync !== null && sync.notBefore !== null)) return
    // `ask` records how it ends.
    yield* Effect.exit(firstPage(1))
  })

  return {
    many,
    head,
    recover,
    /** The contract as the service has it now; null if it has none with this id. */
    one: (id: number) => Effect.map(many([id]), ([row]) => row ?? null),
  }
})

export class Refresh extends Context.Service<Refresh, Effect.Success<typeof make>>()(
  "@deedkit/extension/Refresh",
) {
  static readonly layer = Layer.effect(Refresh, make)
}

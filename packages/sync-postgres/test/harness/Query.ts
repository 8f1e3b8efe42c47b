/** Rows of a query, as another program sees them. */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Redacted from "effect/Redacted"

export const query = (url: string, sql: string): Promise<ReadonlyArray<Record<string, unknown>>> =>
  Effect.runPromise(
    Effect.scoped(
      Effect.flatMap(PgClient.make({ url: Redacted.make(url), maxConnections: 1 }), (client) =>
        client.unsafe<Record<string, unknown>>(sql),
      ).pipe(Effect.provide(Reactivity.layer)),
    ),
  )

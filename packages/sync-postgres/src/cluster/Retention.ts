/**
 * The engine keeps its messages and replies indefinitely. This removes those of work that was queued some time ago and has ended; the mirror's own
 * history is not touched.
 */
import * as MachineId from "effect/cluster/MachineId"
import * as Snowflake from "effect/cluster/Snowflake"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Engine } from "./Engine.ts"

/** Days that the engine's messages are kept after they were stored. */
const keptDays = 7

/** Removes executions that were queued before a moment, in milliseconds, and have ended; returns the number of their messages. */
export const clean = (engine: Engine, before: number): Effect.Effect<number, SqlError, SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const messages = engine.table("messages")
    const replies = engine.table("replies")
    const oldest = String(Snowflake.make({ timestamp: before, machineId: MachineId.make(0), sequence: 0 }))
    const removed = yield* sql.onDialectOrElse({
      sqlite: () => {
        const old = `(entity_type, entity_id) in (
          select entity_type, entity_id from ${messages} where tag = 'run' and processed and id < ${oldest})`
        return sql.withTransaction(
          Effect.andThen(
            sql.unsafe(
              `delete from ${replies} where request_id in (select id from ${messages} where ${old})`,
            ),
            sql.unsafe(`delete from ${messages} where ${old} returning 1 as gone`),
          ),
        )
      },
      orElse: () =>
        sql.unsafe(
          `with old as (
             select entity_type, entity_id from ${messages} where tag = 'run' and processed and id < $1::bigint
           ), gone as (
             delete from ${messages} as message using old
             where message.entity_type = old.entity_type and message.entity_id = old.entity_id returning message.id
           ), replies as (
             delete from ${replies} where request_id in (select id from gone)
           )
           select id from gone`,
          [oldest],
        ),
    })
    return removed.length
  })

/** Cleans once an hour, indefinitely. After a failure, it tries again an hour later. */
export const cleaning = (engine: Engine): Effect.Effect<never, never, SqlClient> =>
  Clock.currentTimeMillis.pipe(
    Effect.flatMap((now) => clean(engine, now - keptDays * 86_400_000)),
    Effect.catchCause((cause) => Effect.logWarning("The queue could not be cleaned", cause)),
    Effect.andThen(Effect.sleep("1 hour")),
    Effect.forever,
  )

import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openQueue } from "@deedkit/sync/store"
import * as Effect from "effect/Effect"
import { SafeIntegers, SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import { describe, expect, it } from "vitest"
import { sqlClient } from "../../src/cluster/SqliteEngine.ts"

/** Does something with a client of a new file. */
const using = async <A>(work: (sql: SqlClient) => Effect.Effect<A, SqlError>): Promise<A> => {
  const folder = await mkdtemp(join(tmpdir(), "deedkit-client-"))
  try {
    return await Effect.runPromise(
      Effect.scoped(
        Effect.flatMap(openQueue(join(folder, "mirror.sqlite")), (file) =>
          Effect.provide(Effect.flatMap(SqlClient, work), sqlClient(file)),
        ),
      ),
    )
  } finally {
    await rm(folder, { recursive: true })
  }
}

describe("Effect's client of SQL on node:sqlite", () => {
  it("writes booleans as numbers, and reads rows, values, streams, and large integers where they are safe", async () => {
    const taken = await using((sql) =>
      Effect.gen(function* () {
        yield* sql`create table t (id integer primary key, is_done integer, note text)`
        yield* sql`insert into t ${sql.insert({ id: 2n ** 60n, is_done: true, note: null })}`
        const small = sql`select is_done, note from t`
        return [
          yield* small,
          yield* small.values,
          yield* Stream.runCollect(small.stream),
          yield* Effect.provideService(sql`select id from t`, SafeIntegers, true),
        ]
      }),
    )
    const row = { is_done: 1, note: null }
    expect(taken).toEqual([[row], [[1, null]], [row], [{ id: 2n ** 60n }]])
  })

  it("undoes a transaction that fails, and only the inner one where that is caught", async () => {
    const ids = await using((sql) =>
      Effect.gen(function* () {
        yield* sql`create table t (id integer primary key)`
        const add = (id: number) => sql`insert into t values (${id})`
        const twice = (id: number) => sql.withTransaction(Effect.andThen(add(id), add(id)))
        const problem = yield* Effect.match(twice(1), {
          onFailure: ({ message }) => message,
          onSuccess: () => "",
        })
        expect(problem).toContain("UNIQUE constraint failed: t.id")
        yield* sql.withTransaction(Effect.andThen(add(2), Effect.ignore(twice(3))))
        return yield* sql`select id from t`.values
      }),
    )
    expect(ids).toEqual([[2]])
  })

  it("does what several fibers want one after the other: nothing of others is in a transaction", async () => {
    const seen = await using((sql) =>
      Effect.gen(function* () {
        yield* sql`create table t (id integer primary key)`
        const slowly = (id: number) =>
          sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`insert into t values (${id})`
              yield* Effect.yieldNow
              return yield* Effect.fail("undone")
            }),
          )
        const all = [
          Effect.ignore(slowly(1)),
          Effect.asVoid(sql`insert into t values (2)`),
          Effect.ignore(slowly(3)),
        ]
        yield* Effect.all(all, { concurrency: "unbounded", discard: true })
        return yield* sql`select id from t`.values
      }),
    )
    expect(seen).toEqual([[2]])
  })
})

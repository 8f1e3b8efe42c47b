/** Rows of a query, as another program sees them. */
import { DatabaseSync } from "node:sqlite"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Redacted from "effect/Redacted"

const connect = (url: string) =>
  Effect.provide(PgClient.make({ url: Redacted.make(url), maxConnections: 1 }), Reactivity.layer)

export const query = (url: string, sql: string): Promise<ReadonlyArray<Record<string, unknown>>> =>
  Effect.runPromise(
    Effect.scoped(Effect.flatMap(connect(url), (client) => client.unsafe<Record<string, unknown>>(sql))),
  )

/** Runs statements in turn on one connection, without the checks of foreign keys. */
export const edit = (url: string, statements: ReadonlyArray<string>): Promise<void> =>
  Effect.runPromise(
    Effect.scoped(
      Effect.flatMap(connect(url), (client) =>
        Effect.forEach(
          ["set session_replication_role = replica", ...statements],
          (statement) => client.unsafe(statement),
          { discard: true },
        ),
      ),
    ),
  )

/** The same of a mirror in a file, whose tables are in `deedkit` too. */
export const editFile = (path: string, statements: ReadonlyArray<string>): void => {
  const db = new DatabaseSync(":memory:", { enableForeignKeyConstraints: false })
  try {
    db.prepare("attach ? as deedkit").run(path)
    for (const statement of statements) db.exec(statement)
  } finally {
    db.close()
  }
}

/** The rows of a query of a mirror in a file, whose tables are in `deedkit` too. */
export const queryFile = (path: string, sql: string): ReadonlyArray<Record<string, unknown>> => {
  const db = new DatabaseSync(":memory:")
  try {
    db.prepare("attach ? as deedkit").run(path)
    return db
      .prepare(sql)
      .all()
      .map((row) => Object.assign({}, row))
  } finally {
    db.close()
  }
}

/** Does something while another program holds the locks of a statement. */
export const locked = (url: string, sql: string, work: () => Promise<void>): Promise<void> =>
  Effect.runPromise(
    Effect.scoped(
      Effect.flatMap(connect(url), (client) =>
        client.withTransaction(Effect.andThen(client.unsafe(sql), Effect.promise(work))),
      ),
    ),
  )

/**
 * The databases of the accounts, and the notices that something in them has changed. A failure of the browser's own storage is a defect: nothing
 * that a user set can cause it, and nothing here can fix it.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Database } from "../index/Database.ts"

/** The database of each account, by its id: one object each, however often it is asked for. */
export class Databases extends Context.Service<
  Databases,
  { readonly databaseOf: (account: string) => Database }
>()("@deedkit/extension/Databases") {}

/** Notifies watchers that something which the pages show has changed. They ask for the new state themselves. */
export class Changes extends Context.Service<
  Changes,
  {
    readonly tell: () => void
    /** The returned function ends the watch. */
    readonly watch: (watcher: () => void) => () => void
  }
>()("@deedkit/extension/Changes") {
  static readonly layer = Layer.effect(
    Changes,
    Effect.sync(() => {
      const watchers = new Set<() => void>()
      return {
        tell: () => watchers.forEach((watcher) => watcher()),
        watch: (watcher) => {
          watchers.add(watcher)
          return () => void watchers.delete(watcher)
        },
      }
    }),
  )
}

/** Notifies watchers that something which the pages show has changed. They ask for the new state themselves. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

export interface Service {
  readonly tell: () => void
  /** The returned function ends the watch. */
  readonly watch: (watcher: () => void) => () => void
}

const make = (): Service => {
  const watchers = new Set<() => void>()
  return {
    tell: () => watchers.forEach((watcher) => watcher()),
    watch: (watcher) => {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
  }
}

export class Changes extends Context.Service<Changes, Service>()("@deedkit/extension/Changes") {
  static readonly make = Effect.sync(make)
}

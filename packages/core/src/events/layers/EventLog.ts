/**
 * Events in Effect's log. A line is written before the call continues, so none is lost, not even that of a failure, or when the program is
 * interrupted or ends at once.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { Service } from "../../client/PropertyClient.ts"
import { PropertyClient } from "../../client/PropertyClient.ts"
import { line } from "../eventLine.ts"

export { line }

/**
 * Writes the events of a client to the loggers of this program at debug level, until the scope closes. Effect's default shows no debug
 * messages: set `References.MinimumLogLevel`.
 */
export const toLogger = (client: Pick<Service, "listen">): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function* () {
    const run = Effect.runSyncWith(yield* Effect.context())
    yield* Effect.acquireRelease(
      Effect.sync(() => client.listen((event) => run(Effect.logDebug(line(event))))),
      (unlisten) => Effect.sync(unlisten),
    )
  })

/** Writes the events of the client to the loggers of this program at debug level, as `toLogger` does. */
export const layer: Layer.Layer<never, never, PropertyClient> = Layer.effectDiscard(
  Effect.flatMap(PropertyClient, toLogger),
)

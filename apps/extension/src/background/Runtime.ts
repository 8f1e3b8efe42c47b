/**
 * Services that are made one after the other, each from those before it, and the work that runs with them until they are closed. Layers find the
 * order of a graph while they build it, concurrently; here the order is written down, and no service waits for anything.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"

export interface Runtime<Services> {
  readonly context: Context.Context<Services>
  readonly run: <A>(work: Effect.Effect<A, never, Services>) => Promise<A>
  readonly fork: <A>(work: Effect.Effect<A, never, Services>) => Fiber.Fiber<A>
  /** Ends the work that the services have begun. */
  readonly close: () => Promise<void>
}

/** Makes a service from the existing ones, and adds it to them. */
export const add =
  <Id, Service, Needed>(key: Context.Key<Id, Service>, make: Effect.Effect<Service, never, Needed>) =>
  <There>(there: Context.Context<There>) =>
    Effect.map(Effect.provideContext(make, there), (service) => Context.add(there, key, service))

/** Makes the services. They are made without waiting for anything. */
export const start = <Services>(
  services: Effect.Effect<Context.Context<Services>, never, Scope.Scope>,
): Runtime<Services> => {
  const scope = Scope.makeUnsafe()
  const context = Effect.runSync(Effect.provideService(services, Scope.Scope, scope))
  return {
    context,
    run: Effect.runPromiseWith(context),
    fork: Effect.runForkWith(context),
    close: () => Effect.runPromise(Scope.close(scope, Exit.void)),
  }
}

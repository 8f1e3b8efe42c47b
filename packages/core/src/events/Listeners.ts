/**
 * The listeners of one client. A listener is code of the program, not of the client: its error is reported and affects nothing else.
 */
import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import type { ClientEvent, Listener } from "./ClientEvent.ts"

/** A set of listeners. */
export interface Listeners {
  readonly isEmpty: () => boolean
  /**
   * A function that is added again hears each event once. The returned function removes it; it does nothing once the same function was
   * added again.
   */
  readonly add: (listener: Listener) => () => void
  readonly tell: (event: ClientEvent) => void
}

/** Makes an empty set. `report` takes what a listener threw, or what its promise rejected with. */
export const make = (report: (error: unknown, event: ClientEvent) => void): Listeners => {
  /** The newest registration of each function. */
  const registrations = new Map<Listener, symbol>()
  return {
    isEmpty: () => registrations.size === 0,
    add: (listener) => {
      const registration = Symbol()
      registrations.set(listener, registration)
      return () => {
        if (registrations.get(listener) === registration) registrations.delete(listener)
      }
    },
    tell: (event) => {
      // A copy: a listener may add listeners, which hear the next event, and remove others, which hear nothing more.
      const all = [...registrations.keys()]
      for (const listener of all) {
        if (!registrations.has(listener)) continue
        try {
          // `Listener` returns nothing, but an async function is one too.
          const returned: unknown = listener(event)
          if (returned !== undefined) {
            Promise.resolve(returned).catch((error: unknown) => report(error, event))
          }
        } catch (error) {
          report(error, event)
        }
      }
    },
  }
}

/**
 * Logs a listener's error as a warning through the loggers of this context. Those that write to the console write to standard error:
 * standard output may be the program's data.
 */
export const logged =
  (context: Context.Context<never>) =>
  (error: unknown, { _tag }: ClientEvent): void => {
    const warning = Effect.logWarning(
      `A listener failed on ${_tag}. The call is not affected.`,
      Cause.die(error),
    )
    Effect.runForkWith(context)(Effect.provideService(warning, Logger.LogToStderr, true))
  }

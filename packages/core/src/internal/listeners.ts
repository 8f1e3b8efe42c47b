/**
 * The listeners of one client. A listener is code of the program, not of the client: its error is reported and affects nothing else.
 */
import type { ClientEvent } from "../ClientEvent.ts"

export interface Listeners<Event = ClientEvent> {
  readonly isEmpty: () => boolean
  /**
   * A function that is added again gets each event once. The returned function removes it; it does nothing once the same function was added
   * again.
   */
  readonly add: (listener: (event: Event) => void) => () => void
  readonly tell: (event: Event) => void
}

/** Makes an empty set. `report` takes the error that a listener threw, or that its promise rejected with. */
export const make = <Event = ClientEvent>(
  report: (error: unknown, event: Event) => void,
): Listeners<Event> => {
  /** The newest registration of each function. */
  const registrations = new Map<(event: Event) => void, symbol>()
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
      // A copy: a listener can add listeners, which get the next event, and remove others, which get no more events.
      const all = [...registrations.keys()]
      for (const listener of all) {
        if (!registrations.has(listener)) continue
        try {
          // `Listener` returns nothing, but its type also accepts an async function.
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

/**
 * The same question asked many times at once is one request. A flight belongs to nobody: it goes on as long as one of those who
 * asked still waits, and is called off with the last.
 */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

interface Flight<A, E> {
  readonly fiber: Fiber.Fiber<A, E>
  waiting: number
}

/** Wraps an effect by key; answers are not kept once they are there. */
export const make = <A, E>(): ((key: string, effect: Effect.Effect<A, E>) => Effect.Effect<A, E>) => {
  const flights = new Map<string, Flight<A, E>>()

  const board = (key: string, flight: Flight<A, E>): Effect.Effect<A, E> => {
    flight.waiting += 1
    return Effect.onExit(Fiber.join(flight.fiber), () => {
      flight.waiting -= 1
      return flight.waiting === 0 && flights.get(key) === flight ? leave(key, flight) : Effect.void
    })
  }
  const leave = (key: string, flight: Flight<A, E>): Effect.Effect<void> => {
    flights.delete(key)
    return Fiber.interrupt(flight.fiber)
  }

  return (key, effect) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.suspend(() => {
        const flight = flights.get(key)
        if (flight !== undefined) return restore(board(key, flight))
        return Effect.flatMap(
          Effect.forkDetach(Effect.interruptible(effect), { startImmediately: true }),
          (fiber) => {
            const started: Flight<A, E> = { fiber, waiting: 0 }
            flights.set(key, started)
            fiber.addObserver(() => {
              if (flights.get(key) === started) flights.delete(key)
            })
            return restore(board(key, started))
          },
        )
      }),
    )
}

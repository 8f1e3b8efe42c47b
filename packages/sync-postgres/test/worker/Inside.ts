/** Workers inside of the process of a test, and accounts on the emulator that they sync. */
import { PropertyClient, Transport } from "@deedkit/core"
import type { Emulator } from "@deedkit/emulator"
import { make } from "@deedkit/emulator"
import type { SyncError } from "@deedkit/sync"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import type { QueueOptions, WorkerEvent, WorkOptions } from "../../src/worker/index.ts"
import { work } from "../../src/worker/index.ts"

export type Account = readonly [name: string, emulator: Emulator]

export const accounts = (number: number, contracts = 12): ReadonlyArray<Account> =>
  Array.from({ length: number }, (_, at) => [`acct-${at}`, make({ contracts, seed: at + 1 })])

export const namesOf = (some: ReadonlyArray<Account>) => some.map(([name]) => name)

export interface Running extends AsyncDisposable {
  /** The error that has ended it; undefined where it was interrupted. */
  readonly ended: Promise<SyncError | undefined>
  readonly events: ReadonlyArray<WorkerEvent>
  /** Resolves when that many events of a kind were there. */
  readonly until: (kind: WorkerEvent["_tag"], number: number) => Promise<void>
}

export type WorkerChoices = Partial<WorkOptions<{ readonly message: string }>> & Pick<QueueOptions, "lists">

/** A worker inside of this process, until it is disposed of. */
export const worker = (
  where: QueueOptions,
  some: ReadonlyArray<Account>,
  more: WorkerChoices = {},
): Running => {
  const known = new Map(some)
  const events: Array<WorkerEvent> = []
  const looks = new Set<() => void>()
  const fiber = Effect.runFork(
    work<{ readonly message: string }>({
      ...where,
      open: (name) => {
        const emulator = known.get(name)
        return emulator === undefined
          ? Effect.fail({ message: `There is no account ${name}` })
          : PropertyClient.make({
              baseUrl: `https://${name.replaceAll(/\W/g, "")}.example.test`,
              apiKey: emulator.apiKey,
              rate: 0,
              retry: { attempts: 1 },
            }).pipe(Effect.provideService(Transport.Transport, Transport.viaFetch(emulator.fetch)))
      },
      listen: (event) =>
        Effect.sync(() => {
          events.push(event)
          for (const look of looks) look()
        }),
      ...more,
    }),
  )
  const ended = Effect.runPromise(Fiber.await(fiber)).then((exit) =>
    Option.getOrUndefined(Exit.findErrorOption(exit)),
  )
  return {
    events,
    ended,
    until: (kind, number) =>
      new Promise((resolve) => {
        const look = () => {
          if (events.filter(({ _tag }) => _tag === kind).length < number) return
          looks.delete(look)
          resolve()
        }
        looks.add(look)
        look()
      }),
    [Symbol.asyncDispose]: () => Effect.runPromise(Fiber.interrupt(fiber)).then(() => {}),
  }
}

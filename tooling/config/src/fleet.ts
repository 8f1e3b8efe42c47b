/**
 * Starts the services of many accounts on ports, changes their records in simulated nights, and counts what a mirror must hold afterwards. The
 * emulators are passed in: this package imports none of our packages.
 */

/** The part of an emulator that is needed here. */
interface Service {
  readonly apiKey: string
  readonly journal: { readonly watch: (listener: () => void) => () => void }
  readonly store: {
    readonly contracts: ReadonlyArray<{ readonly id: number }>
    readonly update: (
      id: number,
      members: { readonly status: string; readonly unit_label: string },
    ) => unknown
    readonly remove: (id: number) => unknown
    readonly insert: (members: { readonly status: string }) => unknown
  }
}

/** The data that a process needs to sync an account. */
export interface Served {
  readonly name: string
  readonly baseUrl: string
  readonly apiKey: string
}

/** Numbers of records of an account. */
export interface Changes {
  readonly added: number
  readonly changed: number
  readonly removed: number
}

export interface Fleet<E> extends AsyncDisposable {
  readonly emulators: ReadonlyArray<readonly [name: string, emulator: E]>
  readonly served: ReadonlyArray<Served>
  /** A random number below a bound. */
  readonly random: (below: number) => number
  /** Changes the records of every account, by its position. */
  readonly change: (night: number, changesOf: (at: number) => Changes) => void
  /** How many versions of each kind all nights have made, the first read included. */
  readonly versions: () => Changes
  /** Schedules an action at the request with this number, counted from now. Replaces an earlier action. */
  readonly afterRequests: (number: number, what: () => void) => void
  /** Cancels the scheduled action. */
  readonly forget: () => void
}

/** A random number generator with the same sequence for the same seed. */
const randomOf = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Starts a service for each emulator, named `acct-0` and so on. */
export const start = async <E extends Service>(options: {
  readonly emulators: ReadonlyArray<E>
  readonly listen: (emulator: E) => Promise<{ readonly url: string; readonly close: () => Promise<unknown> }>
  readonly seed: number
}): Promise<Fleet<E>> => {
  const { listen, seed } = options
  const random = randomOf(seed)
  const emulators = options.emulators.map((emulator, at): readonly [string, E] => [`acct-${at}`, emulator])
  const servers = await Promise.all(emulators.map(([, emulator]) => listen(emulator)))
  const versions = {
    added: emulators.reduce((sum, [, { store }]) => sum + store.contracts.length, 0),
    changed: 0,
    removed: 0,
  }
  let requests = 0
  let act: (() => void) | null = null
  for (const [, { journal }] of emulators) {
    journal.watch(() => {
      requests += 1
      act?.()
    })
  }
  return {
    emulators,
    served: emulators.map(([name, { apiKey }], at) => ({ name, apiKey, baseUrl: servers[at]!.url })),
    random,
    change: (night, changesOf) => {
      for (const [at, [, { store }]] of emulators.entries()) {
        const { added, changed, removed } = changesOf(at)
        const ids = store.contracts.map(({ id }) => id)
        const draw = (): number => ids.splice(random(ids.length), 1)[0]!
        for (let left = changed; left > 0; left--)
          store.update(draw(), { status: `night-${night}`, unit_label: `Unit ${random(1_000)}` })
        for (let left = removed; left > 0; left--) store.remove(draw())
        for (let left = added; left > 0; left--) store.insert({ status: "draft" })
        versions.added += added
        versions.changed += changed
        versions.removed += removed
      }
    },
    versions: () => ({ ...versions }),
    afterRequests: (number, what) => {
      const at = requests + number
      act = () => {
        if (requests < at) return
        act = null
        what()
      }
    },
    forget: () => {
      act = null
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(servers.map((server) => server.close()))
    },
  }
}

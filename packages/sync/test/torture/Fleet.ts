/** The services of many accounts on ports, the nights in which their records change, and what a mirror has to hold afterwards. */
import type { Emulator } from "@deedkit/emulator"
import { make } from "@deedkit/emulator"
import { listen } from "@deedkit/emulator/node"

/** What a process needs to sync an account. */
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

export interface Fleet extends AsyncDisposable {
  readonly emulators: ReadonlyArray<readonly [name: string, emulator: Emulator]>
  readonly served: ReadonlyArray<Served>
  /** A random number below a bound. */
  readonly random: (below: number) => number
  /** Changes the records of every account, by its position. */
  readonly change: (night: number, changesOf: (at: number) => Changes) => void
  /** How many versions of each kind all nights have made, the first read included. */
  readonly versions: () => Changes
  /** Does something at the request with this number from now on, in place of what was to be done before. */
  readonly afterRequests: (number: number, what: () => void) => void
  /** Forgets what was to be done. */
  readonly forget: () => void
}

/** Random numbers that are the same for each seed. */
const randomOf = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Starts a service for each account: `acct-0` and so on, each with some more contracts than the one before. */
export const start = async (options: {
  readonly accounts: number
  readonly contractsOf: (at: number) => number
  readonly seed: number
  /** Whether the cursor of an account says enough for a proof. Default: of three in four; the others page by a position and are read twice. */
  readonly isProvable?: (at: number) => boolean
}): Promise<Fleet> => {
  const { accounts, contractsOf, isProvable = (at) => at % 4 !== 3, seed } = options
  const random = randomOf(seed)
  const emulators = Array.from({ length: accounts }, (_, at): readonly [string, Emulator] => [
    `acct-${at}`,
    make({
      contracts: contractsOf(at),
      seed: seed + at,
      assumptions: { cursorKind: isProvable(at) ? "integer" : "string" },
    }),
  ])
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

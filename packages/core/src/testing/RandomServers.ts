/** Servers to explore a tool with: those on which it has to succeed, and those on which it may also fail, but never be silently wrong. */
import type { Servers } from "./Exploration.ts"
import type { ListServer, ServerFault, ServerTraits } from "./ListServer.ts"
import { make } from "./ListServer.ts"
import type { Random } from "./Random.ts"

/** Small lists as often as large ones: what pages have in common shows on few records first. */
const size = (random: Random, most: number): number => random.integer(1, random.pick([4, most]))

const traits = (random: Random): Partial<ServerTraits> =>
  random.some<ServerTraits>({
    contracts: () => random.integer(0, 60),
    pageSize: () => size(random, 40),
    largerLimit: () => random.pick(["cut", "refuse"]),
    order: () => random.pick(["descending", "ascending", "mixed"]),
    cursor: () => random.pick(["last-id", "next-id", "position", "text"]),
    longIntegers: () => random.chance(0.5),
    end: () => random.pick([null, 0, -1, ""]),
    emptyLastPage: () => random.chance(0.5),
    noListing: () => random.pick(["null", "absent"]),
    timestampDigits: () => random.pick([0, 3, 6]),
    newMember: () => random.chance(0.5),
    faults: () =>
      random.list(2, () => ({
        kind: random.pick(["rate-limit", "server-error", "drop", "cut", "html", "slow"]),
        request: random.integer(1, 8),
      })),
  })

const lasting = (random: Random): ServerFault => ({
  kind: random.pick(["revoked", "bad-record", "same-page"]),
  request: random.integer(1, 5),
})

/**
 * Servers that keep to the specification, in all the ways that it leaves open, with faults that end by themselves. A read of each reaches its
 * end, and returns every contract once.
 */
export const sound: Servers<Partial<ServerTraits>, ListServer> = { draw: traits, make }

/** The same, and in half of the cases a permanent fault: a revoked key, invalid records, a cursor without effect. */
export const any: Servers<Partial<ServerTraits>, ListServer> = {
  draw: (random) => {
    const drawn = traits(random)
    return random.chance(0.5) ? drawn : { ...drawn, faults: [lasting(random), ...(drawn.faults ?? [])] }
  },
  make,
}

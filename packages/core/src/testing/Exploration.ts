/**
 * Runs a tool against many servers that are made at random, and reduces the first one on which it fails to the traits that matter. The same seed
 * makes the same server. Needs no test runner: a failure is a thrown error.
 */
import { stringify } from "../model/Json.ts"
import * as Random from "./Random.ts"

/** How servers are made. */
export interface Servers<Traits extends object, Server> {
  /** Draws the traits of a server: plain data. */
  readonly draw: (random: Random.Random) => Traits
  /** Makes the server. Missing traits have their defaults: a failing server is tried with fewer traits. */
  readonly make: (traits: Partial<Traits>) => Server | Promise<Server>
}

/** The options of an exploration. */
export interface ExploreOptions {
  /** How many servers. Default 100. */
  readonly count?: number | undefined
  /** The seed of the first server; each later server has the next number. Default 1. */
  readonly seed?: number | undefined
}

/** The tool failed. Its own error is the `cause`. */
export class ExplorationFailed<Traits> extends Error {
  override readonly name = "ExplorationFailed"
  /** Makes the server again, as it was before it was reduced: `explore(tool, servers, { seed, count: 1 })`. */
  readonly seed: number
  /** The traits with which the tool still fails: none of them can be left out. */
  readonly traits: Partial<Traits>
  constructor(seed: number, traits: Partial<Traits>, cause: unknown) {
    const said = cause instanceof Error ? cause.message : String(cause)
    super(`Failed on the server with the seed ${seed}, reduced to ${stringify(traits)}: ${said}`, { cause })
    this.seed = seed
    this.traits = traits
  }
}

/** The most runs that are spent on making a failing server simpler. */
const mostReductions = 300

/**
 * Runs the tool on each server, one after the other. The tool checks its own result, and throws or rejects when it is wrong.
 *
 * @throws ExplorationFailed at the first server on which the tool fails.
 */
export const explore = async <Traits extends object, Server>(
  tool: (server: Server, traits: Partial<Traits>) => unknown,
  servers: Servers<Traits, Server>,
  { count = 100, seed = 1 }: ExploreOptions = {},
): Promise<void> => {
  /** Null if the tool works, or if there is no such server. */
  const failure = async (
    traits: Partial<Traits>,
    isReduced: boolean,
  ): Promise<{ readonly cause: unknown } | null> => {
    let server: Server
    try {
      server = await servers.make(traits)
    } catch (cause) {
      if (isReduced) return null
      throw cause
    }
    try {
      await tool(server, traits)
      return null
    } catch (cause) {
      return { cause }
    }
  }
  for (let at = seed; at < seed + count; at++) {
    const drawn = servers.draw(Random.make(at))
    const found = await failure(drawn, false)
    if (found === null) continue
    let traits: Partial<Traits> = drawn
    let { cause } = found
    let left = mostReductions
    for (let isSimpler = true; isSimpler;) {
      isSimpler = false
      for (const fewer of simpler(traits)) {
        if (left-- <= 0) break
        const still = await failure(fewer, true)
        if (still === null) continue
        traits = fewer
        cause = still.cause
        isSimpler = true
        break
      }
    }
    throw new ExplorationFailed(at, traits, cause)
  }
}

/** The same traits with one member less, with a simpler list or object, or with a smaller number. */
function* simpler<A extends object>(traits: A): Generator<A> {
  for (const [name, value] of Object.entries<unknown>(traits as { readonly [name: string]: unknown })) {
    const { [name as keyof A]: _, ...others } = traits
    yield others as A
    for (const less of simplerValue(value)) yield { ...traits, [name]: less }
  }
}

function* simplerValue(value: unknown): Generator {
  if (typeof value === "number" && Number.isInteger(value) && value > 1) {
    yield Math.floor(value / 2)
    yield value - 1
  } else if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) {
      yield value.toSpliced(at, 1)
      for (const less of simplerValue(item)) yield value.with(at, less)
    }
  } else if (typeof value === "object" && value !== null) yield* simpler(value)
}

/** Runs cases in turn, so that other load on the machine affects all of them. */
import type { Measurement } from "./Child.ts"

export type Results = ReadonlyMap<string, ReadonlyArray<Measurement>>

/** Runs every case once per round, each round in a different order. */
export const rounds = async (
  names: ReadonlyArray<string>,
  count: number,
  run: (name: string) => Promise<Measurement>,
): Promise<Results> => {
  const results = new Map<string, Array<Measurement>>(names.map((name) => [name, []]))
  for (let round = 0; round < count; round++) {
    const order = names.map((_, index) => names[(index + round) % names.length]!)
    for (const name of order) results.get(name)!.push(await run(name))
  }
  return results
}

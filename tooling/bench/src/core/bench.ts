/**
 * What the client costs: user CPU of a full walk, against the loops that people write themselves, in the same rounds.
 */
import { join } from "node:path"
import { measure, serve } from "../Child.ts"
import type { Measurement } from "../Child.ts"
import { print } from "../Table.ts"

const script = (name: string): string => join(import.meta.dirname, name)

/** Limits as ratios: of which peer, and at most how much. */
const limits: { readonly [name: string]: { readonly [peer: string]: number } } = {
  "@deedkit/core over fetch": { "fetch + json()": 1.2 },
  "@deedkit/core over node:http": { "fetch + json()": 0.85 },
}

const names = [
  "fetch + json()",
  "node:http + JSON.parse",
  "@deedkit/core over fetch",
  "@deedkit/core over node:http",
]

const walkTable = async (contracts: number, size: number, rounds: number): Promise<string> => {
  const server = await serve(script("server.ts"), [String(contracts), String(size), "0"])
  const results = new Map<string, Array<Measurement>>(names.map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    const order = names.map((_, index) => names[(index + round) % names.length]!)
    for (const name of order) {
      const result = await measure(script("walk.ts"), [name, server.url])
      if (result.records !== contracts)
        throw new Error(`${name} saw ${result.records} of ${contracts} contracts`)
      results.get(name)!.push(result)
    }
  }
  server.stop()
  const rows = names.map((name) => {
    const figures = results.get(name)!
    const rss = Math.max(...figures.map((figure) => figure.peakRssMegabytes))
    return {
      name,
      figures: figures.map((figure) => figure.cpuMillis),
      note: `peak RSS ${rss.toFixed(0)} MB`,
      limits: limits[name] ?? {},
    }
  })
  const title = `Walk of ${contracts.toLocaleString("en")} contracts, ${size} a page, ${rounds} rounds`
  return print(title, "user CPU ms", rows)
}

/** Prints the tables. */
export const bench = async (options: {
  readonly rounds: number
  readonly contracts: number
}): Promise<void> => {
  for (const size of [500, 100]) console.log(await walkTable(options.contracts, size, options.rounds))
}

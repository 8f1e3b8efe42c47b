/** `pnpm bench [NAME...] [--rounds N] [--contracts N]`: prints the figures that the READMEs quote. */
import { parseArgs } from "node:util"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "5" },
    contracts: { type: "string", default: "200000" },
  },
})
const rounds = Number(values.rounds)
const contracts = Number(values.contracts)
const names = positionals.length === 0 ? ["core"] : positionals
for (const name of names) {
  if (name === "core") await (await import("./core/bench.ts")).bench({ rounds, contracts })
  else {
    console.error(`There is no bench "${name}"; there is: core.`)
    process.exitCode = 2
  }
}

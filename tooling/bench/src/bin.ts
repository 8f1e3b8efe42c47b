/**
 * `pnpm bench [NAME...] [--rounds N] [--rows N...] [--part NAME...]`: prints the figures that the READMEs quote. `--rows`
 * are the sizes of files, `--part` parts of a bench.
 */
import { parseArgs } from "node:util"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "5" },
    rows: { type: "string", multiple: true, default: [] },
    part: { type: "string", multiple: true, default: [] },
  },
})
const rounds = Number(values.rounds)

const benches: { readonly [name: string]: () => Promise<void> } = {
  core: async () => (await import("./core/bench.ts")).bench({ rounds, parts: values.part }),
  export: async () =>
    (await import("./export/bench.ts")).bench({
      rounds,
      rows: values.rows.map(Number),
      parts: values.part,
    }),
  cli: async () => (await import("./cli/bench.ts")).bench(),
  sync: async () => (await import("./sync/bench.ts")).bench({ rounds, parts: values.part }),
  extension: async () => (await import("./extension/bench.ts")).bench({ parts: values.part }),
}

const names = positionals.length === 0 ? Object.keys(benches) : positionals
const unknown = names.filter((name) => benches[name] === undefined)
if (unknown.length > 0) {
  console.error(`There is no bench "${unknown.join(", ")}"; there is: ${Object.keys(benches).join(", ")}.`)
  process.exitCode = 2
} else {
  for (const name of names) await benches[name]?.()
}

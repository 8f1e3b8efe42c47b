/** `pnpm bench`: prints the figures that the READMEs quote. */
import { parseArgs } from "node:util"

const usage = `pnpm bench [NAME...] [--rounds N] [--rows N...] [--part NAME...]

  NAME      core, export, cli, sync, extension; all without one
  --rounds  how often each case is measured; default 5
  --rows    sizes of the files that are written
  --part    parts of a bench; README.md lists them`

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "5" },
    rows: { type: "string", multiple: true, default: [] },
    part: { type: "string", multiple: true, default: [] },
    help: { type: "boolean", short: "h", default: false },
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
if (values.help) console.log(usage)
else if (unknown.length > 0) {
  console.error(`There is no bench "${unknown.join(", ")}"; there is: ${Object.keys(benches).join(", ")}.`)
  process.exitCode = 2
} else {
  for (const name of names) await benches[name]?.()
}

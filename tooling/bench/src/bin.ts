/** `pnpm bench`: prints the figures that the READMEs quote. */
import { parseArgs } from "node:util"
import type { Options } from "./measure.ts"

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

interface Bench {
  readonly bench: (options: Options) => AsyncGenerator<string>
}
const benches: { readonly [name: string]: () => Promise<Bench> } = {
  core: () => import("./core.ts"),
  export: () => import("./export.ts"),
  cli: () => import("./cli.ts"),
  sync: () => import("./sync.ts"),
  extension: () => import("./extension.ts"),
}

const names = positionals.length === 0 ? Object.keys(benches) : positionals
const unknown = names.filter((name) => benches[name] === undefined)
if (values.help) console.log(usage)
else if (unknown.length > 0) {
  console.error(`There is no bench "${unknown.join(", ")}"; there is: ${Object.keys(benches).join(", ")}.`)
  process.exitCode = 2
} else {
  const options = { rounds: Number(values.rounds), rows: values.rows.map(Number), parts: values.part }
  for (const name of names)
    for await (const table of (await benches[name]!()).bench(options)) console.log(table)
}

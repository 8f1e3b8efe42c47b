/**
 * Bundles the programs of this bench in the same way as the command line program, so that the measured code is the code that people run, and edits of
 * sources during a bench do not change it. Arguments: the folder to write to.
 */
import { join } from "node:path"
import { standIns } from "@deedkit/export-xlsx/stand-ins"
import { build } from "rolldown"

const [out] = process.argv.slice(2)
if (out === undefined) throw new Error("usage: bundle.ts FOLDER")
const names = ["write", "run", "slow"]
const programs = join(import.meta.dirname, "..")

await build({
  input: Object.fromEntries(names.map((name) => [name, join(programs, `${name}.ts`)])),
  platform: "node",
  plugins: [standIns()],
  resolve: { conditionNames: ["@deedkit/source", "node", "import", "default"] },
  logLevel: "warn",
  output: {
    dir: out,
    format: "esm",
    minify: true,
    entryFileNames: "[name].js",
    chunkFileNames: "part-[name].js",
  },
})

await build({
  input: join(import.meta.dirname, "page.ts"),
  platform: "browser",
  plugins: [standIns()],
  resolve: { conditionNames: ["@deedkit/source", "browser", "import", "default"] },
  logLevel: "warn",
  output: { file: join(out, "page.js"), format: "esm", codeSplitting: false, minify: true },
})

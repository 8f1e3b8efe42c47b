/**
 * Bundles the program and everything that it uses into one file that plain Node runs: `dist/deedkit.js`, or the file that is named.
 *
 * Packages of this workspace are taken from their sources, so that no build of theirs is needed. What only some commands use stays a
 * lazily evaluated part of the file.
 */
import { chmod } from "node:fs/promises"
import { join } from "node:path"
import { build } from "rolldown"

const folder = import.meta.dirname
const file = process.argv[2] ?? join(folder, "dist", "deedkit.js")

await build({
  input: join(folder, "src", "bin.ts"),
  platform: "node",
  resolve: { conditionNames: ["@deedkit/source", "node", "import", "default"] },
  logLevel: "warn",
  output: { file, format: "esm", minify: true, codeSplitting: false },
})
await chmod(file, 0o755)

#!/usr/bin/env node
/** Wiring only. Compiled code is kept for the next start, which is why everything else is loaded after that is said. */
import { enableCompileCache } from "node:module"

enableCompileCache()
const args = process.argv.slice(2)
if (args.length === 1 && args[0] === "--version") {
  const { version } = await import("./Version.ts")
  process.stdout.write(`deedkit ${version}\n`)
} else {
  const { run } = await import("./Process.ts")
  run(args)
}

#!/usr/bin/env node
/** Wiring only. Compiled code is kept for the next start, which is why everything else is loaded after that is said. */
import { enableCompileCache } from "node:module"

enableCompileCache()
const { run } = await import("./Process.ts")
run(process.argv.slice(2))

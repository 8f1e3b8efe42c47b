#!/usr/bin/env node
/**
 * Wiring only. Everything else is loaded after the compile cache is enabled, so that the next start is faster. What is imported here loads on any Node
 * from 18 on, so that an older one gets a sentence and not a page of errors.
 */
import { readFileSync } from "node:fs"
import { cacheFolder, enable } from "./CompileCache.ts"
import { tooOld } from "./NodeVersion.ts"

const problem = tooOld(process.versions.node)
if (problem !== null) {
  process.stderr.write(`${problem}\n`)
  process.exit(1)
}

/**
 * Whether the process that started this one ignores SIGHUP, as the shell of a script does that runs under nohup, or after `trap '' HUP`: what it
 * ignores, its children ignore too. Linux only.
 */
const isIgnoredByParent = (): boolean => {
  try {
    const status = readFileSync(`/proc/${process.ppid}/status`, "utf8")
    return (parseInt(/^SigIgn:\s*[0-9a-f]*([0-9a-f])$/m.exec(status)?.[1] ?? "0", 16) & 1) === 1
  } catch {
    return false
  }
}

/** Node forgets which signals were ignored when it began. Shells say in `_` which program they have started. */
const isUnderNohup = /(?:^|\/)nohup$/.test(process.env["_"] ?? "") || isIgnoredByParent()
const ignored = isUnderNohup ? (["SIGHUP"] as const) : []
for (const signal of ignored) process.on(signal, () => {})

enable(cacheFolder(process.env["XDG_CACHE_HOME"] ?? process.env["LOCALAPPDATA"]))

// Node 22 says once a process that its SQLite is experimental, which a scheduler would mail every night.
const printers = process.listeners("warning")
process.removeAllListeners("warning")
process.on("warning", (warning) => {
  const isExpected = warning.name === "ExperimentalWarning" && warning.message.startsWith("SQLite ")
  if (!isExpected) for (const print of printers) print(warning)
})

/** A function, because the script of a single file cannot await outside of one. */
const start = async (args: ReadonlyArray<string>): Promise<void> => {
  if (args.length === 1 && args[0] === "--version") {
    const { version } = await import("./command/Version.ts")
    // The exit code of every command when standard output cannot be written.
    process.stdout.on("error", () => (process.exitCode = 10))
    process.stdout.write(`deedkit ${version}\n`)
  } else if (args[0] === "--keychain-child") {
    await (await import("./store/Keychain.ts")).runChild()
  } else {
    const { run } = await import("./Main.ts")
    run(args, ignored)
  }
}

void start(process.argv.slice(2))

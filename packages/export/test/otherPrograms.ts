/** Other programs that tests use: one that reads a first line and goes away, made of Node alone, and named pipes where the system has them. */
import { spawnSync } from "node:child_process"

/** Arguments for `node`: reads the first line of standard input, or of the file named, writes it and ends. */
export const readFirstLine = [
  "-e",
  `const input = process.argv[1] ? require("node:fs").createReadStream(process.argv[1]) : process.stdin
   input.once("data", (data) => {
     process.stdout.write(String(data).split("\\n")[0].slice(0, 100) + "\\n", () => process.exit())
   })`,
]

/** Whether `mkfifo` is there; its tests are reported as skipped where it is not. */
export const hasNamedPipes = spawnSync("mkfifo", ["--version"]).error === undefined
if (!hasNamedPipes) console.warn("SKIPPED: mkfifo is not installed, so nothing is written to a named pipe.")

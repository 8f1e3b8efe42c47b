/**
 * Processes of a measurement: each case runs in one of its own, so that no case warms up or litters another. On Linux with `taskset`
 * the server keeps to one processor and the client to another.
 */
import { spawn, spawnSync } from "node:child_process"
import { availableParallelism } from "node:os"
import { createInterface } from "node:readline"

const pinned = availableParallelism() > 1 && spawnSync("taskset", ["--version"]).status === 0

const start = (
  script: string,
  args: ReadonlyArray<string>,
  processor: number,
  flags: ReadonlyArray<string>,
) => {
  const node = [process.execPath, "--conditions=@deedkit/source", ...flags, script, ...args]
  const command = pinned ? ["taskset", "-c", String(processor), ...node] : node
  return spawn(command[0]!, command.slice(1), { stdio: ["ignore", "pipe", "inherit"] })
}

/** What a case prints as its only line, as JSON. */
export interface Measurement {
  readonly records: number
  readonly cpuMillis: number
  readonly wallMillis: number
  readonly peakRssMegabytes: number
}

/** Runs a case to its end and reads its measurement. */
export const measure = async (
  script: string,
  args: ReadonlyArray<string>,
  flags: ReadonlyArray<string> = [],
): Promise<Measurement> => {
  const child = start(script, args, 0, flags)
  let text = ""
  child.stdout.setEncoding("utf8").on("data", (part: string) => (text += part))
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve))
  if (code !== 0) throw new Error(`${script} ${args.join(" ")} ended with ${code}`)
  return JSON.parse(text.trim().split("\n").at(-1) ?? "null")
}

/** Starts a server that prints its URL as its first line. */
export const serve = async (
  script: string,
  args: ReadonlyArray<string>,
): Promise<{ readonly url: string; readonly stop: () => void }> => {
  const child = start(script, args, 1, [])
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).once("line", resolve)
    child.once("close", () => reject(new Error(`${script} ended before it was ready`)))
  })
  return { url, stop: () => void child.kill() }
}

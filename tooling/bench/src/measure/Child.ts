/**
 * Child processes of a measurement: each case runs in a separate process, so that no case warms up another or leaves garbage for it. On Linux with
 * `taskset`, the server is pinned to one processor and the client to another.
 */
import { spawn, spawnSync } from "node:child_process"
import { availableParallelism } from "node:os"
import { createInterface } from "node:readline"

const pinned = availableParallelism() > 1 && spawnSync("taskset", ["--version"]).status === 0

/** A processor by number, or all of them. */
type Processor = 0 | 1 | "all"

const start = (command: ReadonlyArray<string>, processor: Processor) => {
  const whole = pinned && processor !== "all" ? ["taskset", "-c", String(processor), ...command] : command
  return spawn(whole[0]!, whole.slice(1), { stdio: ["ignore", "pipe", "inherit"] })
}

const node = (script: string, args: ReadonlyArray<string>): ReadonlyArray<string> => [
  process.execPath,
  "--conditions=@deedkit/source",
  script,
  ...args,
]

/** The result that a case prints as its last line, as JSON. */
export interface Measurement {
  readonly records: number
  readonly cpuMillis: number
  /** The same from the start of the process, without the preparation of the case; absent if a case does not report it. */
  readonly processMillis?: number
  readonly wallMillis: number
  readonly peakRssMegabytes: number
  /** Number of bytes written, if a case writes any. */
  readonly bytes?: number
}

/** Runs a program to its end and reads its measurement. By default it is pinned to the first processor. */
export const measureProgram = async (
  command: ReadonlyArray<string>,
  processor: Processor = 0,
): Promise<Measurement> => {
  const child = start(command, processor)
  let text = ""
  child.stdout.setEncoding("utf8").on("data", (part: string) => (text += part))
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve))
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}`)
  return JSON.parse(text.trim().split("\n").at(-1) ?? "null")
}

/** The same for a script of this bench. */
export const measure = (
  script: string,
  args: ReadonlyArray<string>,
  processor: Processor = 0,
): Promise<Measurement> => measureProgram(node(script, args), processor)

/** Starts a server that prints its URL as its first line. */
export const serve = async (
  script: string,
  args: ReadonlyArray<string>,
): Promise<{ readonly url: string; readonly stop: () => void }> => {
  const child = start(node(script, args), 1)
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).once("line", resolve)
    child.once("close", () => reject(new Error(`${script} ended before it was ready`)))
  })
  return { url, stop: () => void child.kill() }
}

/** Workers in processes of their own, and what they say. */
import type { ChildProcess } from "node:child_process"
import { spawn } from "node:child_process"
import { join } from "node:path"
import type { Told } from "./worker.ts"

export interface WorkerProcess {
  readonly child: ChildProcess
  /** Its exit code; null where a signal ended it. */
  readonly ended: Promise<number | null>
  /** What it did, a line each: `Synced acct-1`. */
  readonly said: () => ReadonlyArray<string>
  /** Resolves when it has said a line that begins like this. */
  readonly says: (start: string) => Promise<void>
}

const program = join(import.meta.dirname, "worker.ts")

export const start = (told: Told): WorkerProcess => {
  const child = spawn(
    process.execPath,
    ["--conditions=@deedkit/source", "--disable-warning=ExperimentalWarning", program, JSON.stringify(told)],
    { stdio: ["ignore", "pipe", "inherit"] },
  )
  const lines: Array<string> = []
  const waiting = new Set<() => void>()
  let rest = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const parts = (rest + text).split("\n")
    rest = parts.pop() ?? ""
    lines.push(...parts)
    for (const look of waiting) look()
  })
  return {
    child,
    ended: new Promise((resolve) => child.once("close", resolve)),
    said: () => lines,
    says: (begin) =>
      new Promise((resolve) => {
        const look = () => {
          if (!lines.some((line) => line.startsWith(begin))) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      }),
  }
}

/** Ends the program in the way of a service manager. */
import type { ChildProcess } from "node:child_process"

/** Runs until the output holds each text, then sends SIGTERM. */
export const until =
  (...texts: ReadonlyArray<string>) =>
  (child: ChildProcess) => {
    let seen = ""
    let isEnding = false
    const look = (chunk: string) => {
      seen += chunk
      if (isEnding || !texts.every((text) => seen.includes(text))) return
      isEnding = true
      child.kill("SIGTERM")
    }
    child.stderr?.on("data", look)
    child.stdout?.on("data", look)
  }

/**
 * `--log FILE`: appends what a command did, a line of JSON an event, to a file that stays from run to run. Each line is written at once, so that a
 * command that is killed has left its log, and in one piece, so that commands that run at the same time can share the file.
 *
 * A log that cannot be written is said once, and changes nothing else. Lines hold no key and no value of a record.
 */
import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from "node:fs"
import type { ClientEvent } from "@deedkit/core"
import { valueOf } from "../command/Arguments.ts"
import { version } from "../command/Version.ts"
import { codeOf } from "../failure/Failure.ts"
import { hiding, withoutSecrets } from "../failure/TypedSecrets.ts"

export interface CommandLog {
  readonly record: ClientEvent.Listener
  /** Keeps a message, whether or not it is shown. */
  readonly message: (text: string) => void
  /** Writes how the command ended, with its error as a document or null, and closes the file. */
  readonly end: (error: object | null, exitCode: number) => void
}

/** Without O_NONBLOCK, a named pipe that nobody reads would hold the command. */
const { O_APPEND, O_CREAT, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants
const appending = O_WRONLY | O_APPEND | O_CREAT | (O_NONBLOCK ?? 0)

/** Whether a file ends within a line, because a disk was full or a machine stopped. */
const endsWithinLine = (path: string): boolean => {
  const file = openSync(path, O_RDONLY | (O_NONBLOCK ?? 0))
  try {
    const stats = fstatSync(file)
    const last = Buffer.alloc(1)
    return (
      stats.isFile() && stats.size > 0 && readSync(file, last, 0, 1, stats.size - 1) === 1 && last[0] !== 10
    )
  } finally {
    closeSync(file)
  }
}

/** The log that the arguments ask for; null if they ask for none. `tell` gets the sentence that it cannot be written. */
export const open = (args: ReadonlyArray<string>, tell: (sentence: string) => void): CommandLog | null => {
  const path = valueOf(args, "--log")
  if (path === null) return null
  const hide = hiding(args)
  let file: number | null = null
  const attempt = (work: () => void): void => {
    try {
      work()
    } catch (cause) {
      file = null
      tell(`The log ${path} could not be written (${codeOf(cause)}). The command goes on without it.`)
    }
  }
  const write = (event: string, facts: object): void => {
    const { pid } = process
    attempt(() => {
      if (file === null) return
      const line = Buffer.from(
        `${hide(JSON.stringify({ at: new Date().toISOString(), pid, event, ...facts }))}\n`,
      )
      if (writeSync(file, line) < line.length) throw Object.assign(new Error(), { code: "ENOSPC" })
    })
  }
  attempt(() => {
    file = openSync(path, appending, 0o600)
    if (endsWithinLine(path)) writeSync(file, "\n")
  })
  write("started", { version, args: withoutSecrets(args) })
  return {
    record: ({ _tag, ...facts }) => write(_tag, facts),
    message: (text) => write("message", { text }),
    end: (error, exitCode) => {
      write("ended", { exitCode, error })
      if (file !== null) closeSync(file)
      file = null
    },
  }
}

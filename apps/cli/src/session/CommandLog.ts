/**
 * `--log FILE`: appends what a command did, a line of JSON an event, to a file that stays from run to run. Each line is written at once, so that a
 * command that is killed has left its log, and in one piece, so that commands that run at the same time can share the file.
 *
 * A log that cannot be written is said once, and changes nothing else. Lines hold no key and no value of a record.
 */
import { closeSync, constants, openSync, readSync, writeSync } from "node:fs"
import type { ClientEvent } from "@deedkit/core"
import * as OwnFile from "@deedkit/core/own-file"
import { version } from "../command/Version.ts"
import { whyNotWritten } from "../failure/Failure.ts"
import { hiding, withoutSecrets } from "../failure/TypedSecrets.ts"
import { cleanJson } from "../terminal/TerminalText.ts"

const { O_APPEND, O_CREAT, O_RDWR } = constants

interface OpenFile {
  readonly descriptor: number
  readonly close: () => void
}

/** Opens a file for appending. Only what another user cannot have put there is written to, and nothing is waited for. */
const openFile = async (path: string): Promise<OpenFile> => {
  if (OwnFile.isDevice(path)) {
    const descriptor = openSync(path, "a")
    return { descriptor, close: () => closeSync(descriptor) }
  }
  const handle = await OwnFile.open(path, O_RDWR | O_APPEND | O_CREAT, 0o600)
  const { size } = await handle.stat()
  const last = Buffer.alloc(1)
  // A line that a full disk or a power failure cut off stays a line of its own.
  if (size > 0 && readSync(handle.fd, last, 0, 1, size - 1) === 1 && last[0] !== 10)
    writeSync(handle.fd, "\n")
  return { descriptor: handle.fd, close: () => void handle.close().catch(() => {}) }
}

/** Opens the log of a command with these arguments. `tell` gets the sentence that it cannot be written. */
export const open = async (path: string, args: ReadonlyArray<string>, tell: (sentence: string) => void) => {
  const hide = hiding(args)
  const failed = (cause: unknown): null => {
    const reason = whyNotWritten(cause, "choose another path")
    tell(hide(`The log ${path} could not be written (${reason}). The command goes on without it.`))
    return null
  }
  let file = await openFile(path).catch(failed)
  const write = (event: string, facts: object): void => {
    if (file === null) return
    const { pid } = process
    const text = cleanJson(hide(JSON.stringify({ at: new Date().toISOString(), pid, event, ...facts })))
    const line = Buffer.from(`${text}\n`)
    try {
      const written = writeSync(file.descriptor, line)
      if (written < line.length) writeSync(file.descriptor, line, written)
    } catch (cause) {
      file.close()
      file = failed(cause)
    }
  }
  write("started", { version, args: withoutSecrets(args) })
  return {
    record: ({ _tag, ...facts }: ClientEvent.ClientEvent): void => write(_tag, facts),
    /** Keeps a message, whether or not it is shown. */
    message: (text: string): void => write("message", { text }),
    /** Writes how the command ended, with its error as a document or null, and closes the file. */
    end: (error: object | null, exitCode: number): void => {
      write("ended", { exitCode, error })
      file?.close()
      file = null
    },
  }
}

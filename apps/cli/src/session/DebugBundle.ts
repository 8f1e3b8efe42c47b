/**
 * Records what a command did in one file that can be sent to support: versions, platform, arguments, the log of every attempt, and how it ended.
 *
 * Events and errors hold no key and no value of a record, so neither does the file; the name of the home folder is removed. It is also written
 * when the command is interrupted.
 */
import { lstatSync, writeFileSync } from "node:fs"
import type { ClientEvent } from "@deedkit/core"
import * as OwnFile from "@deedkit/core/own-file"
import * as Result from "effect/Result"
import { valueOf } from "../command/Arguments.ts"
import { version } from "../command/Version.ts"
import type { Failure } from "../failure/Failure.ts"
import { usageError, whyNotWritten } from "../failure/Failure.ts"
import { hiding, withoutSecrets } from "../failure/TypedSecrets.ts"
import * as HomePath from "../terminal/HomePath.ts"

/** Whether something is there, which may be the only copy of something, or which another user has put there. */
const isTaken = (path: string): boolean =>
  !OwnFile.isDevice(path) && lstatSync(path, { throwIfNoEntry: false }) !== undefined

/** Maximum number of stored events; further events are only counted. */
const mostEvents = 10_000

/** Collects events and writes the file. */
const make = (path: string, args: ReadonlyArray<string>) => {
  const startedAt = new Date().toISOString()
  const events: Array<ClientEvent.ClientEvent> = []
  let total = 0
  const home = HomePath.home()
  const withoutHome = (text: string): string => (home.length > 1 ? text.replaceAll(home, "~") : text)
  return {
    record: (event: ClientEvent.ClientEvent): void => {
      total += 1
      if (events.length < mostEvents) events.push(event)
    },
    /** Writes the file, with the error as a document or null. Returns a message if that fails. */
    write: (error: object | null, exitCode: number): string | null => {
      const bundle = {
        madeBy: `deedkit ${version}`,
        node: process.version,
        platform: `${process.platform} ${process.arch}`,
        args: withoutSecrets(args.map(withoutHome)),
        startedAt,
        endedAt: new Date().toISOString(),
        exitCode,
        error,
        events,
        eventsLeftOut: total - events.length,
      }
      try {
        writeFileSync(path, `${withoutHome(hiding(args)(JSON.stringify(bundle, null, 2)))}\n`, {
          mode: 0o600,
          flag: OwnFile.isDevice(path) ? "w" : "wx",
        })
        return null
      } catch (cause) {
        return `The debug bundle could not be written (${whyNotWritten(cause, "choose another path")}).`
      }
    },
  }
}

/** The bundle that the arguments ask for, also where they cannot be parsed; null if they do not. A file that exists is not replaced. */
export const open = (args: ReadonlyArray<string>): Result.Result<ReturnType<typeof make> | null, Failure> => {
  const path = valueOf(args, "--debug-bundle")
  return path !== null && isTaken(path)
    ? Result.fail(usageError(`${path} exists already`, "Give --debug-bundle the name of a new file."))
    : Result.succeed(path === null ? null : make(path, args))
}

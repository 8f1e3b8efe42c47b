/**
 * Records what a command did in one file that can be sent to support: versions, platform, arguments, the log of every attempt, and how it ended.
 *
 * Events and errors hold no key and no value of a record, so neither does the file; the name of the home folder is removed. It is also written
 * when the command is interrupted.
 */
import { lstatSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import type { ClientEvent } from "@deedkit/core"
import * as Context from "effect/Context"
import * as Result from "effect/Result"
import { version } from "../command/Version.ts"
import type { Failure } from "../failure/Failure.ts"
import { codeOf, usageError } from "../failure/Failure.ts"
import { hiding, withoutSecrets } from "../failure/TypedSecrets.ts"

export interface Recorder {
  readonly record: ClientEvent.Listener
}

interface Bundle extends Recorder {
  /** Writes the file, with the error as a document or null. Returns a message if that fails. */
  readonly write: (error: object | null, exitCode: number) => string | null
}

/** Records events for the bundle; null without `--debug-bundle`. */
export const DebugBundle: Context.Reference<Recorder | null> = Context.Reference<Recorder | null>(
  "deedkit/DebugBundle",
  {
    defaultValue: () => null,
  },
)

const flag = "--debug-bundle"

/** The file that the arguments name; null if there is none. Read from the raw arguments, because it also applies when they cannot be parsed. */
const pathIn = (args: ReadonlyArray<string>): string | null => {
  const end = args.indexOf("--")
  const words = end < 0 ? args : args.slice(0, end)
  const at = words.findIndex((word) => word === flag || word.startsWith(`${flag}=`))
  const word = words[at]
  if (word === undefined) return null
  const path = word === flag ? words[at + 1] : word.slice(flag.length + 1)
  return path === undefined || path === "" || path.startsWith("-") ? null : path
}

/** Whether the path is a device or an open descriptor. */
const isDevice = (path: string): boolean => path.startsWith("/dev/")

/** Whether something is there, which may be the only copy of something, or which another user has put there. */
const isTaken = (path: string): boolean =>
  !isDevice(path) && lstatSync(path, { throwIfNoEntry: false }) !== undefined

/** The home folder; empty if neither the environment nor the system knows one, as for a user without a name in a container. */
const homeFolder = (): string => {
  try {
    return homedir()
  } catch {
    return ""
  }
}

/** Maximum number of stored events; further events are only counted. */
const mostEvents = 10_000

/** Collects events and writes the file. */
const make = (path: string, args: ReadonlyArray<string>): Bundle => {
  const startedAt = new Date().toISOString()
  const events: Array<ClientEvent.ClientEvent> = []
  let total = 0
  const home = homeFolder()
  const withoutHome = (text: string): string => (home.length > 1 ? text.replaceAll(home, "~") : text)
  return {
    record: (event: ClientEvent.ClientEvent): void => {
      total += 1
      if (events.length < mostEvents) events.push(event)
    },
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
          flag: isDevice(path) ? "w" : "wx",
        })
        return null
      } catch (cause) {
        return `The debug bundle could not be written (${codeOf(cause)}).`
      }
    },
  }
}

/** The bundle that the arguments ask for; null if they do not. A file that exists is not replaced. */
export const open = (args: ReadonlyArray<string>): Result.Result<Bundle | null, Failure> => {
  const path = pathIn(args)
  return path !== null && isTaken(path)
    ? Result.fail(usageError(`${path} exists already`, "Give --debug-bundle the name of a new file."))
    : Result.succeed(path === null ? null : make(path, args))
}

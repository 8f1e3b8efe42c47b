/**
 * What a command did, in one file that can be sent to whoever helps: versions, platform, arguments, the log of every attempt, how it ended.
 *
 * Events and errors hold no key and no value of a record, so neither does the file; the name of the home folder is taken out as well. It is
 * written where the command ends, also when that is an interrupt.
 */
import { writeFileSync } from "node:fs"
import { homedir } from "node:os"
import type { ClientEvent } from "@deedkit/core"
import * as Context from "effect/Context"
import { version } from "../Version.ts"

export interface Recorder {
  readonly hear: ClientEvent.Listener
}

/** Who hears of events for the bundle; nobody unless one was asked for. */
export const DebugBundle: Context.Reference<Recorder | null> = Context.Reference<Recorder | null>(
  "deedkit/DebugBundle",
  {
    defaultValue: () => null,
  },
)

const flag = "--debug-bundle"

/** The file that the arguments name; null for none. Looked up there, because a bundle matters most when they could not be parsed. */
export const pathIn = (args: ReadonlyArray<string>): string | null => {
  const end = args.indexOf("--")
  const words = end < 0 ? args : args.slice(0, end)
  const at = words.findIndex((word) => word === flag || word.startsWith(`${flag}=`))
  const word = words[at]
  if (word === undefined) return null
  const path = word === flag ? words[at + 1] : word.slice(flag.length + 1)
  return path === undefined || path === "" ? null : path
}

/** Empty where neither the environment nor the system knows one, as for a number without a name in a container. */
const homeFolder = (): string => {
  try {
    return homedir()
  } catch {
    return ""
  }
}

/** Events beyond these are counted only. */
const mostEvents = 10_000

/** Gathers events, and writes the file in the end. */
export const make = (path: string, args: ReadonlyArray<string>) => {
  const startedAt = new Date().toISOString()
  const events: Array<ClientEvent.ClientEvent> = []
  let heard = 0
  const home = homeFolder()
  const withoutHome = (text: string): string => (home.length > 1 ? text.replaceAll(home, "~") : text)
  return {
    hear: (event: ClientEvent.ClientEvent): void => {
      heard += 1
      if (events.length < mostEvents) events.push(event)
    },
    /** `error` is the command's last word as a document; null when it went well. */
    write: (error: object | null, exitCode: number): void => {
      const bundle = {
        madeBy: `deedkit ${version}`,
        node: process.version,
        platform: `${process.platform} ${process.arch}`,
        args,
        startedAt,
        endedAt: new Date().toISOString(),
        exitCode,
        error,
        events,
        eventsLeftOut: heard - events.length,
      }
      writeFileSync(path, `${withoutHome(JSON.stringify(bundle, null, 2))}\n`, { mode: 0o600 })
    },
  } satisfies Recorder & { readonly write: (error: object | null, exitCode: number) => void }
}

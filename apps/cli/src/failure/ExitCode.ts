/** The exit codes of the process, on which scripts rely. That of a reason is named where its words are: in the catalogues and in `Failure.ts`. */
import { ClientError } from "@deedkit/core"
import { ExportError } from "@deedkit/export"
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import * as CliError from "effect/cli/CliError"
import type { Signal } from "./Interruption.ts"
import { exitOf } from "./Catalogue.ts"
import { Failure } from "./Failure.ts"

export const codes = {
  /** Done, and complete. */
  done: 0,
  /** A bug in this program. */
  bug: 1,
  /** A flag, an argument or a setting is wrong; nothing was sent. */
  usage: 2,
  notFound: 3,
  /** The API key was not accepted. */
  authentication: 4,
  /** The API key lacks a scope. */
  permission: 5,
  /** Rate limited for longer than allowed. */
  rateLimited: 6,
  /** No connection, no response in time, or a failure of the service. */
  network: 7,
  /** The response does not match the specification: most often a refusal that it does not name, any 4xx but 401, 403, 404, 410 and 429. */
  notAsSpecified: 8,
  /**
   * Finished, but not complete: records were rejected or lack their data, or a checked export or mirror is not complete or too old.
   */
  notComplete: 9,
  /** A problem with a local file, disk or pipe, or with the keychain. */
  local: 10,
  /** The pages cannot be trusted to be the whole list. */
  pagination: 11,
  /** An audit or digest with a flag to fail on findings or changes has some. */
  findings: 12,
  /** Ctrl-C. */
  interrupted: 130,
} as const

/** How shells report a program that a signal has ended: 128 plus the signal number. */
export const signalCodes = { SIGHUP: 129, SIGINT: codes.interrupted, SIGQUIT: 131, SIGTERM: 143 } as const

export type ExitCode = (typeof codes)[keyof typeof codes] | (typeof signalCodes)[Signal]

/** The exit code of a program that a signal has ended. */
export const ofSignal = (signal: Signal): ExitCode => signalCodes[signal]

/** The exit code of an error. Any unknown error is a bug. */
export const ofError = (error: unknown): ExitCode => {
  if (error instanceof ClientError.ClientError || error instanceof ExportError.ExportError)
    return codes[exitOf(error)]
  if (error instanceof Failure)
    return typeof error.exit === "number" ? (error.exit as ExitCode) : codes[error.exit]
  return CliError.isCliError(error) ? codes.usage : codes.bug
}

/** The exit code of an ended command. `signal` is the signal that interrupted it; null for Ctrl-C at a prompt. */
export const ofExit = (exit: Exit.Exit<unknown, unknown>, signal: Signal | null = null): ExitCode =>
  Exit.isSuccess(exit)
    ? codes.done
    : Cause.hasInterruptsOnly(exit.cause)
      ? ofSignal(signal ?? "SIGINT")
      : ofError(Cause.squash(exit.cause))

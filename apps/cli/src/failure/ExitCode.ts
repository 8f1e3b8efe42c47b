/**
 * Maps the result of a command to the exit code of the process. The only place for these codes; scripts rely on them.
 *
 * Exhaustive over every reason of the client's and the export's errors: a new one does not compile until it has a code here.
 */
import { ClientError } from "@deedkit/core"
import { ExportError } from "@deedkit/export"
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import * as CliError from "effect/cli/CliError"
import type { Signal } from "./Interruption.ts"
import { Failure } from "./Failure.ts"
import type { Reason } from "./Failure.ts"

/** The exit codes by name. */
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
  /** The response does not match the specification. */
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

const clientCodes: { readonly [Tag in ClientError.ReasonTag]: ExitCode } = {
  Unauthenticated: codes.authentication,
  Forbidden: codes.permission,
  NotFound: codes.notFound,
  Rejected: codes.notAsSpecified,
  RateLimited: codes.rateLimited,
  ServerFault: codes.network,
  Redirected: codes.notAsSpecified,
  NotTheApi: codes.notAsSpecified,
  BodyInvalid: codes.notAsSpecified,
  NotOk: codes.notAsSpecified,
  EnvelopeInvalid: codes.notAsSpecified,
  RecordInvalid: codes.notAsSpecified,
  ShapeMismatch: codes.notAsSpecified,
  IdentityMismatch: codes.notAsSpecified,
  CursorIgnored: codes.pagination,
  CursorRejected: codes.pagination,
  PaginationStalled: codes.pagination,
  CheckpointRefused: codes.usage,
  TransportFailed: codes.network,
  TimedOut: codes.network,
  BodyTooLarge: codes.notAsSpecified,
  ConfigInvalid: codes.usage,
}

const exportCodes: { readonly [Tag in ExportError.ReasonTag]: ExitCode } = {
  TargetExists: codes.local,
  TargetFolderMissing: codes.local,
  TargetIsFolder: codes.local,
  TargetNotWritable: codes.local,
  NameTooLong: codes.local,
  TargetBusy: codes.local,
  TargetMounted: codes.local,
  NotOwn: codes.local,
  DiskFull: codes.local,
  SinkClosed: codes.local,
  FileMissing: codes.local,
  FileFailed: codes.local,
  ColumnUnknown: codes.usage,
  ColumnsMissing: codes.usage,
  FilterInvalid: codes.usage,
  TooManyRejected: codes.notAsSpecified,
  RejectedHaveNoFile: codes.notAsSpecified,
  ReadIncomplete: codes.pagination,
  RecordsUnreadable: codes.local,
  RunUnderWay: codes.local,
  ResumeRefused: codes.usage,
  TooManyRows: codes.usage,
  OneTableOnly: codes.usage,
  TargetTwice: codes.usage,
  TimeZoneUnknown: codes.usage,
  Unreadable: codes.local,
  NotAsExported: codes.local,
}

const failureCode = (reason: Reason): ExitCode => {
  switch (reason._tag) {
    case "UsageError":
      return codes.usage
    case "StoreError":
      return reason.kind === "broken" ? codes.usage : codes.local
    case "NotComplete":
      return codes.notComplete
    case "UnknownIds":
      return codes.notFound
    case "AuditFindings":
    case "NothingFound":
      return codes.findings
    case "NotVerified":
    case "MirrorFailed":
      return reason.exitCode as ExitCode
    case "NotSynced": {
      // Accounts with different exit codes share one: the mirror is not complete.
      const [first, ...others] = new Set(reason.problems.map(({ exitCode }) => exitCode))
      return first === undefined || others.length > 0 ? codes.notComplete : (first as ExitCode)
    }
    case "ChangesFound":
      return codes.findings
  }
}

/** The exit code of an error. Any unknown error is a bug. */
export const ofError = (error: unknown): ExitCode => {
  if (error instanceof ClientError.ClientError) return clientCodes[error.reason._tag]
  if (error instanceof ExportError.ExportError) return exportCodes[error.reason._tag]
  if (error instanceof Failure) return failureCode(error.reason)
  return CliError.isCliError(error) ? codes.usage : codes.bug
}

/** The exit code of an ended command. `signal` is the signal that interrupted it; null for Ctrl-C at a prompt. */
export const ofExit = (exit: Exit.Exit<unknown, unknown>, signal: Signal | null = null): ExitCode =>
  Exit.isSuccess(exit)
    ? codes.done
    : Cause.hasInterruptsOnly(exit.cause)
      ? ofSignal(signal ?? "SIGINT")
      : ofError(Cause.squash(exit.cause))

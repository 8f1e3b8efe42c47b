/**
 * The last word of a command that failed: a sentence for people, or with `--json` one JSON document with the exit code, on standard error.
 */
import { ClientError } from "@deedkit/core"
import { ExportError } from "@deedkit/export"
import * as Cause from "effect/Cause"
import * as CliError from "effect/cli/CliError"
import { AuditFindings } from "../failure/AuditFindings.ts"
import * as ClosingLine from "../terminal/ClosingLine.ts"
import * as ExitCode from "../failure/ExitCode.ts"
import * as FlagAdvice from "../failure/FlagAdvice.ts"
import { NotVerified } from "../failure/NotVerified.ts"
import { SetAside } from "../failure/SetAside.ts"
import { StoreError } from "../failure/StoreError.ts"
import type * as Terminal from "../terminal/Terminal.ts"
import { UnknownIds } from "../failure/UnknownIds.ts"
import { UsageError } from "../failure/UsageError.ts"

/** Whether errors are JSON. Looked up in the arguments, because it matters most when these could not be parsed. */
export const wantsJson = (args: ReadonlyArray<string>): boolean => {
  const end = args.indexOf("--")
  return (end < 0 ? args : args.slice(0, end)).some((arg) => arg === "--json" || arg === "--json=true")
}

const bug = (defect: unknown): string => {
  const detail = defect instanceof Error ? (defect.stack ?? String(defect)) : String(defect)
  return `This is a bug in deedkit, please report it with these lines:\n${detail}`
}

/** A reader of standard output that has enough, such as head, is no reason for words. */
const isReaderGone = (error: unknown): boolean =>
  error instanceof ExportError.ExportError &&
  error.reason._tag === "SinkClosed" &&
  error.reason.target === "-"

const document = (error: unknown): object => {
  if (error instanceof ClientError.ClientError) return error.toJSON()
  if (error instanceof ExportError.ExportError) {
    return { ...error.toJSON(), message: FlagAdvice.message(error) }
  }
  if (error instanceof UsageError) return { error: error._tag, message: error.message }
  if (error instanceof SetAside) {
    const { doubts = [], message, path, problems, records, withoutData } = error
    return { error: error._tag, message, records, withoutData, path, problems, doubts }
  }
  if (error instanceof StoreError || isRemark(error)) return error.toJSON()
  return { error: "Bug", message: bug(error) }
}

/** The command did what it was asked for, and something about the result has to be known. */
const isRemark = (error: unknown): error is UnknownIds | AuditFindings | NotVerified =>
  error instanceof UnknownIds || error instanceof AuditFindings || error instanceof NotVerified

/** What the client says, and the flag that does what it advises: its own words name none. */
const withFlag = ({ message, reason }: ClientError.ClientError): string =>
  reason._tag === "CursorIgnored" || reason._tag === "CursorRejected"
    ? `${message} Set the name with --cursor-param NAME.`
    : message

const words = (error: unknown): string => {
  if (error instanceof ClientError.ClientError) {
    const { reading } = error
    return reading === null || reading.pages === 0
      ? withFlag(error)
      : `${withFlag(error)}\nUntil then: ${ClosingLine.reading(reading)}.`
  }
  if (error instanceof ExportError.ExportError) return FlagAdvice.message(error)
  return error instanceof UsageError ||
    error instanceof StoreError ||
    error instanceof SetAside ||
    isRemark(error)
    ? error.message
    : bug(error)
}

/** Reports one error. */
export const error = (terminal: Terminal.Service, json: boolean, failure: unknown): void => {
  if (isReaderGone(failure)) return
  if (json) terminal.say(JSON.stringify({ ...document(failure), exitCode: ExitCode.ofError(failure) }))
  else terminal.say(words(failure), failure instanceof SetAside || isRemark(failure) ? "yellow" : "red")
}

/** Reports the end of a failed command, `exitCode` that of an interrupted one. Errors of usage were reported where the help was at hand. */
export const cause = (
  terminal: Terminal.Service,
  json: boolean,
  failure: Cause.Cause<unknown>,
  exitCode: ExitCode.ExitCode,
): void => {
  terminal.live(null)
  if (Cause.hasInterruptsOnly(failure)) {
    const message = "Interrupted"
    if (!json) terminal.say(`${message}.`, "red")
    else terminal.say(JSON.stringify({ error: "Interrupted", message, exitCode }))
    return
  }
  const squashed = Cause.squash(failure)
  if (!CliError.isCliError(squashed)) error(terminal, json, squashed)
}

/** How a failed command ended, as a document for programs. */
export const documentOf = (failure: Cause.Cause<unknown>): object => {
  if (Cause.hasInterruptsOnly(failure)) return { error: "Interrupted", message: "Interrupted" }
  const squashed = Cause.squash(failure)
  return CliError.isCliError(squashed)
    ? { error: squashed._tag, message: squashed.message }
    : document(squashed)
}

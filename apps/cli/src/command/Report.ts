/**
 * The final message of a failed command on standard error: text for people, or with `--json` one JSON document that includes the exit code.
 */
import { ClientError } from "@deedkit/core"
import { ExportError } from "@deedkit/export"
import * as Cause from "effect/Cause"
import * as CliError from "effect/cli/CliError"
import * as Catalogue from "../failure/Catalogue.ts"
import * as ExitCode from "../failure/ExitCode.ts"
import { Failure } from "../failure/Failure.ts"
import * as ClosingLine from "../terminal/ClosingLine.ts"
import type * as Terminal from "../terminal/Terminal.ts"

/** Whether errors are JSON. Read from the raw arguments, because it also applies when they cannot be parsed. */
export const wantsJson = (args: ReadonlyArray<string>): boolean => {
  const end = args.indexOf("--")
  return (end < 0 ? args : args.slice(0, end)).some((arg) => arg === "--json" || arg === "--json=true")
}

const bug = (defect: unknown): string => {
  const detail = defect instanceof Error ? (defect.stack ?? String(defect)) : String(defect)
  return `This is a bug in deedkit. Please report it with these lines:\n${detail}`
}

/** Whether the reader of standard output, such as `head`, has read enough and closed the pipe. This is not reported. */
const isReaderGone = (error: unknown): boolean =>
  error instanceof ExportError.ExportError &&
  error.reason._tag === "SinkClosed" &&
  error.reason.target === "-"

const document = (error: unknown): object => {
  if (error instanceof ClientError.ClientError) {
    return { ...error.toJSON(), message: Catalogue.clientMessage(error) }
  }
  if (error instanceof ExportError.ExportError) {
    return { ...error.toJSON(), message: Catalogue.exportMessage(error) }
  }
  return error instanceof Failure ? error.toJSON() : { error: "Bug", message: bug(error) }
}

const words = (error: unknown, isLogged: boolean): string => {
  if (error instanceof ClientError.ClientError) {
    const { reading } = error
    const message = Catalogue.clientMessage(error)
    return reading === null || reading.pages === 0
      ? message
      : `${message}\nRead before that: ${ClosingLine.reading(reading, { isLogged })}.`
  }
  if (error instanceof ExportError.ExportError) return Catalogue.exportMessage(error)
  return error instanceof Failure ? error.message : bug(error)
}

/** Whether the failure is a result: the command finished its work and printed the result. */
const isResult = (error: unknown): boolean =>
  error instanceof Failure && !["UsageError", "StoreError", "MirrorFailed"].includes(error.reason._tag)

/** How errors are shown: where, as JSON or as text, and what hides the secrets among the arguments in them. */
export interface Manner {
  readonly terminal: Terminal.Service
  readonly json: boolean
  readonly hide: (text: string) => string
}

/** Reports one error. */
export const error = ({ hide, json, terminal }: Manner, failure: unknown): void => {
  if (isReaderGone(failure)) return
  if (json) terminal.say(hide(JSON.stringify({ ...document(failure), exitCode: ExitCode.ofError(failure) })))
  else terminal.say(hide(words(failure, terminal.isLogged)), isResult(failure) ? "yellow" : "red")
}

/** Reports how a failed command ended. `exitCode` is used for an interrupted command. The presenter has already reported usage errors. */
export const cause = (manner: Manner, failure: Cause.Cause<unknown>, exitCode: ExitCode.ExitCode): void => {
  const { json, terminal } = manner
  terminal.live(null)
  if (Cause.hasInterruptsOnly(failure)) {
    const message = "Interrupted"
    if (!json) terminal.say(`${message}.`, "red")
    else terminal.say(JSON.stringify({ error: "Interrupted", message, exitCode }))
    return
  }
  const squashed = Cause.squash(failure)
  if (!CliError.isCliError(squashed)) error(manner, squashed)
}

/** How a failed command ended, as a document for programs. */
export const documentOf = (failure: Cause.Cause<unknown>): object => {
  if (Cause.hasInterruptsOnly(failure)) return { error: "Interrupted", message: "Interrupted" }
  const squashed = Cause.squash(failure)
  return CliError.isCliError(squashed)
    ? { error: squashed._tag, message: squashed.message }
    : document(squashed)
}

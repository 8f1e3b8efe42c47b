/**
 * What the parser prints, and the final message of a failed command on standard error: text for people, or with `--json` one JSON document that includes
 * the exit code. A usage error suggests the nearest command, flag or choice, and never repeats the value of an unknown flag, which could be the API key.
 */
import { ClientError } from "@deedkit/core"
import { ExportError, nearest } from "@deedkit/export"
import * as Cause from "effect/Cause"
import * as CliError from "effect/cli/CliError"
import * as Catalogue from "../failure/Catalogue.ts"
import * as ExitCode from "../failure/ExitCode.ts"
import { Failure, usageError } from "../failure/Failure.ts"
import * as ClosingLine from "../terminal/ClosingLine.ts"
import type * as Terminal from "../terminal/Terminal.ts"
import * as Effect from "effect/Effect"
import type * as CliOutput from "effect/cli/CliOutput"
import { listed } from "../terminal/Figures.ts"
import * as TerminalStyle from "../terminal/TerminalText.ts"
import * as Translate from "./Translate.ts"
import * as Help from "./Help.ts"

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

const document = (error: unknown): object =>
  error instanceof ClientError.ClientError ||
  error instanceof ExportError.ExportError ||
  error instanceof Failure
    ? { ...error.toJSON(), message: Catalogue.messageOf(error) }
    : { error: "Bug", message: bug(error) }

const words = (error: unknown, isLogged: boolean): string => {
  if (error instanceof ClientError.ClientError) {
    const { reading } = error
    const message = Catalogue.clientMessage(error)
    return reading === null || reading.pages === 0
      ? message
      : `${message}\nRead before that: ${ClosingLine.reading(reading, { isLogged })}.`
  }
  return error instanceof ExportError.ExportError || error instanceof Failure
    ? Catalogue.messageOf(error)
    : bug(error)
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
const error = ({ hide, json, terminal }: Manner, failure: unknown): void => {
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

type Invalid = CliOutput.Presenter.InvalidInvocation

const flagsOf = ({ helpDoc }: Invalid): ReadonlyArray<string> =>
  [helpDoc.flags, helpDoc.inheritedFlags ?? [], helpDoc.globalFlags ?? []]
    .flat()
    .map(({ name }) => `--${name}`)

const commandsOf = ({ helpDoc }: Invalid): ReadonlyArray<string> =>
  (helpDoc.subcommands ?? []).flatMap(({ commands }) => commands.map(({ name }) => name))

const commandIn = ({ commandPath }: Invalid): ReadonlyArray<string> => commandPath.slice(1)

/** Suggests a flag or command only for a slip of the keyboard: a similar word can have another meaning. */
const slip = (word: string, candidates: ReadonlyArray<string>, rejected: Invalid): string | null => {
  const meant = Translate.slipOf(word, candidates, commandIn(rejected))
  // The flag of this command stands before it, where the parser does not know it yet.
  if (meant === word) return `It follows the command: \`${rejected.commandPath.join(" ")} ${word}\`.`
  return meant === null ? null : `Did you mean ${meant}?`
}

const didYouMean = (word: string, candidates: ReadonlyArray<string>): string | null => {
  const near = nearest(word, candidates)
  return near === null ? null : `Did you mean ${near}?`
}

const helpOf = (command: string): string => `Run \`${command} --help\` for usage.`

/** The first example of a command, which shows what is missing; null if it has none. */
const exampleOf = ({ helpDoc }: Invalid): string | null => {
  const first = helpDoc.examples?.[0]?.command
  return first === undefined ? null : `Such as \`${first}\`.`
}

/** A longer list of flags is left to the help. */
const mostNamed = 15

/** The flags that only this command has. */
const ownFlags = ({ commandPath, helpDoc }: Invalid): string => {
  const help = helpOf(commandPath.join(" "))
  const names = helpDoc.flags.map(({ name }) => `--${name}`)
  return names.length === 0 || names.length > mostNamed ? help : `Flags: ${names.join(", ")}. ${help}`
}

/** The parser writes choices as `a | b`, sometimes after the word `Expected`. */
const choicesIn = (expected: string): ReadonlyArray<string> => {
  const words = expected.replace(/^Expected:? */, "").replaceAll('"', "")
  return words.includes(" | ") ? words.split(" | ").map((word) => word.trim()) : []
}

const shapeOf = (expected: string): string => {
  const choices = choicesIn(expected)
  if (choices.length > 0) return listed(choices, "or")
  if (/finite|number/i.test(expected) && !expected.startsWith("a ")) return "a number"
  return /^(?:string|text)$/i.test(expected) ? "a text" : expected.replace(/^Expected:? */, "")
}

const argumentName = (argument: string): string => argument.toUpperCase().replaceAll("|", " or ")

const invalidValue = ({ expected, kind, option, value }: CliError.InvalidValue, command: string): Failure => {
  if (kind === "flag" && value === "") {
    const choices = choicesIn(expected)
    return usageError(
      `Missing value for --${option}${choices.length > 0 ? `: ${listed(choices, "or")}` : ""}`,
      helpOf(command),
    )
  }
  if (/^\d+ occurrences$/.test(value)) {
    return usageError(
      `--${option} is there ${value.replace("occurrences", "times")}, and ${command} takes it once`,
      option === "profile"
        ? "Exports and syncs take several profiles, with --profile after the command."
        : /^(?:by|columns|sort)$/.test(option)
          ? "Separate several values with commas."
          : "Give it once.",
    )
  }
  const name = kind === "flag" ? `--${option}` : argumentName(option)
  return usageError(
    `Invalid value "${value}" for ${name}: it takes ${shapeOf(expected)}`,
    didYouMean(value, choicesIn(expected)),
  )
}

/** Advice for a flag that only other commands have: what to use here instead. */
const otherMeaning = (option: string, command: string): string | null =>
  option === "--limit" && command.startsWith("deedkit export ")
    ? "An export writes all records: select some with --where, or set the records a page with --page-size."
    : null

const of = (error: CliError.NonShowHelpErrors, rejected: Invalid): Failure => {
  const command = rejected.commandPath.join(" ")
  const help = helpOf(command)
  switch (error._tag) {
    case "UnrecognizedOption":
      if (error.option === "--json-fields") {
        return usageError(`--json takes no field names for ${command}`, help)
      }
      return /^--?(?:api-?)?(?:key|token|secret)$/i.test(error.option)
        ? usageError(
            `Unknown flag ${error.option}: the API key is never passed as a flag, because other users of the machine can read it`,
            "Set DEEDKIT_API_KEY or DEEDKIT_API_KEY_FILE, or use --api-key-stdin.",
          )
        : usageError(
            `Unknown flag ${error.option} for ${command}`,
            otherMeaning(error.option, command) ??
              slip(error.option, flagsOf(rejected), rejected) ??
              (commandsOf(rejected).length > 0
                ? `A flag follows the whole command. Commands: ${commandsOf(rejected).join(", ")}.`
                : ownFlags(rejected)),
          )
    case "UnknownSubcommand":
      return usageError(
        `Unknown command "${error.subcommand}" for ${command}`,
        slip(error.subcommand, commandsOf(rejected), rejected) ??
          `Commands: ${commandsOf(rejected).join(", ")}.`,
      )
    case "MissingOption": {
      const metavar = rejected.helpDoc.flags.find(({ name }) => name === error.option)?.type
      return usageError(["Missing", `--${error.option}`, metavar].join(" ").trimEnd(), help)
    }
    case "MissingArgument":
      return usageError(`Missing ${argumentName(error.argument)} for ${command}`, exampleOf(rejected) ?? help)
    case "UnexpectedArgument":
      return usageError(
        `Unexpected argument ${error.arguments.map((each) => `"${each}"`).join(" ")} for ${command}`,
        Translate.argumentAdvice(commandIn(rejected), error.arguments) ?? help,
      )
    case "InvalidValue":
      return invalidValue(error, command)
    case "DuplicateOption":
    case "ValidationError":
    case "UserError":
      return usageError(error.message.replace(/\.$/, ""), help)
  }
}

/** Explains rejected arguments. An unknown command or flag comes first, because it causes other errors. */
export const explain = (rejected: Invalid): Failure => {
  const { errors } = rejected
  const first =
    errors.find(({ _tag }) => _tag === "UnknownSubcommand" || _tag === "UnrecognizedOption") ?? errors[0]
  return first === undefined
    ? usageError("Missing command", `Commands: ${commandsOf(rejected).join(", ")}.`)
    : of(first, rejected)
}

/** Makes a presenter that reports errors in this manner. */
export const presenter = (manner: Manner, isWholeHelp: boolean): CliOutput.Presenter => ({
  present: (event) => {
    const { terminal } = manner
    switch (event._tag) {
      case "Version":
        return Effect.ignore(terminal.lines([`${event.name} ${event.version}`]))
      case "Help": {
        const { style, width } = terminal
        const help = Help.lines(event.helpDoc, { columns: width ?? 80, style, all: isWholeHelp })
        return Effect.orDie(terminal.dressed(TerminalStyle.dress(help)))
      }
      case "InvalidInvocation":
        return Effect.sync(() => error(manner, explain(event)))
    }
  },
})

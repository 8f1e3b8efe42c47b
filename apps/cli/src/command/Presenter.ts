/**
 * What the parser prints: help and version on standard output, and one usage error on standard error. A usage error suggests the nearest command, flag or choice, and never repeats the value of an unknown flag, which
 * could be the API key.
 */
import { nearest } from "@deedkit/export"
import * as Effect from "effect/Effect"
import type * as CliError from "effect/cli/CliError"
import type * as CliOutput from "effect/cli/CliOutput"
import type { Failure } from "../failure/Failure.ts"
import { usageError } from "../failure/Failure.ts"
import { listed } from "../terminal/Figures.ts"
import * as TerminalStyle from "../terminal/TerminalText.ts"
import * as Habits from "./Habits.ts"
import * as Help from "./Help.ts"
import * as Report from "./Report.ts"

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
  const meant = Habits.slipOf(word, candidates, commandIn(rejected))
  return meant === null ? null : `Did you mean ${meant}?`
}

const didYouMean = (word: string, candidates: ReadonlyArray<string>): string | null => {
  const near = nearest(word, candidates)
  return near === null ? null : `Did you mean ${near}?`
}

const helpOf = (command: string): string => `Run \`${command} --help\` for usage.`

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
        : "Separate several values with commas.",
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
      return usageError(`Missing ${argumentName(error.argument)} for ${command}`, help)
    case "UnexpectedArgument":
      return usageError(
        `Unexpected argument ${error.arguments.map((each) => `"${each}"`).join(" ")} for ${command}`,
        Habits.argumentAdvice(commandIn(rejected)) ?? help,
      )
    case "InvalidValue":
      return invalidValue(error, command)
    case "DuplicateOption":
    case "ValidationError":
    case "UserError":
      return usageError(error.message.replace(/\.$/, ""), help)
  }
}

/** Explains the rejected arguments. An unknown command or flag comes first, because it causes other errors. */
const explain = (rejected: Invalid): Failure => {
  const { errors } = rejected
  const first =
    errors.find(({ _tag }) => _tag === "UnknownSubcommand" || _tag === "UnrecognizedOption") ?? errors[0]
  return first === undefined
    ? usageError("Missing command", `Commands: ${commandsOf(rejected).join(", ")}.`)
    : of(first, rejected)
}

/** Makes a presenter that reports errors in this manner. */
export const make = (manner: Report.Manner, isWholeHelp: boolean): CliOutput.Presenter => ({
  present: (event) => {
    const { terminal } = manner
    switch (event._tag) {
      case "Version":
        return Effect.ignore(terminal.lines([`${event.name} ${event.version}`]))
      case "Help": {
        const { style, width } = terminal
        const help = Help.lines(event.helpDoc, { columns: width ?? 80, style, all: isWholeHelp })
        return Effect.ignore(terminal.dressed(TerminalStyle.dress(help)))
      }
      case "InvalidInvocation":
        return Effect.sync(() => Report.error(manner, explain(event)))
    }
  },
})

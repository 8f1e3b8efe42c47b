/**
 * From what the parser found wrong to one clear sentence, with the nearest command, flag or choice. Values of unknown flags are never
 * repeated: somebody may have tried to pass the API key.
 */
import type * as CliError from "effect/cli/CliError"
import type * as CliOutput from "effect/cli/CliOutput"
import { nearest } from "./Nearest.ts"
import type { UsageError } from "../failure/UsageError.ts"
import { usageError } from "../failure/UsageError.ts"

type Invalid = CliOutput.Presenter.InvalidInvocation

const listed = (words: ReadonlyArray<string>): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`

const flagsOf = ({ helpDoc }: Invalid): ReadonlyArray<string> =>
  [helpDoc.flags, helpDoc.inheritedFlags ?? [], helpDoc.globalFlags ?? []]
    .flat()
    .map(({ name }) => `--${name}`)

const commandsOf = ({ helpDoc }: Invalid): ReadonlyArray<string> =>
  (helpDoc.subcommands ?? []).flatMap(({ commands }) => commands.map(({ name }) => name))

const didYouMean = (word: string, candidates: ReadonlyArray<string>): string | null => {
  const near = nearest(word, candidates)
  return near === null ? null : `Did you mean ${near}?`
}

const helpOf = (command: string): string => `${command} --help shows how it is used.`

/** The parser writes choices as `a | b`, in front of them `Expected` as the case may be. */
const choicesIn = (expected: string): ReadonlyArray<string> => {
  const words = expected.replace(/^Expected:? */, "").replaceAll('"', "")
  return words.includes(" | ") ? words.split(" | ").map((word) => word.trim()) : []
}

const shapeOf = (expected: string): string => {
  const choices = choicesIn(expected)
  if (choices.length > 0) return listed(choices)
  if (/finite|number/i.test(expected) && !expected.startsWith("a ")) return "a number"
  return /^(?:string|text)$/i.test(expected) ? "a text" : expected.replace(/^Expected:? */, "")
}

const invalidValue = (
  { expected, kind, option, value }: CliError.InvalidValue,
  command: string,
): UsageError => {
  if (kind === "flag" && value === "") {
    const choices = choicesIn(expected)
    return usageError(
      `--${option} needs a value${choices.length > 0 ? `: ${listed(choices)}` : ""}`,
      helpOf(command),
    )
  }
  const name = kind === "flag" ? `--${option}` : option === "id" ? "The id" : `The argument of ${command}`
  return usageError(
    `${name} cannot be "${value}": it takes ${shapeOf(expected)}`,
    didYouMean(value, choicesIn(expected)),
  )
}

const of = (error: CliError.NonShowHelpErrors, rejected: Invalid): UsageError => {
  const command = rejected.commandPath.join(" ")
  const help = helpOf(command)
  switch (error._tag) {
    case "UnrecognizedOption":
      if (error.option === "--json-fields") {
        return usageError(`${command} shows the whole: --json takes no names here`, help)
      }
      return /^--?(?:api-?)?(?:key|token|secret)$/i.test(error.option)
        ? usageError(
            `There is no flag ${error.option}: the API key is never given as a flag, which every user of the machine could read`,
            "Set DEEDKIT_API_KEY or DEEDKIT_API_KEY_FILE, or use --api-key-stdin.",
          )
        : usageError(
            `There is no flag ${error.option} for ${command}`,
            didYouMean(error.option, flagsOf(rejected)) ?? help,
          )
    case "UnknownSubcommand":
      return usageError(
        `There is no command "${error.subcommand}"`,
        didYouMean(error.subcommand, commandsOf(rejected)) ??
          `There are: ${commandsOf(rejected).join(", ")}.`,
      )
    case "MissingOption":
      return usageError(`--${error.option} is missing`, help)
    case "MissingArgument":
      return usageError(
        `${command} needs ${error.argument === "id" ? "an id" : error.argument.replaceAll("|", " or ")}`,
        help,
      )
    case "UnexpectedArgument":
      return usageError(
        `${command} does not take ${error.arguments.map((each) => `"${each}"`).join(" ")}`,
        help,
      )
    case "InvalidValue":
      return invalidValue(error, command)
    case "DuplicateOption":
    case "ValidationError":
    case "UserError":
      return usageError(error.message.replace(/\.$/, ""), help)
  }
}

/** The error to show: an unknown word explains what follows from it, so it goes first. */
export const explain = (rejected: Invalid): UsageError => {
  const { errors } = rejected
  const first =
    errors.find(({ _tag }) => _tag === "UnknownSubcommand" || _tag === "UnrecognizedOption") ?? errors[0]
  return first === undefined
    ? usageError("A command is missing", `There are: ${commandsOf(rejected).join(", ")}.`)
    : of(first, rejected)
}

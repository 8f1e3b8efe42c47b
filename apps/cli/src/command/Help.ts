/**
 * The help of a command: what it is for, its commands, the first of its flags, and examples, in one window. `--help --all` shows every flag with its whole
 * description, and the flags that all commands share. Pure.
 */
import * as Option from "effect/Option"
import type { FlagDoc, HelpDoc } from "effect/cli/HelpDoc"
import type { Style } from "../terminal/TerminalText.ts"
import { pad, width, wrap } from "../terminal/TerminalText.ts"

export interface HelpOptions {
  /** Columns of the window. */
  readonly columns: number
  readonly style: Style
  /** Whether everything is shown. */
  readonly all: boolean
}

/** Lines of a window that help fills at most, at 80 columns. */
const mostLines = 25
/** A longer name has a line of its own. */
const widestName = 24
/** Examples that are shown when not everything is. */
const mostExamples = 3
const manyFlags = 10

interface Row {
  readonly left: string
  readonly right: string
}

/** Two columns with an indent. A description that does not fit is wrapped, or with `short` cut to its first clause. */
const rows = (
  entries: ReadonlyArray<Row>,
  { columns, style }: HelpOptions,
  short: boolean,
): ReadonlyArray<string> => {
  const widest = entries.reduce(
    (most, { left }) => (width(left) > widestName ? most : Math.max(most, width(left))),
    0,
  )
  const room = Math.max(20, columns - widest - 4)
  return entries.flatMap(({ left, right }) => {
    const [first = "", ...others] = wrap(short ? clause(right, room) : right, room)
    const indent = " ".repeat(widest + 4)
    if (width(left) > widest) {
      return [`  ${style("bold", left)}`].concat([first, ...others].map((line) => indent + line))
    }
    const line = `  ${style("bold", pad(left, widest))}  ${first}`.trimEnd()
    return [line].concat(others.map((other) => indent + other))
  })
}

/**
 * The beginning of a description that fits: up to a full stop, a semicolon or a bracket, else to a comma, a colon or as many words as there is room for,
 * with an ellipsis, which not every shell can show in a completion.
 */
export const clause = (text: string, room: number, ellipsis = "…"): string => {
  if (width(text) <= room) return text
  const upTo = (end: RegExp, most: number): string | undefined =>
    [...text.matchAll(end)].map(({ index }) => text.slice(0, index)).findLast((each) => width(each) <= most)
  const whole = upTo(/[.;](?= )| \(/g, room)
  return whole ?? `${upTo(/[:,](?= )/g, room - 1) ?? wrap(text, room - 1)[0] ?? ""}${ellipsis}`
}

export const flagName = ({ aliases, name, type }: FlagDoc): string =>
  [`--${name}`, ...aliases].join(", ") + (type === "boolean" ? "" : ` ${type}`)

const described = (flags: ReadonlyArray<FlagDoc>): ReadonlyArray<Row> =>
  flags.map((flag) => ({ left: flagName(flag), right: Option.getOrElse(flag.description, () => "") }))

const section = (title: string, lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.length === 0 ? [] : ["", title, ...lines]

/** The flags that fit into `room` lines, and the names of the others. */
const shortFlags = (
  flags: ReadonlyArray<FlagDoc>,
  room: number,
  options: HelpOptions,
): ReadonlyArray<string> => {
  const shown = (number: number): ReadonlyArray<string> => {
    const others = flags.slice(number).map(({ name }) => `--${name}`)
    const more = others.length === 0 ? [] : wrap(`Also ${others.join(", ")}`, options.columns - 2)
    return [...rows(described(flags.slice(0, number)), options, true), ...more.map((line) => `  ${line}`)]
  }
  for (let number = flags.length; number > 1; number -= 1) {
    const lines = shown(number)
    if (lines.length <= room) return lines
  }
  return shown(Math.min(1, flags.length))
}

/** The help as lines. */
export const lines = (doc: HelpDoc, options: HelpOptions): ReadonlyArray<string> => {
  const { all, columns, style } = options
  const title = (text: string): string => style("bold", text)
  const wrapped = (text: string): ReadonlyArray<string> => wrap(text, columns - 2).map((line) => `  ${line}`)
  const [first = "", ...paragraphs] = doc.description.split("\n\n")
  const head = [
    title("DESCRIPTION"),
    ...wrapped(all ? first : clause(first, columns - 2)),
    ...(all ? paragraphs.flatMap((each) => `\n${each}`.split("\n")) : []),
    ...section(title("USAGE"), wrapped(doc.usage)),
    ...section(
      title("SUBCOMMANDS"),
      rows(
        (doc.subcommands ?? []).flatMap(({ commands }) =>
          commands.map(({ description, name, shortDescription }) => ({
            left: name,
            right: shortDescription ?? description,
          })),
        ),
        options,
        !all,
      ),
    ),
    ...section(
      title("ARGUMENTS"),
      rows(
        (doc.args ?? []).map(({ description, name, required, variadic }) => ({
          left: `${name}${variadic ? "..." : ""}`,
          right: `${Option.getOrElse(description, () => "")}${required ? "" : " (optional)"}`,
        })),
        options,
        !all,
      ),
    ),
  ]
  const examples = (number: number, isDescribed = true): ReadonlyArray<string> =>
    section(
      title("EXAMPLES"),
      (doc.examples ?? [])
        .slice(0, number)
        .flatMap(({ command, description }) =>
          (description === undefined || !isDescribed ? [] : [style("dim", `  # ${description}`)]).concat(
            `  ${command}`,
          ),
        ),
    )
  const shared = [...(doc.inheritedFlags ?? []), ...(doc.globalFlags ?? [])]
  if (all) {
    return [
      ...head,
      ...section(title("FLAGS"), rows(described(doc.flags), options, false)),
      ...section(title("INHERITED FLAGS"), rows(described(shared), options, false)),
      ...examples(Infinity),
    ]
  }
  const path = doc.commandPath ?? ["deedkit"]
  const hint = style("dim", `  ${path.join(" ")} --help --all shows every flag.`)
  // The flags of the program are those of all commands.
  const own = path.length === 1 ? [] : doc.flags
  const page = (number: number, isDescribed?: boolean): ReadonlyArray<string> => {
    const last = examples(number, isDescribed)
    const room = mostLines - head.length - last.length - 3
    const flags =
      own.length === 0 ? ["", hint] : section(title("FLAGS"), [...shortFlags(own, room, options), hint])
    return [...head, ...flags, ...last]
  }
  // A command with many flags shows more of them, and one example.
  const numbers = own.length > manyFlags ? [] : [mostExamples, 2]
  const fitting = numbers.map((number) => page(number)).find((lines) => lines.length <= mostLines)
  const whole = fitting ?? page(1)
  return whole.length <= mostLines ? whole : page(1, false)
}

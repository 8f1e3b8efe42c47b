/**
 * One finding of a checkup in words: its subject, the answer, how the answer is known, and which setting changes it; and the findings as lines. In a
 * terminal window, answers are wrapped in their own column; in a narrow window, they get lines of their own. Pure.
 */
import { clean, dress, pad, width, wrap } from "../terminal/TerminalText.ts"
import type { DressedLine, Style, StyleName } from "../terminal/TerminalText.ts"

/**
 * One finding of a checkup in words: its subject, the answer, how the answer is known, and which setting changes it. Plain data.
 */

/** How an answer is known: from the specification, observed on this server, assumed and not contradicted, or not at all. */
export type Certainty = "documented" | "verified" | "assumed" | "unknown"

export type Stage = "Connection" | "Key" | "Lists" | "Records" | "Answers"

export interface Finding {
  readonly stage: Stage
  /** The subject, in the same words for every server: `cursor parameter`. */
  readonly about: string
  readonly answer: string
  readonly certainty: Certainty
  /** The evidence for the answer; null if the answer says it all. */
  readonly evidence: string | null
  /** The flag that changes the behaviour; null if there is none. */
  readonly setting: string | null
  /** Whether it prevents work. */
  readonly problem: boolean
}

/** Optional members of a finding. */
export type Extras = { readonly [Name in "evidence" | "setting" | "problem"]?: Finding[Name] | undefined }

/** Returns a constructor for the findings of one stage. */
export const of =
  (stage: Stage) =>
  (
    about: string,
    answer: string,
    certainty: Certainty,
    { evidence = null, problem = false, setting = null }: Extras = {},
  ): Finding => ({ stage, about, answer, certainty, evidence, setting, problem })

const styles: { readonly [Each in Certainty]: StyleName } = {
  documented: "dim",
  verified: "green",
  assumed: "yellow",
  unknown: "yellow",
}

const aboutWidth = 20
const certaintyWidth = 10
/** The columns where answers begin: beside their subject, and below it. */
const besideAt = 2 + aboutWidth + 2 + certaintyWidth + 2
const belowAt = 4
/** Answers narrower than this many columns are hard to read beside their subject. */
const leastBeside = 32

/** The meaning of the second column. */
export const legend =
  "documented: in the specification; verified: observed on this server; assumed: not contradicted."

/**
 * The answer in lines of at most `columns` columns, with the setting at the end of the last line if it fits. Null `columns` gives one line of any
 * length.
 */
const answerOf = (finding: Finding, columns: number | null, style: Style): ReadonlyArray<string> => {
  const { answer, evidence, setting, problem } = finding
  const text = clean(`${problem ? "! " : ""}${answer}${evidence === null ? "" : ` (${evidence})`}`)
  const lines = columns === null ? [text] : wrap(text, columns)
  if (setting === null) return lines
  const last = lines.at(-1) ?? ""
  const name = style("dim", clean(setting))
  return columns === null || width(last) + 2 + width(setting) <= columns
    ? [...lines.slice(0, -1), `${last}  ${name}`]
    : [...lines, name]
}

const block = (finding: Finding, style: Style, columns: number | null): ReadonlyArray<string> => {
  const { about, certainty, problem } = finding
  const known = style(problem ? "red" : styles[certainty], certainty)
  const head = `  ${pad(clean(about), aboutWidth)}  ${known}`
  const gap = " ".repeat(2 + certaintyWidth - certainty.length)
  if (columns !== null && columns - besideAt < leastBeside) {
    const indent = " ".repeat(belowAt)
    return [head, ...answerOf(finding, columns - belowAt, style).map((line) => indent + line)]
  }
  const room = columns === null ? null : columns - besideAt
  const [first = "", ...rest] = answerOf(finding, room, style)
  return [head + gap + first, ...rest.map((line) => " ".repeat(besideAt) + line)]
}

/** The lines of a stage under its name; empty without findings. `columns` is the width of the window, null if there is none. */
export const lines = (
  findings: ReadonlyArray<Finding>,
  style: Style,
  columns: number | null,
): ReadonlyArray<DressedLine> => {
  const [first] = findings
  return first === undefined
    ? []
    : dress([style("bold", first.stage), ...findings.flatMap((finding) => block(finding, style, columns))])
}

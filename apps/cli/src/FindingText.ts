/** Findings as lines for people, a stage at a time: what, how it is known, the answer, and the setting that changes it. Pure. */
import type { Certainty, Finding } from "./Finding.ts"
import type { Style, StyleName } from "./TerminalStyle.ts"
import { clean, pad } from "./TerminalText.ts"

const styles: { readonly [Each in Certainty]: StyleName } = {
  documented: "dim",
  verified: "green",
  assumed: "yellow",
  "cannot tell": "yellow",
}

const aboutWidth = 20
const certaintyWidth = 11

/** What the words in the second column mean. */
export const legend =
  "documented: the specification says so; verified: this server has just shown it; assumed: nothing spoke against it."

const line = ({ about, answer, certainty, evidence, setting, trouble }: Finding, style: Style): string => {
  const known = style(trouble ? "red" : styles[certainty], pad(certainty, certaintyWidth))
  const why = evidence === null ? "" : ` (${evidence})`
  const by = setting === null ? "" : style("dim", `  ${clean(setting)}`)
  return `  ${pad(clean(about), aboutWidth)}  ${known}  ${trouble ? "! " : ""}${clean(answer + why)}${by}`
}

/** The lines of a stage under its name; none for no findings. */
export const lines = (findings: ReadonlyArray<Finding>, style: Style): ReadonlyArray<string> => {
  const [first] = findings
  return first === undefined
    ? []
    : [style("bold", first.stage), ...findings.map((finding) => line(finding, style))]
}

/**
 * The last line of a walk, and it tells the truth: how many, whether that is all, and why it should be believed. Pure.
 */
import type { WalkSummary } from "@deedkit/core"
import type { ExportResult } from "@deedkit/export/run"
import { bytes, count } from "./Figures.ts"
import { clean } from "./TerminalText.ts"
import { nouns } from "./ProgressText.ts"

const cursor = ({ parameter, state }: WalkSummary["cursor"]): string => {
  switch (state) {
    case "verified":
      return `cursor ${parameter} verified`
    case "single-page":
      return "one page, so no cursor was needed"
    case "unverified":
      return `cursor ${parameter} not verified`
  }
}

/** `1,204 contracts in 13 pages, 0 duplicates, end reached, cursor before_id verified` */
export const walk = (summary: WalkSummary, withoutData = 0): string => {
  const { one, many } = nouns[summary.collection]
  return [
    `${count(summary.records, one, many)} in ${count(summary.pages, "page", "pages")}`,
    count(summary.duplicates, "duplicate", "duplicates"),
    ...(summary.invalid > 0 ? [`${summary.invalid} not as specified`] : []),
    ...(summary.changedDuringWalk > 0 ? [`${summary.changedDuringWalk} changed meanwhile`] : []),
    ...(withoutData > 0 ? [`${count(withoutData, "", "").trim()} without data`] : []),
    summary.complete ? "end reached" : "end not reached",
    cursor(summary.cursor),
  ].join(", ")
}

/** `contracts.csv: 1,204 rows, 98 kB`, a line for each file; texts that no file can hold as they came are counted. */
export const files = ({ longTexts, manifest }: ExportResult): ReadonlyArray<string> => [
  ...manifest.files.map(({ bytes: size, format, name, tables }) => {
    const changed = Object.values(manifest.textsChanged[format] ?? {}).reduce((sum, cells) => sum + cells, 0)
    const [first, ...others] = Object.entries(tables)
    const rows =
      others.length === 0
        ? count(first?.[1] ?? 0, "row", "rows")
        : Object.entries(tables)
            .map(([table, number]) => `${table} ${count(number, "row", "rows")}`)
            .join(", ")
    return `${[
      `${name === "-" ? "standard output" : clean(name)}: ${rows}`,
      bytes(size),
      ...(changed > 0 ? [`${count(changed, "text", "texts")} without characters that no file can hold`] : []),
    ].join(", ")}.`
  }),
  ...(longTexts === null
    ? []
    : [`${count(longTexts.texts, "text", "texts")} too long for a cell, kept in ${clean(longTexts.path)}.`]),
]

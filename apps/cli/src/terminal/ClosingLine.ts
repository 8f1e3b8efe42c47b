/**
 * The last line of a read: how many records were read, when, and whether those are all. Pure.
 */
import type { ReadSummary } from "@deedkit/core"
import type { ExportResult } from "@deedkit/export/run"
import { Verdict } from "@deedkit/export"
import { bytes, count, duration, figure, firstOf, period } from "./Figures.ts"
import { fromHere } from "./HomePath.ts"
import { clean } from "./TerminalText.ts"

/** The nouns for the records of a collection. */
export const nounsOf = (collection: ReadSummary["collection"]) =>
  collection === "api-keys"
    ? ({ one: "API key", many: "API keys" } as const)
    : ({ one: "contract", many: "contracts" } as const)

/** What is known about the completeness of the list. */
const outcome = (summary: ReadSummary, withoutData: number): string => {
  if (!summary.complete) return "end not reached"
  if (Verdict.isComplete(summary)) return summary.rejected + withoutData > 0 ? "partial" : "complete"
  return summary.completeness.reason === "single-reading"
    ? "end reached, completeness not checked"
    : "end reached, completeness not verified"
}

interface Told {
  /** Records without the data payload that was requested; default 0. */
  readonly withoutData?: number | undefined
  /** The purpose of the read; default `read`. */
  readonly what?: "read" | "export"
  /** Whether the line goes to a log, where a time needs its date; default false. */
  readonly isLogged?: boolean
}

/** `1,204 contracts in 13 pages, read 14:03:10-14:03:18, complete`. */
export const reading = (
  summary: ReadSummary,
  { isLogged = false, what = "read", withoutData = 0 }: Told = {},
): string => {
  const { one, many } = nounsOf(summary.collection)
  const { changedDuringRead, duplicates, endedAt, rejected, records, resumed, retries, startedAt } = summary
  const pause = resumed === null ? 0 : Date.parse(resumed.resumedAt) - Date.parse(resumed.pausedAt)
  return [
    `${count(records, one, many)} in ${count(summary.pages, "page", "pages")}`,
    `read ${period(startedAt, endedAt, isLogged)}`,
    ...(resumed === null
      ? []
      : [`resumed after ${duration(pause)}, ${count(resumed.records, one, many)} from before`]),
    ...(duplicates > 0 ? [count(duplicates, "duplicate", "duplicates")] : []),
    ...(changedDuringRead > 0 ? [`${figure(changedDuringRead)} changed during the ${what}`] : []),
    ...(retries > 0 ? [count(retries, "retry", "retries")] : []),
    ...(rejected > 0 ? [`${count(rejected, "record", "records")} rejected`] : []),
    ...(withoutData > 0 ? [`${count(withoutData, "record", "records")} without data`] : []),
    outcome(summary, withoutData),
  ].join(", ")
}

/** Number of members that are named; the rest is counted. */
const mostNamed = 10

/** Maximum number of members that a manifest names. */
const mostMembers = 200

const named = (paths: ReadonlyArray<string>): string =>
  firstOf(paths.map(clean), mostNamed).replace(/(?=\d+ more$)/, paths.length < mostMembers ? "" : "at least ")

type TableEntry = Pick<
  ExportResult["manifest"]["tables"][number],
  "columns" | "stored" | "table" | "undocumented" | "withoutData"
>

/** The same table of several accounts as one: a member that one of them has is in it. */
const asOne = (tables: ReadonlyArray<TableEntry>): TableEntry => {
  const all = (of: (table: TableEntry) => ReadonlyArray<string>) => [...new Set(tables.flatMap(of))]
  return {
    ...tables[0]!,
    columns: all(({ columns }) => columns),
    undocumented: {
      included: all(({ undocumented: { included } }) => included),
      excluded: all(({ undocumented: { excluded } }) => excluded),
    },
  }
}

/**
 * Lists the members outside the specification that are in the files, those that are not, and the chosen ones that no record has. Empty if no such
 * member occurred or was chosen.
 */
export const undocumented = (entries: ReadonlyArray<TableEntry>): ReadonlyArray<string> => {
  const within = (path: string, outer: string): boolean => path === outer || path.startsWith(`${outer}.`)
  const tables = [...Map.groupBy(entries, ({ table }) => table).values()].map(asOne)
  const parts = tables.map(
    ({ columns, stored, table, undocumented: { excluded, included }, withoutData }) => {
      const named = columns.flatMap((column) =>
        column.startsWith("extra.") ? [column.slice("extra.".length)] : [],
      )
      const show = (path: string): string => (tables.length === 1 ? path : `${table} ${path}`)
      return {
        included: included.map(show),
        excluded: excluded.filter((path) => !named.some((each) => within(each, path))).map(show),
        // If there are very many members, a manifest names only some of them.
        absent: (included.length + excluded.length < mostMembers ? named : [])
          .filter((each) => ![...included, ...excluded].some((path) => within(each, path)))
          .map(show),
        canHaveData: table === "contracts" && withoutData === undefined && stored === undefined,
      }
    },
  )
  const [included, excluded, absent] = (["included", "excluded", "absent"] as const).map((which) =>
    parts.flatMap((part) => part[which]),
  ) as [Array<string>, Array<string>, Array<string>]
  const advice = parts.some(({ absent: names, canHaveData }) => names.length > 0 && canHaveData)
    ? " (add --data for members of the data payload)"
    : ""
  return [
    ...(included.length === 0 ? [] : [`Included, not in the specification: ${named(included)}.`]),
    ...(excluded.length === 0
      ? []
      : [`Not included, because --columns does not name them: ${named(excluded)} (add extra).`]),
    ...(absent.length === 0 ? [] : [`No record has ${named(absent)}${advice}.`]),
  ]
}

/** `exports/contracts.csv: 1,204 rows, 98 kB`, one line per file, with the number of values that were changed to fit its format. */
export const files = ({ longTexts, manifest, paths }: ExportResult): ReadonlyArray<string> => [
  ...manifest.files.map(({ bytes: size, format, name, tables }, at) => {
    const path = paths[at] ?? null
    const changed = Object.values(manifest.textsChanged[format] ?? {}).reduce((sum, cells) => sum + cells, 0)
    const [first, ...others] = Object.entries(tables)
    const rows =
      others.length === 0
        ? count(first?.[1] ?? 0, "row", "rows")
        : Object.entries(tables)
            .map(([table, number]) => `${table} ${count(number, "row", "rows")}`)
            .join(", ")
    return `${[
      `${path !== null ? clean(fromHere(path)) : name === "-" ? "standard output" : clean(name)}: ${rows}`,
      bytes(size),
      ...(changed > 0 ? [`${count(changed, "value", "values")} changed to fit the format`] : []),
    ].join(", ")}.`
  }),
  ...(longTexts === null
    ? []
    : [
        `${count(longTexts.texts, "text", "texts")} too long for a cell, saved in ${clean(fromHere(longTexts.path))}.`,
      ]),
]

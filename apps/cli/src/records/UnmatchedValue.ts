/**
 * Finds conditions such as `status=ACTIVE` that no record meets, and the values that do occur. Statuses, kinds and cities are open sets
 * (Spec: Resources, States), so an unknown value is not an error; but a typo must not look like an empty account.
 *
 * Counts values while records are read, in bounded memory, until a record meets the condition. Pure.
 */
import { Cell, Filter, Table, TextForm } from "@deedkit/export"
import * as Result from "effect/Result"
import { count } from "../terminal/Figures.ts"
import { nearest } from "@deedkit/export"
import { truncate } from "../terminal/TerminalText.ts"

/** A value of a column as text, and the number of records that have it. */
interface Seen {
  readonly value: string
  readonly records: number
}

/** A condition that no record met. */
export interface Unmatched {
  readonly column: string
  readonly value: string
  /** All values, if they are few; otherwise those nearest to the wanted value, or the most frequent ones. */
  readonly seen: ReadonlyArray<Seen>
  /** Number of different values; null if there are more than could be counted. */
  readonly values: number | null
}

interface Watch<in A> {
  /** Takes a record, whether it matches or not. */
  readonly see: (record: A) => void
  /** The conditions that no record has met so far; empty before the first record. */
  readonly unmatched: () => ReadonlyArray<Unmatched>
}

/** Up to this many values, all are listed. */
const few = 12
/** Number of values that are named if there are more. */
const named = 3
/** Limits of counting: the number of different values, and the longest value in characters. */
const mostValues = 1_000
const longestValue = 100

/** Whether the values of a column are words. A number or a date that does not occur is not a typo. */
const isWord = (kind: Cell.CellKind): boolean => kind === "text" || kind === "link" || kind === "json"

/** Parses an equality with the column's full name, as a filter writes it; null for any other condition. */
const equality = (text: string): { readonly name: string; readonly value: string } | null => {
  const [, name, value] = /^([^\s=!~<>]+)=(.+)$/s.exec(text) ?? []
  return name === undefined || value === undefined ? null : { name, value }
}

const byFrequency = (left: Seen, right: Seen): number =>
  right.records - left.records || left.value.localeCompare(right.value, "en")

/** Watches one value of an equality. `whole` is the text of the equality: the value itself, or the list that it is from. */
const watchOne = <A>(table: Table.Table<A>, name: string, whole: string, value: string): Watch<A> | null => {
  const column = Result.getOrNull(Table.resolveColumn(table, name))
  const filter = Result.getOrNull(Filter.parse(table, [`${name}="${value}"`]))
  if (column === null || filter === null || column.kind === "boolean" || column.kind === "timestamp")
    return null
  let counts: Map<string, number> | null = new Map()
  let isMore = false
  let isAny = false
  const see = (record: A): void => {
    if (counts === null) return
    isAny = true
    if (filter.keeps(record)) {
      counts = null
      return
    }
    const cell = Cell.scalar(column.get(record))
    if (cell === null || cell === "") return
    const found = TextForm.equal(String(cell))
    if (found === TextForm.equal(whole)) {
      counts = null
      return
    }
    const before = counts.get(found)
    if (before === undefined && (counts.size === mostValues || found.length > longestValue)) isMore = true
    else counts.set(found, (before ?? 0) + 1)
  }
  const unmatched = (): ReadonlyArray<Unmatched> => {
    if (counts === null || !isAny) return []
    const all = [...counts].map(([each, records]): Seen => ({ value: each, records }))
    const isFew = all.length <= few && !isMore
    if (!isFew && !isWord(column.kind)) return []
    const seen = all.toSorted(byFrequency)
    return [
      {
        column: name,
        value,
        seen: isFew ? seen : nearestOf(value, seen),
        values: isMore ? null : all.length,
      },
    ]
  }
  return { see, unmatched }
}

/** A few values that resemble the wanted one; if none does, the most frequent. */
const nearestOf = (wanted: string, seen: ReadonlyArray<Seen>): ReadonlyArray<Seen> => {
  const left = new Map(seen.map((each) => [each.value, each]))
  const found: Array<Seen> = []
  while (found.length < named) {
    const near = left.get(nearest(wanted, [...left.keys()]) ?? "")
    if (near === undefined) break
    left.delete(near.value)
    found.push(near)
  }
  return found.length > 0 ? found : seen.slice(0, named)
}

/** The same filter, which watches the equalities among its conditions. Each record passes it once. */
export const watch = <A>(
  table: Table.Table<A>,
  { keeps, texts }: Filter.Filter<A>,
): { readonly filter: Filter.Filter<A>; readonly unmatched: Watch<A>["unmatched"] } => {
  const watches = texts.flatMap((text) => {
    const wanted = equality(text)
    if (wanted === null) return []
    const { name, value } = wanted
    return Filter.values(value).flatMap((each) => watchOne(table, name, value, each) ?? [])
  })
  return {
    filter: {
      texts,
      keeps: (record) => {
        for (const { see } of watches) see(record)
        return keeps(record)
      },
    },
    unmatched: () => watches.flatMap(({ unmatched }) => unmatched()),
  }
}

const longestShown = 40

const listed = (seen: ReadonlyArray<Seen>): string =>
  seen.map(({ records, value }) => `${truncate(value, longestShown)} (${records})`).join(", ")

/**
 * `No contract has status "ACTIVE". Values seen: active (12), draft (3).` The sentence begins with `none`, such as `No contract`. `redact` removes
 * the API key from a text.
 */
export const sentence = (
  { column, seen, value, values }: Unmatched,
  none: string,
  redact: (text: string) => string,
): string => {
  const said = `${none} has ${column} "${truncate(value, longestShown)}".`
  const shown = listed(seen.map((each) => ({ ...each, value: redact(each.value) })))
  if (values === 0) return `${said} It is empty in all of them.`
  if (values === seen.length) return `${said} Values seen: ${shown}.`
  const others = values === null ? "many others" : count(values - seen.length, "other", "others")
  return `${said} Values seen: ${shown} and ${others}.`
}

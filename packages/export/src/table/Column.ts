/**
 * A column of a table: a name for machines, a label for people, what its cells mean, and how to get a cell from a record.
 *
 * Columns are chosen and ordered by name. The name is the path of the member on the wire, such as `listing.city`, so that it can be looked up in
 * the service's documentation.
 */
import type { Json } from "@deedkit/core"
import type { CellKind, CellValue } from "./Cell.ts"

export interface Column<in A> {
  /** The path on the wire, such as `listing.city`. Unique in its table. */
  readonly name: string
  /** The heading for people, such as `City`; a timestamp's says `(UTC)`. */
  readonly label: string
  readonly kind: CellKind
  /**
   * The purpose of its numbers. `id`: they identify something and are never added up; `json` cells of an id are shown as texts, so that a column
   * holds one type. `count`: numbers of things, read digit below digit. `amount`:
   * sums of money, with two decimals. Default: none of them.
   */
  readonly role?: "id" | "count" | "amount" | undefined
  /** How much of a timestamp a reader sees in formats that have dates; the value in the file is whole. Default: date and time. */
  readonly shows?: "day" | "month" | undefined
  /** Whether its texts may take several lines, in a short table. Default false. */
  readonly wraps?: boolean | undefined
  /** Whether it is computed from other members, and not itself a member of the record on the wire under that name. Default false. */
  readonly isComputed?: boolean | undefined
  /** The tone of known values, by value; formats with colours show it, and every other value stays neutral. */
  readonly tones?: { readonly [value: string]: Tone } | undefined
  /** The value of the cell, null when there is none. Must not throw. */
  readonly get: (record: A) => CellValue
  /**
   * For a timestamp in local time: the same with its offset, `2026-03-01T11:30:00+02:00`, which distinguishes the two equal hours in October.
   * Absent if `get` gives the instant itself.
   */
  readonly instant?: ((record: A) => CellValue) | undefined
  /** For members that the specification does not name: the members at their places in the record, for formats that nest. */
  readonly members?: ((record: A) => { readonly [member: string]: Json.Json }) | undefined
  /** For a text that joins several texts: the single texts, for formats that have lists. */
  readonly items?: ((record: A) => ReadonlyArray<string>) | undefined
}

/** The cell as formats have it that can write an offset: of a timestamp the instant, of any other column the value. */
export const instantOrValue = <A>({
  get,
  instant,
}: Pick<Column<A>, "get" | "instant">): ((record: A) => CellValue) => instant ?? get

/** How a value looks to a reader who skims a column: `good`, `attention`, `muted`. */
export type Tone = "good" | "attention" | "muted"

/** Which headings a file gets: `labels` for people, `api` for the names that the service uses. */
export type Headings = "labels" | "api"

export const heading = <A>(column: Column<A>, headings: Headings): string =>
  headings === "api" ? column.name : column.label

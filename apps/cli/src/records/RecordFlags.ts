/** The flags of the commands `list` and `get`. `RecordQuery` applies those of `list`. */
import * as Option from "effect/Option"
import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { toggle, wholeNumber } from "../command/SharedFlags.ts"
import { mirrorFlags } from "../sync/MirrorFlags.ts"

/** Records per page if more than the first page is read. */
export const defaultPageSize = 100

/** The words of a comma-separated list. */
export const words = (text: string): ReadonlyArray<string> =>
  text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "")

const names = (flag: Flag.Flag<string>): Flag.Flag<ReadonlyArray<string> | undefined> =>
  flag.pipe(
    Flag.optional,
    Flag.map(Option.getOrUndefined),
    Flag.map((text) => (text === undefined ? undefined : words(text))),
  )

/** How records are written: flags of `list` and `get`. */
export const formFlags = {
  ndjson: toggle("ndjson", "Print one JSON record a line, as soon as it is read"),
  jsonFields: names(Flag.String("json-fields").pipe(Flag.withHidden)),
} as const

export const queryFlags = {
  where: Flag.String("where").pipe(
    Flag.withMetavar("TEST"),
    Flag.withDescription(
      "Select records, such as status=active, city!=Athens, title~sea, updated_at>=2026-03. Repeat to combine conditions. Reads all pages",
    ),
    Flag.atLeast(0),
  ),
  sort: Flag.String("sort").pipe(
    Flag.withMetavar("A,-B"),
    Flag.withDescription("Sort by these columns; a minus before a name means descending. Reads all pages"),
    Flag.optional,
    Flag.map(Option.getOrUndefined),
  ),
  limit: wholeNumber("limit", "Show at most N records; reads as many pages as needed"),
  all: toggle("all", "Read all pages, not only the first"),
  pageSize: wholeNumber(
    "page-size",
    `Records a page; default: that of the service for one page, else ${defaultPageSize}`,
  ),
  columns: names(
    Flag.String("columns").pipe(
      Flag.withMetavar("A,B"),
      Flag.withDescription("Columns, in this order, such as id,status,city (for JSON: --json=A,B)"),
    ),
  ),
  ...formFlags,
  ...mirrorFlags,
} as const

export type QueryFlags = Command.Command.Config.Infer<typeof queryFlags>

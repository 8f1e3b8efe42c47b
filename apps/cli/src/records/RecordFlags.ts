/** The flags of the commands `list` and `get`. What a list's flags mean is said in `RecordQuery`. */
import * as Option from "effect/Option"
import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { toggle, wholeNumber } from "../command/SharedFlags.ts"

/** Records a page when all pages are wanted. */
export const limitOfAll = 100

/** The words of a list with commas. */
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
  ndjson: toggle("ndjson", "Print one JSON document a line, a record each, as soon as it is read"),
  jsonFields: names(Flag.String("json-fields").pipe(Flag.withHidden)),
} as const

export const queryFlags = {
  where: Flag.String("where").pipe(
    Flag.withMetavar("TEST"),
    Flag.withDescription(
      "Only records that pass, such as status=active, city!=Athens, title~sea, updated_at>=2026-03; several times: all of them. Reads all pages",
    ),
    Flag.atLeast(0),
  ),
  sort: Flag.String("sort").pipe(
    Flag.withMetavar("A,-B"),
    Flag.withDescription("Order by these columns; with a minus, descending. Reads all pages"),
    Flag.optional,
    Flag.map(Option.getOrUndefined),
  ),
  max: wholeNumber("max", "Show at most so many records, and read no more pages than that takes"),
  all: toggle("all", "Read all pages, not only the first"),
  limit: wholeNumber("limit", `Records a page; default: what the service gives, for all pages ${limitOfAll}`),
  columns: names(
    Flag.String("columns").pipe(
      Flag.withMetavar("A,B"),
      Flag.withDescription(
        "Only these columns, in this order, such as id,status,city (with JSON: --json=A,B)",
      ),
    ),
  ),
  ...formFlags,
} as const

export type QueryFlags = Command.Command.Config.Infer<typeof queryFlags>

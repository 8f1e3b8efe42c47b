/**
 * What the command `list` of a kind of records does: the first page, or all that a query asks for, as a table, as one JSON document or as one a line.
 * Says on standard error whether there is more.
 */
import type { Cursor, RejectedRecord } from "@deedkit/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as ClosingLine from "../terminal/ClosingLine.ts"
import { count } from "../terminal/Figures.ts"
import type { QueryFlags } from "./RecordFlags.ts"
import * as RecordJson from "./RecordJson.ts"
import type { RecordKind } from "./RecordKind.ts"
import * as RecordQuery from "./RecordQuery.ts"
import type { Query } from "./RecordQuery.ts"
import * as RecordTable from "./RecordTable.ts"
import type { ReadList } from "./RecordReader.ts"
import { reading } from "./RecordReader.ts"
import { root } from "../command/Root.ts"
import * as Session from "../session/Session.ts"
import { SetAside } from "../failure/SetAside.ts"
import type { Failure, Needs } from "../command/Subcommand.ts"
import * as UnmatchedValue from "./UnmatchedValue.ts"

/** A list as one JSON document. */
interface ListDocument {
  readonly items: ReadonlyArray<unknown>
  /** Records that are not as specified: which, and why. */
  readonly rejected: ReadonlyArray<Pick<RejectedRecord, "id" | "issues">>
  readonly where: ReadonlyArray<string>
  readonly sort: ReadonlyArray<string>
  /** Conditions whose value no record has, and the values that there are. */
  readonly unmatched: ReadonlyArray<UnmatchedValue.Unmatched>
  /** Records that were read to find the items. */
  readonly read: number
  readonly pages: number
  /** The cursor of the page after the last one that was read. */
  readonly next: Cursor.Cursor | null
  /** Whether the items are everything that was asked for: the service said that there is no further page, and `--max` left nothing out. */
  readonly complete: boolean
}

const documentOf = <A>(
  items: ReadonlyArray<unknown>,
  { filter, sort }: Query<A>,
  { rejected, isComplete, last, read }: ReadList<A>,
  unmatched: ListDocument["unmatched"],
): ListDocument => ({
  items,
  rejected: rejected.map(({ id, issues }) => ({ id, issues })),
  where: filter.texts,
  sort: sort?.texts ?? [],
  unmatched,
  read,
  pages: last?.summary.pages ?? 0,
  next: last?.next ?? null,
  complete: isComplete,
})

/** What ends a command that had to leave out records. */
export const leftOut = (rejected: ReadonlyArray<RejectedRecord>): SetAside =>
  new SetAside({
    records: rejected.length,
    withoutData: 0,
    path: null,
    problems: rejected.flatMap(({ id, issues }) =>
      issues.map(
        ({ expected, found, path }) =>
          `${path === "" ? "the record" : path} of ${id === null ? "one" : id} should be ${expected} and is ${found}`,
      ),
    ),
  })

/** What the query found, in words; null when the list speaks for itself. */
const outcome = <A extends { readonly id: number }>(
  { many }: RecordKind<A>,
  { filter, readings }: Query<A>,
  { given, isCut, last }: ReadList<A>,
): string | null => {
  if (last === null) return null
  if (isCut)
    return `The first ${count(given, "record", "records")}, and there are more: --max takes another number.`
  if (readings) {
    const all = `${ClosingLine.reading(last.summary)}.`
    if (filter.texts.length === 0) return all
    return `${given === 0 ? "None" : count(given, "", "").trim()} of ${all}`
  }
  return last.next === null
    ? null
    : `There are more ${many}: this is the first page. --all shows all of them.`
}

/** Fetches and shows. */
export const show = <A extends { readonly id: number }>(
  kind: RecordKind<A>,
  choices: QueryFlags,
): Effect.Effect<void, Failure, Needs> =>
  Effect.gen(function* () {
    const flags = yield* root
    yield* RecordQuery.checkForm(flags.json, choices.ndjson)
    const table = kind.tableAt(yield* Clock.currentTimeMillis)
    const query = yield* RecordQuery.resolve(table, choices)
    const { client, note, terminal } = yield* Session.open(flags, query.readings ? "export" : "interactive")
    const missing = query.sort !== null ? "sort" : query.filter.texts.length > 0 ? "filter" : null
    // Without an order, enough records end the reading earlier.
    if (missing !== null && !choices.all && (query.sort !== null || query.max === Infinity)) {
      note(`All pages are read, because the service does not ${missing}.`, "dim")
    }
    const shape = RecordJson.shaped(table, query.columns)
    const found: Array<A> = []
    const watch = UnmatchedValue.watch(table, query.filter)
    const watched = { ...query, filter: UnmatchedValue.watched(query.filter, watch) }
    const readList = yield* reading(kind.records(client), watched, (records) => {
      if (choices.ndjson) {
        return records.length === 0
          ? Effect.void
          : terminal.json(RecordJson.lines(records.map(shape), client.redact))
      }
      return Effect.sync(() => void found.push(...records))
    })
    terminal.live(null)

    const unmatched = watch.unmatched()
    if (flags.json) {
      const document = documentOf(found.map(shape), query, readList, unmatched)
      yield* terminal.json(RecordJson.text(document, client.redact, 2))
    } else if (!choices.ndjson) {
      const { style, width } = terminal
      const options = { width, style, redact: client.redact }
      yield* terminal.dressed(RecordTable.lines(kind, found, options, query.columns ?? undefined))
    }
    for (const each of unmatched)
      note(UnmatchedValue.sentence(each, `No ${kind.one}`, client.redact), "yellow")
    const words = outcome(kind, query, readList)
    if (words !== null) note(words)
    if (readList.rejected.length > 0) return yield* leftOut(readList.rejected)
  }).pipe(Effect.scoped)

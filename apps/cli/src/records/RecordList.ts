/**
 * The command `list` of a kind of records: the first page, or all records of a query, as a table, one JSON document or one document a line.
 * Reports on standard error whether there are more.
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
import type { CommandError, Needs } from "../command/Subcommand.ts"
import * as UnmatchedValue from "./UnmatchedValue.ts"
import { Failure } from "../failure/Failure.ts"

/** A list as one JSON document. */
interface ListDocument {
  readonly items: ReadonlyArray<unknown>
  /** Records that are not as specified: which, and why. */
  readonly rejected: ReadonlyArray<Pick<RejectedRecord, "id" | "issues">>
  readonly where: ReadonlyArray<string>
  readonly sort: ReadonlyArray<string>
  /** Conditions whose value no record has, and the existing values. */
  readonly unmatched: ReadonlyArray<UnmatchedValue.Unmatched>
  /** Records that were read to find the items. */
  readonly read: number
  readonly pages: number
  /** The cursor of the page after the last one that was read. */
  readonly next: Cursor.Cursor | null
  /** Whether the items are everything that was asked for: the last page was read, and `--limit` omitted nothing. */
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

/** The failure of a command that rejected records. */
export const rejectedFailure = (rejected: ReadonlyArray<RejectedRecord>): Failure =>
  new Failure({
    reason: {
      _tag: "NotComplete",
      records: rejected.length,
      withoutData: 0,
      path: null,
      problems: rejected.flatMap(({ id, issues }) =>
        issues.map(
          ({ expected, found, path }) =>
            `${path === "" ? "the record" : path} of ${id === null ? "one" : id} should be ${expected} and is ${found}`,
        ),
      ),
    },
  })

/** The closing message; null where the list needs none. */
const outcome = <A extends { readonly id: number }>(
  { many }: RecordKind<A>,
  { filter, readsAll }: Query<A>,
  { given, isCut, last }: ReadList<A>,
): string | null => {
  if (last === null) return null
  if (isCut) return `The first ${count(given, "record", "records")}. There are more: use a higher --limit.`
  if (readsAll) {
    const all = `${ClosingLine.reading(last.summary)}.`
    if (filter.texts.length === 0) return all
    return `${given === 0 ? "None" : count(given, "", "").trim()} of ${all}`
  }
  return last.next === null ? null : `First page only. Use --all to list all ${many}.`
}

/** Reads and prints. */
export const show = <A extends { readonly id: number }>(
  kind: RecordKind<A>,
  choices: QueryFlags,
): Effect.Effect<void, CommandError, Needs> =>
  Effect.gen(function* () {
    const flags = yield* root
    yield* RecordQuery.checkForm(flags.json, choices.ndjson)
    const table = kind.tableAt(yield* Clock.currentTimeMillis)
    const query = yield* RecordQuery.resolve(table, choices)
    const { client, note, terminal } = yield* Session.open(flags, query.readsAll ? "patient" : "interactive")
    const missing = query.sort !== null ? "sort" : query.filter.texts.length > 0 ? "filter" : null
    // Without an order, reading ends when there are enough records.
    if (missing !== null && !choices.all && (query.sort !== null || query.limit === Infinity)) {
      note(`Reading all pages, because the service does not ${missing}.`, "dim")
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
    if (readList.rejected.length > 0) return yield* rejectedFailure(readList.rejected)
  }).pipe(Effect.scoped)

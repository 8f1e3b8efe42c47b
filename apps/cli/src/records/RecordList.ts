/**
 * The command `list` of a kind of records: the first page, or all records of a query, as a table, one JSON document or one document per line. Reports
 * on standard error whether there are more.
 *
 * Records are passed on as soon as possible: after the last page if there is a sort order, otherwise after every page.
 */
import { Json } from "@deedkit/core"
import type { ClientError, Page, RejectedRecord } from "@deedkit/core"
import type { Cell, Table } from "@deedkit/export"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { root } from "../command/SharedFlags.ts"
import type { SharedFlags } from "../command/SharedFlags.ts"
import type { CommandError, Needs } from "../command/Subcommand.ts"
import { Failure } from "../failure/Failure.ts"
import type { SourceList, SourceSession, StoredList } from "../session/RecordSource.ts"
import * as Session from "../session/Session.ts"
import * as MirrorFlags from "../sync/MirrorFlags.ts"
import * as ClosingLine from "../terminal/ClosingLine.ts"
import { count, figure } from "../terminal/Figures.ts"
import { write } from "../terminal/Terminal.ts"
import type { RecordKind } from "./RecordKind.ts"
import type { Query, QueryFlags } from "./RecordQuery.ts"
import * as RecordQuery from "./RecordQuery.ts"
import * as RecordText from "./RecordText.ts"
import * as UnmatchedValue from "./UnmatchedValue.ts"

interface ReadList<A> {
  /** Number of records passed on. */
  readonly given: number
  /** Number of records on the pages that were read, matching or not. */
  readonly read: number
  readonly rejected: ReadonlyArray<RejectedRecord>
  readonly last: Page<A> | null
  /** Whether the limit omitted matching records, or may have. */
  readonly isCut: boolean
  /** Whether every record of the query was passed on. */
  readonly isComplete: boolean
}

/** Reads the list and passes on the matching records in order. */
export const reading = <A extends { readonly id: number }, E>(
  records: SourceList<A>,
  { filter, limit, pageSize, readsAll, sort }: Query<A>,
  give: (records: ReadonlyArray<A>) => Effect.Effect<void, E>,
): Effect.Effect<ReadList<A>, ClientError.ClientError | Failure | E> =>
  Effect.suspend(() => {
    const kept: Array<A> = []
    const rejected: Array<RejectedRecord> = []
    let given = 0
    let read = 0
    let isCut = false
    let last: Page<A> | null = null

    const onPage = (page: Page<A>): Effect.Effect<boolean, E> => {
      last = page
      read += page.records.length
      for (const record of page.rejected) rejected.push(record)
      const wanted = page.records.filter(filter.keeps)
      if (sort !== null) {
        for (const record of wanted) kept.push(record)
        return Effect.succeed(true)
      }
      const now = wanted.slice(0, limit - given)
      given += now.length
      isCut = now.length < wanted.length || (given >= limit && page.next !== null)
      return Effect.as(give(now), readsAll && !isCut)
    }
    const giveSorted = Effect.suspend(() => {
      if (sort === null) return Effect.void
      const now = sort.order(kept).slice(0, limit)
      given = now.length
      isCut = given < kept.length
      return give(now)
    })
    // If the first page or a few records are enough, reading ahead would be one request too many.
    const readAhead = readsAll && limit === Infinity ? 1 : 0
    return records.pages({ limit: pageSize, onRejected: "collect", readAhead }).pipe(
      Stream.mapEffect(onPage),
      Stream.takeWhile((continues) => continues),
      Stream.runDrain,
      Effect.andThen(giveSorted),
      Effect.map(() => ({
        given,
        read,
        rejected,
        last,
        isCut,
        isComplete: !isCut && (last?.summary.complete ?? false),
      })),
    )
  })

/** The service, or the mirror of `--from`. Nothing is sent yet. */
export const open = Effect.fnUntraced(function* <A extends { readonly id: number }>(
  { name }: RecordKind<A>,
  flags: SharedFlags,
  choices: Pick<QueryFlags, "account" | "asOf" | "from" | "pageSize">,
  moment: MirrorFlags.Moment,
  preset: "patient" | "interactive",
): Effect.fn.Return<SourceSession, CommandError, Needs | Scope.Scope> {
  const { from, pageSize } = choices
  if (from === undefined) return yield* Session.open(flags, preset)
  const MirrorSource = yield* Effect.promise(() => import("../sync/MirrorSource.ts"))
  yield* MirrorSource.refuse(flags, { "--page-size": pageSize !== undefined })
  return yield* MirrorSource.open(flags, { ...choices, from }, moment, [name])
})

/** The mirror's read that the items come from, and why it is not known to be complete; null if the service was read. */
const storedDocument = <A>(
  { mirror }: SourceSession,
  stored: StoredList | undefined,
  { last }: ReadList<A>,
) => {
  if (mirror === undefined || stored === undefined || last === null) return null
  const { account, asOf } = mirror
  const { completeness, endedAt, startedAt } = last.summary
  const { reason, state } = completeness
  const { problems, run } = stored
  return { account, asOf, run, startedAt, endedAt, completeness: state, reason, problems }
}

/** A list as one JSON document. */
const documentOf = <A>(
  items: ReadonlyArray<unknown>,
  { filter, sort }: Query<A>,
  { rejected, isComplete, last, read }: ReadList<A>,
  unmatched: ReadonlyArray<UnmatchedValue.Unmatched>,
  mirror: ReturnType<typeof storedDocument>,
) => ({
  items,
  rejected: rejected.map(({ id, issues }) => ({ id, issues })),
  where: filter.texts,
  sort: sort?.texts ?? [],
  /** Conditions whose value no record has, and the existing values. */
  unmatched,
  /** Records that were read to find the items. */
  read,
  pages: last?.summary.pages ?? 0,
  /** The cursor of the page after the last one that was read. */
  next: last?.next ?? null,
  /** Whether the items are everything that was requested: the last page was read, and `--limit` omitted nothing. */
  complete: isComplete && (mirror === null || mirror.problems.length === 0),
  ...(mirror === null ? {} : { mirror }),
})

/** Each problem once, because records without a readable id can have the same problem. */
const problemsOf = (rejected: ReadonlyArray<RejectedRecord>): ReadonlyArray<string> => {
  const counts = new Map<string, number>()
  for (const { id, issues } of rejected) {
    for (const { expected, found, path } of issues) {
      const of = id === null ? "a record without an id" : id
      const problem = `${path === "" ? "the record" : path} of ${of} should be ${expected} and is ${found}`
      counts.set(problem, (counts.get(problem) ?? 0) + 1)
    }
  }
  return Array.from(counts, ([problem, times]) => (times === 1 ? problem : `${problem} (${times} times)`))
}

export const rejectedFailure = (
  rejected: ReadonlyArray<RejectedRecord>,
  reasons: ReadonlyArray<string> = [],
): Failure =>
  new Failure({
    reason: {
      _tag: "NotComplete",
      records: rejected.length,
      withoutData: 0,
      path: null,
      reasons,
      problems: problemsOf(rejected),
    },
  })

/** The closing message; null if the list needs none. */
export const outcome = <A extends { readonly id: number }>(
  { many }: RecordKind<A>,
  { filter, readsAll }: Query<A>,
  { given, isCut, last }: ReadList<A>,
  stored: StoredList | undefined,
  isLogged: boolean,
): string | null => {
  if (last === null) return null
  if (isCut) return `The first ${count(given, "record", "records")}. There are more: use a higher --limit.`
  if (readsAll) {
    const all = `${stored?.line ?? ClosingLine.reading(last.summary, { isLogged })}.`
    if (filter.texts.length === 0) return all
    return `${given === 0 ? "None" : figure(given)} of ${all}`
  }
  return last.next === null ? null : `First page only. Use --all to list all ${many}.`
}

/** The list as CSV or TSV on standard output, as in a file of an export; null for other forms. */
const linesIn = Effect.fnUntraced(function* <A>(
  form: NonNullable<QueryFlags["format"]>,
  table: Table.Table<A>,
  { client, terminal }: SourceSession,
) {
  if (form !== "csv" && form !== "tsv") return null
  const { writer } = yield* Effect.promise(() => import("@deedkit/export-csv"))
  const redacted = (value: Cell.CellValue): Cell.CellValue => Json.mapTexts(value, client.redact)
  const columns = table.columns.map((column) => ({
    ...column,
    get: (record: A) => redacted(column.get(record)),
  }))
  const file = yield* writer({ flavour: form === "tsv" ? "tsv" : "rfc4180" }).open({
    write: (chunk) => write(terminal.bytes, chunk),
  })
  return yield* file.sheet({ ...table, columns })
})

export const show = <A extends { readonly id: number }>(
  kind: RecordKind<A>,
  choices: QueryFlags,
): Effect.Effect<void, CommandError, Needs> =>
  Effect.gen(function* () {
    const flags = yield* root
    const form = yield* RecordQuery.formOf(flags.json, choices)
    const moment = yield* MirrorFlags.momentOf(choices)
    const table = kind.tableAt(moment.nowMillis)
    const query = yield* RecordQuery.resolve(table, choices, moment.nowMillis)
    const session = yield* open(kind, flags, choices, moment, query.readsAll ? "patient" : "interactive")
    const { client, note, terminal } = session
    const list = kind.list(client)
    const { stored } = list
    const missing = query.sort !== null ? "sort" : query.filter.texts.length > 0 ? "filter" : null
    // Without a sort order, reading ends as soon as there are enough records.
    if (
      stored === undefined &&
      missing !== null &&
      !choices.all &&
      (query.sort !== null || query.limit === Infinity)
    ) {
      note(`Reading all pages, because the service does not ${missing}.`, "dim")
    }
    const shape = RecordText.shaped(table, query.columns)
    const found: Array<A> = []
    const lines = yield* linesIn(form, { ...table, columns: query.columns ?? table.columns }, session)
    const watched = UnmatchedValue.watch(table, query.filter)
    const readList = yield* reading(list, { ...query, filter: watched.filter }, (records) => {
      if (lines !== null) return lines.add(records)
      if (form === "ndjson") {
        return records.length === 0
          ? Effect.void
          : terminal.json(RecordText.jsonLines(records.map(shape), client.redact))
      }
      return Effect.sync(() => {
        for (const record of records) found.push(record)
      })
    })
    terminal.live(null)

    const unmatched = watched.unmatched()
    if (lines !== null) yield* lines.end
    if (form === "json") {
      const mirror = storedDocument(session, stored, readList)
      const document = documentOf(found.map(shape), query, readList, unmatched, mirror)
      yield* terminal.json(RecordText.json(document, client.redact, 2))
    } else if (form === "table") {
      const { isFile, style, width } = terminal
      if (isFile) note("A table was written. For another program, add --format csv, --json or --ndjson.")
      const options = { width, style, redact: client.redact }
      yield* terminal.dressed(RecordText.tableLines(kind, found, options, query.columns ?? undefined))
    }
    for (const each of unmatched)
      note(UnmatchedValue.sentence(each, `No ${kind.one}`, client.redact), "yellow")
    const words = outcome(kind, query, readList, stored, terminal.isLogged)
    if (words !== null) note(words)
    // The age and completeness of a mirror are reported with each part of it.
    if (stored !== undefined && words?.includes(stored.line) !== true) note(`${stored.line}.`)
    const problems = stored?.problems ?? []
    if (readList.rejected.length + problems.length > 0)
      return yield* rejectedFailure(readList.rejected, problems)
    if (choices.failOnEmpty && readList.given === 0)
      return yield* new Failure({ reason: { _tag: "NothingFound" } })
  }).pipe(Effect.scoped)

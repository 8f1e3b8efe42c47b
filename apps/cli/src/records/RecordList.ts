/**
 * The command `list` of a kind of records: the first page, or all records of a query, as a table, one JSON document or one document per line. Reports
 * on standard error whether there are more.
 */
import type { Cursor, RejectedRecord } from "@deedkit/core"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
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
import type { SharedFlags } from "../command/SharedFlags.ts"
import type { CommandError, Needs } from "../command/Subcommand.ts"
import * as UnmatchedValue from "./UnmatchedValue.ts"
import { Failure } from "../failure/Failure.ts"
import type { SourceSession, StoredList } from "../session/RecordSource.ts"
import * as MirrorFlags from "../sync/MirrorFlags.ts"

/** A list as one JSON document. */
interface ListDocument {
  readonly items: ReadonlyArray<unknown>
  /** Records that do not match the specification, and why. */
  readonly rejected: ReadonlyArray<Pick<RejectedRecord, "id" | "issues">>
  readonly where: ReadonlyArray<string>
  readonly sort: ReadonlyArray<string>
  /** Conditions whose value no record has, and the existing values. */
  readonly unmatched: ReadonlyArray<UnmatchedValue.Unmatched>
  /** Records that were read to find the items. */
  readonly read: number
  readonly pages: number
  /** The cursor of the page after the last one that was read. */
  readonly next: Cursor | null
  /** Whether the items are everything that was requested: the last page was read, and `--limit` omitted nothing. */
  readonly complete: boolean
  /** The mirror's read that the items come from, and why it is not known to be complete. Absent if the service was read. */
  readonly mirror?: StoredDocument
}

interface StoredDocument {
  readonly account: string
  readonly asOf: string | null
  readonly run: number
  readonly startedAt: string
  readonly endedAt: string
  readonly completeness: string
  readonly reason: string
  readonly problems: ReadonlyArray<string>
}

const documentOf = <A>(
  items: ReadonlyArray<unknown>,
  { filter, sort }: Query<A>,
  { rejected, isComplete, last, read }: ReadList<A>,
  unmatched: ListDocument["unmatched"],
  mirror: StoredDocument | null,
): ListDocument => ({
  items,
  rejected: rejected.map(({ id, issues }) => ({ id, issues })),
  where: filter.texts,
  sort: sort?.texts ?? [],
  unmatched,
  read,
  pages: last?.summary.pages ?? 0,
  next: last?.next ?? null,
  complete: isComplete && (mirror === null || mirror.problems.length === 0),
  ...(mirror === null ? {} : { mirror }),
})

/** The service, or the mirror of `--from`. Nothing is sent yet. */
const open = <A extends { readonly id: number }>(
  { name }: RecordKind<A>,
  flags: SharedFlags,
  choices: QueryFlags,
  moment: MirrorFlags.Moment,
  preset: "patient" | "interactive",
): Effect.Effect<SourceSession, CommandError, Needs | Scope.Scope> =>
  Effect.gen(function* () {
    const { from, pageSize } = choices
    if (from === undefined) return yield* Session.open(flags, preset)
    const MirrorSource = yield* Effect.promise(() => import("../sync/MirrorSource.ts"))
    yield* MirrorSource.refuse(flags, { "--page-size": pageSize !== undefined })
    return yield* MirrorSource.open(flags, { ...choices, from }, moment, [name])
  })

const storedDocument = <A>(
  { mirror }: SourceSession,
  stored: StoredList | undefined,
  { last }: ReadList<A>,
): StoredDocument | null => {
  if (mirror === undefined || stored === undefined || last === null) return null
  const { account, asOf } = mirror
  const { completeness, endedAt, startedAt } = last.summary
  const { reason, state } = completeness
  const { problems, run } = stored
  return { account, asOf, run, startedAt, endedAt, completeness: state, reason, problems }
}

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

/** The failure of a command that rejected records. */
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
const outcome = <A extends { readonly id: number }>(
  { many }: RecordKind<A>,
  { filter, readsAll }: Query<A>,
  { given, isCut, last }: ReadList<A>,
  stored: StoredList | undefined,
): string | null => {
  if (last === null) return null
  if (isCut) return `The first ${count(given, "record", "records")}. There are more: use a higher --limit.`
  if (readsAll) {
    const all = `${stored?.line ?? ClosingLine.reading(last.summary)}.`
    if (filter.texts.length === 0) return all
    return `${given === 0 ? "None" : count(given, "", "").trim()} of ${all}`
  }
  return last.next === null ? null : `First page only. Use --all to list all ${many}.`
}

/** Reads the records and prints them. */
export const show = <A extends { readonly id: number }>(
  kind: RecordKind<A>,
  choices: QueryFlags,
): Effect.Effect<void, CommandError, Needs> =>
  Effect.gen(function* () {
    const flags = yield* root
    yield* RecordQuery.checkForm(flags.json, choices.ndjson)
    const moment = yield* MirrorFlags.momentOf(choices)
    const table = kind.tableAt(moment.nowMillis)
    const query = yield* RecordQuery.resolve(table, choices)
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
    const shape = RecordJson.shaped(table, query.columns)
    const found: Array<A> = []
    const watch = UnmatchedValue.watch(table, query.filter)
    const watched = { ...query, filter: UnmatchedValue.watched(query.filter, watch) }
    const readList = yield* reading(list, watched, (records) => {
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
      const mirror = storedDocument(session, stored, readList)
      const document = documentOf(found.map(shape), query, readList, unmatched, mirror)
      yield* terminal.json(RecordJson.text(document, client.redact, 2))
    } else if (!choices.ndjson) {
      const { style, width } = terminal
      const options = { width, style, redact: client.redact }
      yield* terminal.dressed(RecordTable.lines(kind, found, options, query.columns ?? undefined))
    }
    for (const each of unmatched)
      note(UnmatchedValue.sentence(each, `No ${kind.one}`, client.redact), "yellow")
    const words = outcome(kind, query, readList, stored)
    if (words !== null) note(words)
    // The age and completeness of a mirror are reported with each part of it.
    if (stored !== undefined && words?.includes(stored.line) !== true) note(`${stored.line}.`)
    const problems = stored?.problems ?? []
    if (readList.rejected.length + problems.length > 0)
      return yield* rejectedFailure(readList.rejected, problems)
  }).pipe(Effect.scoped)

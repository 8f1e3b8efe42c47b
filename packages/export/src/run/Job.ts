/**
 * One table of a run and the list that fills it. It takes pages, and sends rows to every output, and records that are not as specified to the
 * rejected records.
 */
import type { Page, ReadSummary } from "@deedkit/core"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { ExportError } from "../error/ExportError.ts"
import type { StoredRead } from "../proof/Manifest.ts"
import type { Count, Grouping } from "../table/Overview.ts"
import { Overview } from "../table/Overview.ts"
import type { Table } from "../table/Table.ts"
import type { Completion, ReadingOptions, SourceOptions, SourcePage } from "../Source.ts"
import { pagesOf } from "../Source.ts"
import type { Sheet } from "../write/TableWriter.ts"
import type { Undocumented } from "../write/UndocumentedMembers.ts"
import { UndocumentedMembers } from "../write/UndocumentedMembers.ts"
import type { RejectedRecords } from "./RejectedRecords.ts"

export interface JobSpec<A, E, R> {
  /** The columns as chosen, in their order. */
  readonly table: Table<A>
  /** The read, with records that are not as specified collected on their pages. */
  readonly pages: (options: ReadingOptions) => Stream.Stream<Page<A>, E, R>
  /** Which records go into the table. Default: all. */
  readonly filter?: RecordFilter<A> | undefined
  /** Requests more for the records of a page, such as their data payload. */
  readonly completePage?: ((records: ReadonlyArray<A>) => Effect.Effect<Completion<A>, E, R>) | undefined
  /** Sees the records of each page that go into the table, in their order. Must not throw. */
  readonly collect?: ((records: ReadonlyArray<A>) => void) | undefined
  /** The read that the pages are from, if a mirror holds them. Default: the service is read. */
  readonly stored?: StoredRead | undefined
  /** How the summary counts the records. */
  readonly groupings?: ReadonlyArray<Grouping<A>> | undefined
}

export interface RecordFilter<in A> {
  readonly keeps: (record: A) => boolean
  /** The conditions as given, for display. */
  readonly texts: ReadonlyArray<string>
}

/** What a job gets from its run. */
interface JobContext extends Pick<
  SourceOptions<never, never, never>,
  "file" | "newValues" | "prove" | "table"
> {
  readonly target: string
  readonly begin: <A>(
    table: Table<A>,
  ) => Effect.Effect<ReadonlyArray<Sheet<A, ExportError>>, ExportError, Scope.Scope>
  readonly rejected: RejectedRecords
  /** Removes secrets from names that come from the service. */
  readonly redact: ((text: string) => string) | undefined
  /** Whether the summary is wanted. */
  readonly counts: boolean
  /** Saves the long texts of a page to their sidecar. */
  readonly afterPage: Effect.Effect<void, ExportError, Scope.Scope>
}

export interface JobResult {
  readonly rows: number
  readonly reading: ReadSummary
  readonly counts: ReadonlyArray<Count>
}

/** The progress of the read, and where its records are from. */
interface JobProgress {
  readonly rows: number
  /** Number of records for which no more is available, because the service no longer knew them. Null if no more was requested. */
  readonly withoutData: number | null
  readonly rejected: number
  readonly undocumented: Undocumented
  readonly reading: ReadSummary | null
  readonly origin: string | null
  readonly keyFingerprint: string | null
}

/** A job, with the type of its records hidden. */
export interface Job<out E, out R> {
  readonly table: { readonly name: string; readonly title: string; readonly columns: ReadonlyArray<string> }
  readonly filters: ReadonlyArray<string>
  readonly stored: StoredRead | null
  readonly progress: () => JobProgress
  readonly run: (context: JobContext) => Effect.Effect<JobResult, E | ExportError, R | Scope.Scope>
}

/** Makes a job of a table and its read. It can be run once. */
export const job = <A, E, R>(spec: JobSpec<A, E, R>): Job<E, R> => {
  const { collect, completePage, filter, groupings = [], pages, stored = null, table } = spec
  let rows = 0
  let withoutData = 0
  let rejectedHere = 0
  let members: UndocumentedMembers<A> | null = null
  let reading: ReadSummary | null = null
  let origin: string | null = null
  let keyFingerprint: string | null = null

  const run = ({ afterPage, begin, counts, redact, rejected, target, ...from }: JobContext) =>
    Effect.gen(function* () {
      const overview = new Overview(counts ? groupings : [])
      const undocumented = new UndocumentedMembers(table, redact)
      members = undocumented
      let seen = 0
      let sheets: ReadonlyArray<Sheet<A, ExportError>> | null = null
      // One generator function for all pages: a new one per page would keep its page in memory until a full garbage collection.
      const take = Effect.fnUntraced(function* (
        page: SourcePage<A>,
      ): Effect.gen.Return<void, E | ExportError, R | Scope.Scope> {
        const { records } = page
        seen += records.length + page.rejected.length
        yield* rejected.add(table.name, page.rejected, seen)
        withoutData += page.withoutData
        rejectedHere += page.rejected.length
        const wanted = filter === undefined ? records : records.filter(filter.keeps)
        overview.add(wanted)
        undocumented.see(wanted)
        collect?.(wanted)
        rows += wanted.length
        ;({ keyFingerprint, origin, summary: reading } = page.checkpoint)
        sheets ??= yield* begin(table)
        for (const sheet of sheets) yield* sheet.add(wanted)
        yield* afterPage
      })
      yield* Stream.runForEach(pagesOf({ ...from, read: pages, completePage }), take)
      const last = yield* whole(target, reading)
      for (const sheet of sheets ?? (yield* begin(table))) yield* sheet.end
      return { rows, reading: last, counts: overview.counts() }
    })

  return {
    table: {
      name: table.name,
      title: table.title,
      columns: table.columns.map((column) => column.name),
    },
    filters: filter?.texts ?? [],
    stored,
    progress: () => ({
      rows,
      withoutData: completePage === undefined ? null : withoutData,
      rejected: rejectedHere,
      undocumented: members?.summary() ?? { included: [], excluded: [] },
      reading,
      origin,
      keyFingerprint,
    }),
    run,
  }
}

const whole = (target: string, reading: ReadSummary | null): Effect.Effect<ReadSummary, ExportError> =>
  reading !== null && reading.complete
    ? Effect.succeed(reading)
    : Effect.fail(
        new ExportError({
          reason: {
            _tag: "ReadIncomplete",
            target,
            pages: reading?.pages ?? 0,
            records: reading?.records ?? 0,
          },
        }),
      )

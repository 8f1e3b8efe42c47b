/**
 * Where the pages of a table come from: first those that an earlier run has saved in its record file, then those of the read, each saved before it is
 * passed on. Whoever takes them does not know which it gets.
 */
import type { Checkpoint, Page, RejectedRecord } from "@deedkit/core"
import { Json } from "@deedkit/core"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { ExportError } from "./error/ExportError.ts"
import { fileFailure } from "./file/fileFailure.ts"
import type { RecordFile, SavedPage, SavedPages } from "./RecordFile.ts"

/** The options of a read, as a client's `pages` takes them. */
export interface ReadingOptions {
  /** Whether each page brings the service's answer. */
  readonly record: boolean
  readonly prove: boolean
  /** Where the read continues, and the ids of the records that were read before, rejected ones included. Default: it begins. */
  readonly from?: Checkpoint | undefined
  readonly known?: Iterable<number> | undefined
}

export interface Completion<A> {
  /** In the page's order. A record for which no more is available is unchanged from the page. */
  readonly records: ReadonlyArray<A>
  /** Records of the page for which the service's answer is not as specified. */
  readonly rejected: ReadonlyArray<RejectedRecord>
  /** How many of `records` the service no longer knew when more was requested. */
  readonly withoutData: number
}

/** A page of a source: its records, each id once, and what is known of the list with it. */
export interface SourcePage<A> extends Completion<A> {
  readonly checkpoint: Checkpoint
}

export interface SourceOptions<A, E, R> {
  /** The read, with records that are not as specified collected on their pages. */
  readonly read: (options: ReadingOptions) => Stream.Stream<Page<A>, E, R>
  /** Requests more for the records of a page. Default: nothing more is requested. */
  readonly completePage?: ((records: ReadonlyArray<A>) => Effect.Effect<Completion<A>, E, R>) | undefined
  readonly prove: boolean
  /** Null where pages are not saved. */
  readonly file: RecordFile | null
  /** The table's place in the run. */
  readonly table: number
  /** Members and values that the specification does not name, and that were not noted before. */
  readonly newValues: () => ReadonlyArray<string>
}

/** Gives ids and forgets them, so that they are not held twice while the read lasts. */
function* handedOver(ids: Set<number>): Generator<number> {
  yield* ids
  ids.clear()
}

const idOf = (record: unknown): number => (record as { readonly id: number }).id

/** A page as it was, given the ids of the pages before it, rejected ones included, to which it adds its own. */
const restored = <A>({ body, note }: SavedPage, known: Set<number>): SourcePage<A> => {
  const { checkpoint, isAnswer, rejected, withoutData } = note
  const saved = Json.parse(body) as unknown as { readonly [Name in "items" | "records"]: ReadonlyArray<A> }
  const isNew = (record: A): boolean => known.size < known.add(idOf(record)).size
  const records = isAnswer ? saved.items.filter(isNew) : saved.records
  if (!isAnswer) for (const record of records) known.add(idOf(record))
  // The read rejects a record once, also where it comes again after the pause.
  for (const { id } of rejected) if (id !== null) known.add(id)
  return { records, rejected, withoutData, checkpoint }
}

const savedStream = <A, E, R>(
  { read, prove }: SourceOptions<A, E, R>,
  { last, pages, path }: SavedPages,
  known: Set<number>,
): Stream.Stream<SourcePage<A>, E | ExportError, R> => {
  // A read from the end of a list requests nothing. It is refused if the list is another one, or the key.
  const own = Stream.drain(read({ record: false, prove, from: { ...last, next: null } }))
  const saved = Stream.fromAsyncIterable(pages(), fileFailure("read", path))
  return Stream.concat(
    own,
    Stream.map(saved, (page) => restored<A>(page, known)),
  )
}

export const pagesOf = <A, E, R>(
  options: SourceOptions<A, E, R>,
): Stream.Stream<SourcePage<A>, E | ExportError, R> =>
  Stream.suspend(() => {
    const { completePage, file, newValues, prove, read, table } = options
    const save = (
      { checkpoint, recorded }: Page<A>,
      page: SourcePage<A>,
    ): Effect.Effect<void, ExportError> => {
      if (file === null || recorded === undefined) return Effect.void
      const { records, rejected, withoutData } = page
      const { body, wellEncoded } = recorded
      // An answer without records here can still hold some: the read leaves out what a second look at the head shows for the first time.
      const isAnswer =
        completePage === undefined && wellEncoded && checkpoint.summary.rejected === 0 && records.length > 0
      return file.append({
        body: isAnswer ? body : Json.stringify({ records }),
        note: { isAnswer, table, checkpoint, rejected, withoutData, newValues: newValues() },
      })
    }
    // One generator function for all pages: a new one per page would keep its page in memory until a full garbage collection.
    const take = Effect.fnUntraced(function* (
      page: Page<A>,
    ): Effect.fn.Return<SourcePage<A>, E | ExportError, R> {
      const { checkpoint, records, rejected } = page
      const more = completePage === undefined ? null : yield* completePage(records)
      const whole: SourcePage<A> = {
        records: more?.records ?? records,
        rejected: more === null ? rejected : [...rejected, ...more.rejected],
        withoutData: more?.withoutData ?? 0,
        checkpoint,
      }
      yield* save(page, whole)
      return whole
    })
    const begun = { record: file !== null, prove }
    const saved = file?.saved(table) ?? null
    if (saved === null) return Stream.mapEffect(read(begun), take)
    const known = new Set<number>()
    const rest = Stream.suspend(() => read({ ...begun, from: saved.last, known: handedOver(known) }))
    return Stream.concat(savedStream(options, saved, known), Stream.mapEffect(rest, take))
  })

/**
 * One export from its records to its bytes: pages are read, filtered, written and passed on, so that memory use does not grow with the table. It runs
 * in the page's worker and has access to neither the service nor the key.
 */
import type { ExportError, Manifest } from "@deedkit/export"
import { apiKeys, contracts, Fit, LongTexts, UndocumentedMembers } from "@deedkit/export"
import type { Table } from "@deedkit/export"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { BlobFile } from "./BlobFile.ts"
import * as Choice from "./Choice.ts"
import type { Copied, Done, ExportRequest, Progress } from "./ExportMessage.ts"
import * as Formats from "./Formats.ts"
import type { IndexReader } from "./IndexReader.ts"
import * as Limits from "./Limits.ts"
import * as Records from "./Records.ts"
import type { Findings } from "./Verdict.ts"

/** The rows exceed the limit for the clipboard. */
export class TooMuchToCopy extends Data.TaggedError("TooMuchToCopy")<{}> {}

/** The index could not be read. */
export class StorageFailed extends Data.TaggedError("StorageFailed")<{ readonly cause: unknown }> {}

export type JobError = ExportError.ExportError | TooMuchToCopy | StorageFailed

type Tell = (progress: Progress) => void

const storage = <A>(read: () => Promise<A>): Effect.Effect<A, StorageFailed> =>
  Effect.tryPromise({ try: read, catch: (cause) => new StorageFailed({ cause }) })

/** Reads page after page, each after the previous one was processed. */
const forEachPage = <A, E>(
  pages: AsyncIterable<A>,
  take: (page: A) => Effect.Effect<void, E>,
): Effect.Effect<void, E | StorageFailed> =>
  Effect.gen(function* () {
    const iterator = pages[Symbol.asyncIterator]()
    for (;;) {
      const next = yield* storage(() => iterator.next())
      if (next.done === true) return
      yield* take(next.value)
    }
  })

/** The ids of the matching records in order. */
const inOrder = <A>(
  { order, filter }: { readonly order: Choice.Order<A>; readonly filter: Choice.Choice<A>["filter"] },
  records: Records.Records<A>,
  tell: Tell,
): Effect.Effect<ReadonlyArray<number>, StorageFailed> =>
  Effect.gen(function* () {
    const places: Array<Choice.Place> = []
    const { expected } = records
    let read = 0
    yield* forEachPage(records.pages(), (page) =>
      Effect.sync(() => {
        for (const record of page) if (filter.keeps(record)) places.push(order.placeOf(record))
        read += page.length
        tell({ _tag: "Progress", step: "ordering", read, expected, rows: 0, bytes: 0 })
      }),
    )
    return order.sort.order(places).map(({ id }) => id)
  })

const manifestOf = (
  request: ExportRequest,
  { columns, name, title }: Table.Table<never>,
  { evidence, reading, reasons, verdict }: Findings,
  made: Pick<Manifest.Manifest, "startedAt" | "endedAt" | "files" | "longTexts" | "textsChanged"> &
    Pick<Manifest.ManifestTable, "filters" | "rows" | "undocumented">,
): Manifest.Manifest => {
  const { filters, rows, undocumented, ...files } = made
  const columnNames = columns.map((column) => column.name)
  return {
    version: 1,
    verdict,
    reasons,
    evidence,
    madeBy: request.madeBy,
    // The index does not record which key filled it, and the key's holder was not requested.
    account: { profile: request.profile, keyFingerprint: null, me: null, meReason: "it was not asked for" },
    isResumed: false,
    origin: request.origin,
    timeZone: request.timeZone,
    tables: [{ table: name, title, columns: columnNames, filters, rows, undocumented, reading }],
    rejected: null,
    newValues: [],
    ...files,
  }
}

const now = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis).toISOString())

const make = <A extends { readonly id: number }>(
  request: ExportRequest,
  whole: Table.Table<A>,
  all: Records.Records<A>,
  tell: Tell,
): Effect.Effect<Done | Copied, JobError> =>
  Effect.gen(function* () {
    const startedAt = yield* now
    const picked = request.ids
    const records = picked === null ? all : Records.among(all, picked)
    const { filter, order, table } = yield* Effect.fromResult(Choice.make(whole, request))
    const writer = yield* Effect.promise(() => Formats.writer(request.format))
    const { format } = writer
    const isCopy = request.format === null
    const name = `${request.name}.${format.extensions[0]}`
    const textsName = `${name}.texts.ndjson`
    const texts = new LongTexts(textsName)
    const textsFile = new BlobFile()
    const encoder = new TextEncoder()
    const target = new BlobFile()
    const textsChanged: Record<string, number> = {}
    const ids = order === null ? null : yield* inOrder({ order, filter }, records, tell)
    const expected = ids?.length ?? records.expected
    let [read, rows] = [0, 0]

    const file = yield* writer.open<TooMuchToCopy>({
      headings: request.headings,
      onTextsChanged: ({ cells, column }) => {
        textsChanged[column] = (textsChanged[column] ?? 0) + cells
      },
      write: (chunk) =>
        Effect.suspend(() => {
          target.write(chunk)
          return isCopy && target.bytes > Limits.clipboard.bytes ? new TooMuchToCopy() : Effect.void
        }),
    })
    const members = new UndocumentedMembers(table)
    const sheet = yield* Fit.begin(file, format, table, { onLongText: texts.take })
    const take = Effect.fnUntraced(function* (page: ReadonlyArray<A>) {
      const wanted = page.filter(filter.keeps)
      read += page.length
      rows += wanted.length
      if (isCopy && rows > Limits.clipboard.rows) return yield* new TooMuchToCopy()
      if (wanted.length > 0) yield* sheet.add(wanted)
      textsFile.write(encoder.encode(texts.drain()))
      members.see(wanted)
      tell({ _tag: "Progress", step: "writing", read, expected, rows, bytes: target.bytes })
    })
    yield* forEachPage(ids === null ? records.pages() : records.pagesOf(ids), take)
    yield* sheet.end
    yield* file.end
    const findings = yield* storage(records.findings)
    const { content, sha256 } = target.finish(format.mediaType)
    const { reasons, verdict } = findings
    if (isCopy) {
      const text = yield* Effect.promise(() => content.text())
      return { _tag: "Copied" as const, text, rows, verdict, reasons }
    }
    const { bytes } = target
    const { count } = texts
    const longTexts = count === 0 ? null : textsFile.finish("application/x-ndjson")
    const manifest = manifestOf(request, table, findings, {
      startedAt,
      endedAt: yield* now,
      filters: picked === null ? filter.texts : [...filter.texts, `id one of ${picked.join(", ")}`],
      rows,
      undocumented: members.summary(),
      files: [{ name, format: format.name, tables: { [table.name]: rows }, bytes, sha256 }],
      longTexts:
        longTexts === null
          ? null
          : { name: textsName, bytes: textsFile.bytes, sha256: longTexts.sha256, texts: count },
      textsChanged: Object.keys(textsChanged).length === 0 ? {} : { [format.name]: textsChanged },
    })
    return {
      _tag: "Done" as const,
      file: { name, content },
      manifest,
      texts: longTexts === null ? null : { name: textsName, content: longTexts.content },
      sheets: sheet.sheets(),
    }
  }).pipe(Effect.scoped)

/** Makes the file, or the rows for the clipboard. `tell` is called for every page. */
export const run = (
  request: ExportRequest,
  reader: IndexReader,
  tell: Tell,
): Effect.Effect<Done | Copied, JobError> => {
  const { source } = request
  return source._tag === "ApiKeys"
    ? make(request, apiKeys, Records.ofApiKeys(source), tell)
    : Effect.flatMap(
        storage(() => Records.ofIndex(reader)),
        (records) => make(request, contracts, records, tell),
      )
}

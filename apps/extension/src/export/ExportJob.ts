/**
 * One export from its records to its bytes: pages are read, filtered, written and passed on, so that memory use does not grow with the table. It runs
 * in the page's worker and has access to neither the service nor the key.
 */
import type { Contract } from "@deedkit/core"
import type { ExportError, Manifest } from "@deedkit/export"
import {
  Cell,
  Column,
  contracts,
  LongText,
  TableWriter,
  Texts,
  undocumentedOf,
  withPathsOf,
} from "@deedkit/export"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { matching } from "../index/ContractReads.ts"
import { BlobFile } from "./BlobFile.ts"
import type {
  Chosen,
  Copied,
  Done,
  ExportRequest,
  Preview,
  Progress,
  WorkerRequest,
} from "./ExportMessage.ts"
import * as Formats from "./Formats.ts"
import type { IndexReader } from "./IndexReader.ts"
import { clipboard } from "./Presets.ts"
import * as Verdict from "./Verdict.ts"

/** The rows exceed the limit for the clipboard. */
export class TooMuchToCopy extends Data.TaggedError("TooMuchToCopy")<{}> {}

/** The index could not be read. */
export class StorageFailed extends Data.TaggedError("StorageFailed")<{ readonly cause: unknown }> {}

type JobError = ExportError.ExportError | TooMuchToCopy | StorageFailed

const storage = <A>(read: () => Promise<A>): Effect.Effect<A, StorageFailed> =>
  Effect.tryPromise({ try: read, catch: (cause) => new StorageFailed({ cause }) })

/** Reads page after page, each after the previous one was processed. */
const forEachPage = Effect.fnUntraced(function* <A, E>(
  pages: AsyncIterable<A>,
  take: (page: A) => Effect.Effect<void, E>,
) {
  const iterator = pages[Symbol.asyncIterator]()
  for (;;) {
    const next = yield* storage(() => iterator.next())
    if (next.done === true) return
    yield* take(next.value)
  }
})

/** The contracts that were chosen, page by page, each page with how many were read for it. */
const pagesOf = async function* ({ ids, search }: Chosen, reader: IndexReader) {
  const among = matching(search)
  for await (const rows of ids === null ? reader.pages() : reader.pagesOf(ids)) {
    yield { wanted: among(rows).map(({ contract }) => contract), read: rows.length }
  }
}

/** What selected the rows, in words for the manifest. */
const filtersOf = ({ ids, search }: Chosen): ReadonlyArray<string> => [
  ...(search === "" ? [] : [`found by ${JSON.stringify(search)}`]),
  ...(ids === null ? [] : [`id one of ${ids.join(", ")}`]),
]

const manifestOf = (
  request: ExportRequest,
  { evidence, reading, reasons, verdict }: Verdict.Findings,
  made: Pick<Manifest.Manifest, "startedAt" | "endedAt" | "files" | "longTexts" | "textsChanged"> &
    Pick<Manifest.ManifestTable, "rows" | "undocumented">,
): Manifest.Manifest => {
  const { rows, undocumented, ...files } = made
  const { columns, name, title } = contracts
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
    timeZone: "UTC",
    tables: [
      {
        table: name,
        title,
        columns: columns.map((column) => column.name),
        filters: filtersOf(request),
        rows,
        undocumented,
        reading,
      },
    ],
    rejected: null,
    newValues: [],
    ...files,
  }
}

const now = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis).toISOString())

/** Makes the file, or the rows for the clipboard. `tell` is called for every page. */
export const run = (
  request: ExportRequest,
  reader: IndexReader,
  tell: (progress: Progress) => void,
): Effect.Effect<Done | Copied, JobError> =>
  Effect.gen(function* () {
    const startedAt = yield* now
    const [before, underWay] = yield* storage(async () => [await reader.meta(), await reader.sync()] as const)
    const writer = yield* Effect.promise(() => Formats.writer(request.preset))
    const { format } = writer
    const isCopy = request.preset === null
    const name = `${request.name}.${format.extensions[0]}`
    const textsName = `${name}.texts.ndjson`
    const textsFile = new BlobFile()
    const encoder = new TextEncoder()
    const target = new BlobFile()
    const textsChanged: Record<string, number> = {}
    const expected = request.ids?.length ?? before.contracts
    let [read, rows, longTexts] = [0, 0, 0]
    let undocumented: ReadonlySet<string> = new Set()

    const language = Texts.ofLocale(request.language)
    const file = yield* writer.open<TooMuchToCopy>({
      language,
      headings: Formats.headingsOf(request.preset),
      onTextsChanged: ({ cells, column }) => {
        textsChanged[column] = (textsChanged[column] ?? 0) + cells
      },
      write: (chunk) =>
        Effect.suspend(() => {
          target.write(chunk)
          return isCopy && target.bytes > clipboard.bytes ? new TooMuchToCopy() : Effect.void
        }),
    })
    const sheets = yield* TableWriter.withinLimits(file, format, Texts.inLanguage(contracts, language), {
      cellNote: LongText.noteFor(textsName),
    })
    yield* forEachPage(
      pagesOf(request, reader),
      Effect.fnUntraced(function* (page) {
        read += page.read
        rows += page.wanted.length
        if (isCopy && rows > clipboard.rows) return yield* new TooMuchToCopy()
        if (page.wanted.length > 0) {
          const found = yield* sheets.add(page.wanted, longTexts)
          longTexts += found.length
          textsFile.write(encoder.encode(found.map(LongText.line).join("")))
        }
        undocumented = withPathsOf(undocumented, contracts, page.wanted)
        tell({ _tag: "Progress", read, expected, rows, bytes: target.bytes })
      }),
    )
    yield* sheets.end
    yield* file.end
    const findings = Verdict.ofIndex(before, yield* storage(reader.meta), underWay)
    const { content, sha256 } = target.finish(format.mediaType)
    const { reasons, verdict } = findings
    if (isCopy) {
      const text = yield* Effect.promise(() => content.text())
      return { _tag: "Copied" as const, text, rows, verdict, reasons, filters: filtersOf(request) }
    }
    const { bytes } = target
    const texts = longTexts === 0 ? null : textsFile.finish("application/x-ndjson")
    const manifest = manifestOf(request, findings, {
      startedAt,
      endedAt: yield* now,
      rows,
      undocumented: undocumentedOf(
        contracts.columns.map((column) => column.name),
        undocumented,
      ),
      files: [{ name, format: format.name, tables: { [contracts.name]: rows }, bytes, sha256 }],
      longTexts:
        texts === null
          ? null
          : { name: textsName, bytes: textsFile.bytes, sha256: texts.sha256, texts: longTexts },
      textsChanged: Object.keys(textsChanged).length === 0 ? {} : { [format.name]: textsChanged },
    })
    return {
      _tag: "Done" as const,
      file: { name, content },
      manifest,
      texts: texts === null ? null : { name: textsName, content: texts.content },
      sheets: sheets.count(),
    }
  }).pipe(Effect.scoped)

/** Rows of a preview. */
const previewRows = 3

/** Most characters of a cell in a preview. */
const previewCharacters = 60

const previewText = (value: Cell.CellValue): string => {
  const cell = Cell.scalar(value)
  const text = cell === null ? "" : String(cell)
  return text.length > previewCharacters ? `${text.slice(0, previewCharacters).toWellFormed()}…` : text
}

/** The first rows of a file, as text. No more pages are read than it takes to find them. */
export const preview = Effect.fnUntraced(function* (
  { chosen, language, preset }: Omit<Extract<WorkerRequest, { readonly _tag: "Preview" }>, "_tag">,
  reader: IndexReader,
): Effect.fn.Return<Preview, JobError> {
  const { columns } = Texts.inLanguage(contracts, Texts.ofLocale(language))
  const headings = columns.map((column) => Column.heading(column, Formats.headingsOf(preset)))
  const found = yield* storage(async () => {
    const found: Array<Contract.Contract> = []
    for await (const { wanted } of pagesOf(chosen, reader)) {
      found.push(...wanted.slice(0, previewRows - found.length))
      if (found.length === previewRows) break
    }
    return found
  })
  const rows = found.map((contract) => columns.map(({ get }) => previewText(get(contract))))
  return { _tag: "Preview" as const, headings, rows }
})

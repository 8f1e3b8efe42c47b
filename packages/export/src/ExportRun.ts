/**
 * The run of an export: pages of a walk -> rows of a table -> bytes of a format -> a file, or standard output.
 *
 * A file gets its name only when the service said that there was no further page, so a file of that name is always whole. Everything that
 * can be refused is refused before the first request. A failure or an interruption leaves an older file as it was and no half file.
 */
import { createHash } from "node:crypto"
import type { Writable } from "node:stream"
import type { Page, WalkSummary } from "@deedkit/core"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as AtomicFile from "./AtomicFile.ts"
import type { Headings } from "./Column.ts"
import { ExportError } from "./ExportError.ts"
import * as Quarantine from "./Quarantine.ts"
import * as Rejects from "./Rejects.ts"
import * as Sink from "./Sink.ts"
import type { Table } from "./Table.ts"
import type { TableWriter } from "./TableWriter.ts"
import * as Target from "./Target.ts"

export interface RunOptions<A, E, R> {
  readonly table: Table<A>
  /** A walk from its start, with records that are not as specified collected on their pages. */
  readonly pages: Stream.Stream<Page<A>, E, R>
  readonly writer: TableWriter
  /** A path, or `-` for standard output. */
  readonly target: string
  /** Whether an existing file may be replaced. Default false. */
  readonly overwrite?: boolean | undefined
  /** Default `labels`. */
  readonly headings?: Headings | undefined
  /** How many records may be set aside. Default: 100, and from 20 records on 5 % of all. */
  readonly quarantine?: Partial<Quarantine.QuarantineLimits> | undefined
  /** What `-` means. Default: the process's standard output. It is not ended. */
  readonly stdout?: Writable | undefined
}

/** What a finished run did. */
export interface ExportResult {
  readonly table: string
  readonly format: string
  /** The target as it was given. */
  readonly target: string
  /** The file that holds the bytes, symbolic links followed; null for standard output. */
  readonly path: string | null
  /** Records written, headings not counted. */
  readonly rows: number
  readonly bytes: number
  /** SHA-256 of all bytes, hexadecimal. */
  readonly sha256: string
  /** What was set aside; null when every record was as specified. */
  readonly rejects: Rejects.RejectsSummary | null
  /** Cells whose text no file of this format can hold as it came, by column name. */
  readonly textsChanged: { readonly [column: string]: number }
  readonly summary: WalkSummary
}

const openSink = (
  target: Target.Target,
  {
    overwrite = false,
    stdout = process.stdout,
  }: { overwrite?: boolean | undefined; stdout?: Writable | undefined },
): Effect.Effect<Sink.Sink, ExportError, Scope.Scope> => {
  switch (target._tag) {
    case "Stdout":
      return Sink.fromStream(stdout)
    case "NamedPipe":
      return Sink.namedPipe(target.path)
    case "Device":
      return Sink.device(target.path)
    case "File":
      return AtomicFile.make({ path: target.path, overwrite, mode: target.mode })
  }
}

/**
 * Writes a table to its target. Fails with the walk's own error, or with an `ExportError`; the file of that name is then as it was
 * before. Records that are not as specified go to `NAME.rejects.ndjson` beside the file.
 */
export const run = <A, E, R>(options: RunOptions<A, E, R>): Effect.Effect<ExportResult, E | ExportError, R> =>
  Effect.gen(function* () {
    const { headings, overwrite = false, pages, table, target, writer } = options
    const place = yield* Target.look(target, overwrite)
    const rejects =
      place._tag === "File"
        ? yield* Rejects.beside(
            place.path,
            { overwrite, mode: place.mode },
            { ...Quarantine.defaultLimits, ...options.quarantine },
          )
        : Rejects.refuse(target)
    const sink = yield* openSink(place, options)

    const hash = createHash("sha256")
    const textsChanged: Record<string, number> = {}
    let bytes = 0
    let rows = 0
    let seen = 0
    let summary: WalkSummary | null = null

    const records = Stream.mapEffect(pages, (page) => {
      seen += page.records.length + page.invalid.length
      rows += page.records.length
      summary = page.summary
      return Effect.as(rejects.add(page.invalid, seen), page.records)
    })
    const chunks = writer.write(table, records, {
      headings,
      onTextsChanged: ({ cells, column }) => {
        textsChanged[column] = (textsChanged[column] ?? 0) + cells
      },
    })
    yield* Stream.runForEach(chunks, (chunk) => {
      hash.update(chunk)
      bytes += chunk.byteLength
      return sink.write(chunk)
    })

    const walk = yield* wholeWalk(target, summary)
    const setAside = yield* rejects.commit
    yield* sink.commit
    return {
      table: table.name,
      format: writer.format.name,
      target,
      path: place._tag === "Stdout" ? null : place.path,
      rows,
      bytes,
      sha256: hash.digest("hex"),
      rejects: setAside,
      textsChanged,
      summary: walk,
    }
  }).pipe(Effect.scoped)

const wholeWalk = (target: string, summary: WalkSummary | null): Effect.Effect<WalkSummary, ExportError> =>
  summary !== null && summary.complete
    ? Effect.succeed(summary)
    : Effect.fail(
        new ExportError({
          reason: {
            _tag: "WalkIncomplete",
            target,
            pages: summary?.pages ?? 0,
            records: summary?.records ?? 0,
          },
        }),
      )

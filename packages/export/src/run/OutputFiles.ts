/**
 * One format of a run, and its files: a file for all tables where the format has sheets, else a file for each table. Counts and hashes the
 * bytes.
 */
import { createHash } from "node:crypto"
import { basename } from "node:path"
import type { Writable } from "node:stream"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { ExportError } from "../error/ExportError.ts"
import type { Sink } from "../file/AtomicFile.ts"
import * as Target from "../file/Target.ts"
import type { ManifestFile } from "../proof/Manifest.ts"
import type { Table } from "../table/Table.ts"
import type { CellNote } from "../write/LongText.ts"
import type {
  FileWriter,
  Format,
  SheetOptions,
  Sheets,
  TableWriter,
  WriteOptions,
} from "../write/TableWriter.ts"
import { withinLimits } from "../write/TableWriter.ts"

/** A format, and where its bytes go. */
export interface OutputSpec {
  readonly writer: TableWriter
  /**
   * A path, or `-` for standard output. `{table}` in it stands for the name of the table. For several tables, a format without sheets turns
   * `NAME.EXT` into `NAME-TABLE.EXT`.
   */
  readonly target: string
}

export interface OutputOptions extends Pick<
  WriteOptions<never>,
  "cover" | "document" | "headings" | "language" | "properties"
> {
  readonly overwrite: boolean
  readonly stdout: Writable
  readonly cellNote: CellNote
}

/** Where a file goes, before anything is written. */
export interface Place {
  readonly given: string
  readonly target: Target.Target
}

/** The state of a file: `absent` there is none · `kept` an older one was not replaced · `written` it is whole and has its name. */
export interface FileState {
  readonly path: string
  readonly state: "absent" | "kept" | "written"
}

export interface OutputFiles {
  readonly format: Format
  /** Starts a table, in a file of its own or on a sheet of the file. */
  readonly startTable: <A>(
    table: Table<A>,
    options?: SheetOptions,
  ) => Effect.Effect<Pick<Sheets<A, ExportError>, "add" | "end">, ExportError, Scope.Scope>
  /** Ends the last file and syncs all. */
  readonly finish: Effect.Effect<void, ExportError>
  readonly commit: Effect.Effect<void, ExportError>
  readonly files: () => ReadonlyArray<ManifestFile>
  /** The states of its regular files, as far as this run knows. */
  readonly states: () => ReadonlyArray<FileState>
  readonly textsChanged: { readonly [column: string]: number }
}

interface Written {
  readonly sink: Sink
  readonly file: FileWriter<ExportError>
  readonly manifest: () => ManifestFile
  readonly rows: { [table: string]: number }
}

const openFile = Effect.fnUntraced(function* (
  { given, target }: Place,
  { format, open }: TableWriter,
  options: OutputOptions,
  textsChanged: Record<string, number>,
) {
  const sink = yield* Target.openSink(target, options)
  const hash = createHash("sha256")
  const rows: Record<string, number> = {}
  let bytes = 0
  const file = yield* open<ExportError>({
    ...options,
    onTextsChanged: ({ cells, column }) => {
      textsChanged[column] = (textsChanged[column] ?? 0) + cells
    },
    // A writer can create an effect long before it runs it.
    write: (chunk) =>
      Effect.suspend(() => {
        hash.update(chunk)
        bytes += chunk.byteLength
        return sink.write(chunk)
      }),
  })
  const name = target._tag === "File" ? basename(target.path) : given
  const manifest = () => ({
    name,
    format: format.name,
    tables: rows,
    bytes,
    sha256: hash.copy().digest("hex"),
  })
  return { sink, file, manifest, rows }
})

const stateOf = (
  { mode, path }: Extract<Target.Target, { readonly _tag: "File" }>,
  isNamed: boolean,
): FileState => ({ path, state: isNamed ? "written" : mode === null ? "absent" : "kept" })

/**
 * The places of an output's files, in the order of the tables. Creates nothing. Fails with the problem of a target, or with `OneTableOnly` if several
 * tables would go into one pipe.
 */
export const placesOf = Effect.fnUntraced(function* (
  { target, writer: { format } }: OutputSpec,
  tables: ReadonlyArray<string>,
  overwrite: boolean,
): Effect.fn.Return<ReadonlyArray<Place>, ExportError> {
  const look = (given: string) =>
    Effect.map(Target.look(given, overwrite), (at): Place => ({ given, target: at }))
  if (tables.length > 1 && format.sheets === "one") {
    const alone = yield* Effect.option(look(target))
    if (alone._tag === "Some" && pathOf(alone.value) === null)
      return yield* new ExportError({ reason: { _tag: "OneTableOnly", target, format: format.name } })
  }
  return yield* Effect.forEach(pathsOf(target, format, tables), look)
})

/** The path of a file; null for a target that is not a regular file. */
export const pathOf = ({ target }: Place): string | null => (target._tag === "File" ? target.path : null)

/** The files of an output. Nothing is created before the first table starts. */
export const make = (
  writer: TableWriter,
  places: ReadonlyArray<Place>,
  options: OutputOptions,
): OutputFiles => {
  const { format } = writer
  const written: Array<Written> = []
  const committed = new Set<number>()
  const textsChanged: Record<string, number> = {}
  let started = 0
  const fileOfTable = Effect.gen(function* () {
    const at = format.sheets === "many" ? 0 : started
    started += 1
    return (written[at] ??= yield* openFile(places[at] ?? places[0]!, writer, options, textsChanged))
  })
  const endShared = Effect.suspend(() =>
    format.sheets === "many" ? (written[0]?.file.end ?? Effect.void) : Effect.void,
  )
  return {
    format,
    startTable: <A>(table: Table<A>, sheetOptions: SheetOptions = {}) =>
      Effect.gen(function* () {
        const { file, rows } = yield* fileOfTable
        const { cellNote } = options
        const { add, end } = yield* withinLimits(file, format, table, { ...sheetOptions, cellNote })
        rows[table.name] = 0
        return {
          add: (records: ReadonlyArray<A>, longTexts: number) => {
            rows[table.name] = (rows[table.name] ?? 0) + records.length
            return add(records, longTexts)
          },
          end: format.sheets === "one" ? Effect.andThen(end, file.end) : end,
        }
      }),
    finish: Effect.andThen(
      endShared,
      Effect.suspend(() => Effect.forEach(written, ({ sink }) => sink.finish, { discard: true })),
    ),
    commit: Effect.suspend(() =>
      Effect.forEach(
        written,
        ({ sink }, at) =>
          Effect.andThen(
            sink.commit,
            Effect.sync(() => committed.add(at)),
          ),
        { discard: true },
      ),
    ),
    files: () => written.map(({ manifest }) => manifest()),
    states: () =>
      places.flatMap(({ target: to }, at) => (to._tag === "File" ? [stateOf(to, committed.has(at))] : [])),
    textsChanged,
  }
}

/** Stands for the name of a table in a path. */
const placeholder = "{table}"

/** `NAME-TABLE.EXT` for `NAME.EXT`, where the extension may have several parts, such as `csv.gz`. */
const named = (target: string, table: string, extensions: Format["extensions"]): string => {
  if (target.includes(placeholder)) return target.replaceAll(placeholder, table)
  const own = extensions.find((extension) => target.toLowerCase().endsWith(`.${extension}`))
  const dot = own === undefined ? target.lastIndexOf(".") : target.length - own.length - 1
  const stem = dot > Math.max(target.lastIndexOf("/"), target.lastIndexOf("\\")) + 1 ? dot : target.length
  return `${target.slice(0, stem)}-${table}${target.slice(stem)}`
}

/**
 * The paths of the files: one for each table if the format has no sheets, else one. `{table}` in the target becomes the name of the table, or `all`
 * in a file with several tables, not counting their summary.
 */
export const pathsOf = (
  target: string,
  { extensions, sheets }: Pick<Format, "extensions" | "sheets">,
  tables: ReadonlyArray<string>,
): ReadonlyArray<string> => {
  if (sheets === "one" && tables.length > 1) return tables.map((table) => named(target, table, extensions))
  const [only = "all", ...more] = tables.filter((table) => table !== "summary" || tables.length === 1)
  return [target.replaceAll(placeholder, more.length === 0 ? only : "all")]
}

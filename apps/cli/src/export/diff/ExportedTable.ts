/**
 * An export read back from its file: rows by the names of their columns, and the zone that their times are in, as far as the file or the
 * manifest beside it says. Asks the service for nothing.
 */
import { readFile } from "node:fs/promises"
import { Json } from "@deedkit/core"
import { apiKeys, contracts, Diff, ExportError, Manifest } from "@deedkit/export"
import * as Effect from "effect/Effect"
import { ofFile } from "../formats/FormatName.ts"

export interface ExportedTable {
  readonly rows: ReadonlyArray<Diff.Row>
  readonly zone: Diff.Zone
}

interface Content {
  readonly rows: ReadonlyArray<Diff.Row>
  /** Of a format that has headings of its own. */
  readonly headings: ReadonlyArray<string>
}

const tables = [contracts, apiKeys]

const unreadable = (path: string, expected: string) =>
  new ExportError.ExportError({ reason: { _tag: "Unreadable", path, expected } })

/** The rows of a JSON text: an array of objects, or objects a line. */
const fromJson = (text: string, isLines: boolean): Content | null => {
  try {
    const values = isLines
      ? text
          .split("\n")
          .filter((line) => line.trim() !== "")
          .map(Json.parse)
      : Json.parse(text)
    if (!Array.isArray(values) || !values.every(Json.isObject)) return null
    return { rows: Diff.rowsOf(values, tables), headings: [] }
  } catch {
    return null
  }
}

const fromCsv = (text: string, read: typeof import("@deedkit/export-csv").read): Content | null => {
  const table = read(text)
  if (table === null) return null
  const { headings } = table
  const names = Diff.namesOf(headings, tables)
  const rows = table.rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? ""])))
  return { rows, headings }
}

const zoneInManifest = (path: string): Effect.Effect<string | null> =>
  Effect.promise(() => readFile(Manifest.pathOf(path), "utf8").then(Json.parse)).pipe(
    Effect.map((value) =>
      Json.isObject(value) && typeof value["timeZone"] === "string" ? value["timeZone"] : null,
    ),
    Effect.catchCause(() => Effect.succeed(null)),
  )

/** Reads a file. Fails with `FileMissing`, `FileFailed`, or `Unreadable` for what is no export that can be compared. */
export const read = (path: string): Effect.Effect<ExportedTable, ExportError.ExportError> =>
  Effect.gen(function* () {
    const format = ofFile(path)
    if (format === null || format === "xlsx") {
      return yield* unreadable(path, "an export as csv, tsv, json or ndjson")
    }
    const text = yield* Effect.tryPromise({
      try: () => readFile(path, "utf8"),
      catch: (cause) =>
        new ExportError.ExportError({
          reason:
            (cause as NodeJS.ErrnoException).code === "ENOENT"
              ? { _tag: "FileMissing", path }
              : {
                  _tag: "FileFailed",
                  path,
                  step: "look at",
                  code: (cause as NodeJS.ErrnoException).code ?? null,
                },
        }),
    })
    const csv = yield* Effect.promise(() => import("@deedkit/export-csv"))
    const content =
      format === "json" || format === "ndjson" ? fromJson(text, format === "ndjson") : fromCsv(text, csv.read)
    if (content === null) return yield* unreadable(path, `a table as ${format}`)
    const { headings, rows } = content
    const [first] = rows
    if (first !== undefined && first["id"] === undefined) {
      return yield* unreadable(path, "an export with the column id, by which records are told apart,")
    }
    const named = Diff.zoneInHeadings(headings, tables) ?? (yield* zoneInManifest(path))
    return { rows, zone: named ?? Diff.zoneOfTimes(rows, tables) }
  })

/**
 * An export read back from its file: rows by the names of their columns, and the zone that their times are in, as far as the file or the
 * manifest beside it says. Asks the service for nothing.
 */
import { readFile } from "node:fs/promises"
import { Json } from "@deedkit/core"
import { apiKeys, contracts, Diff, ExportError, listingLink, Manifest } from "@deedkit/export"
import type { Table } from "@deedkit/export"
import type { Content } from "@deedkit/export/formats"
import * as Effect from "effect/Effect"
import type { Packing } from "@deedkit/export/run"
import * as LongTexts from "./LongTexts.ts"
import { inWords, ofFile, ofName, packingOf } from "../formats/FormatName.ts"

export const tables: ReadonlyArray<Table.Table<never>> = [
  { ...contracts, onDemand: [...contracts.onDemand, listingLink] },
  apiKeys,
]

const unreadable = (path: string, expected: string) =>
  new ExportError.ExportError({ reason: { _tag: "Unreadable", path, expected } })

const tableOf = (
  content: Content,
): { readonly rows: ReadonlyArray<Diff.Row>; readonly headings: ReadonlyArray<string> } => {
  if (content._tag === "Records") return { rows: Diff.rowsOf(content.records, tables), headings: [] }
  const { headings } = content
  const names = Diff.namesOf(headings, tables)
  const rows = content.rows.map((row) =>
    Object.fromEntries(names.map((name, at) => [name, Diff.textOf(row[at] ?? "")])),
  )
  return { rows, headings }
}

const unpacked = (bytes: Uint8Array, packing: Packing): Effect.Effect<Uint8Array | null> =>
  Effect.promise(async () => (await import("@deedkit/export/run")).unpack(bytes, packing))

const zoneInManifest = (path: string): Effect.Effect<string | null> =>
  Effect.promise(() => readFile(Manifest.pathOf(path), "utf8").then(Json.parse)).pipe(
    Effect.map((value) =>
      Json.isObject(value) && typeof value["timeZone"] === "string" ? value["timeZone"] : null,
    ),
    Effect.catchCause(() => Effect.succeed(null)),
  )

/** Reads a file. Fails with `FileMissing`, `FileFailed`, or `Unreadable` for what is no export that can be compared. */
export const read = (path: string): Effect.Effect<Diff.Timed, ExportError.ExportError> =>
  Effect.gen(function* () {
    const format = ofFile(path)
    if (format === null) return yield* unreadable(path, `an export as ${inWords}`)
    const bytes = yield* Effect.tryPromise({
      try: () => readFile(path),
      catch: (cause) =>
        new ExportError.ExportError({
          reason:
            (cause as NodeJS.ErrnoException).code === "ENOENT"
              ? { _tag: "FileMissing", path }
              : {
                  _tag: "FileFailed",
                  path,
                  step: "inspect",
                  code: (cause as NodeJS.ErrnoException).code ?? null,
                },
        }),
    })
    const packing = packingOf(path)
    const plain = packing === null ? bytes : yield* unpacked(bytes, packing)
    const content = plain === null ? null : yield* Effect.promise(() => ofName(format).read(plain))
    if (content === null) return yield* unreadable(path, `a table as ${format}`)
    const whole =
      content._tag === "Cells" ? { ...content, rows: yield* LongTexts.putBack(content.rows, path) } : content
    const { headings, rows } = tableOf(whole)
    const [first] = rows
    if (first !== undefined && first["id"] === undefined) {
      return yield* unreadable(path, "an export with the column id, by which records are told apart,")
    }
    const records = content._tag === "Records" ? content.records : undefined
    return { rows, records, zone: Diff.zoneInHeadings(headings, tables) ?? (yield* zoneInManifest(path)) }
  })

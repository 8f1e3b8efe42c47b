/**
 * An export read back from its file: rows keyed by column name, and the time zone of their times if the file or its manifest gives it. Sends no
 * requests.
 */
import { readFile } from "node:fs/promises"
import { Json } from "@deedkit/core"
import { Account, apiKeysAt, contracts, Diff, ExportError, listingLink, Manifest } from "@deedkit/export"
import type { Table } from "@deedkit/export"
import type { Content } from "@deedkit/export/formats"
import * as Effect from "effect/Effect"
import type { Packing } from "@deedkit/export/run"
import * as LongTexts from "./LongTexts.ts"
import { inWords, ofFile, ofName, packingOf } from "../formats/FormatName.ts"

export const tables: ReadonlyArray<Table.Table<never>> = [
  { ...contracts, onDemand: [...contracts.onDemand, listingLink] },
  // The moment does not matter: only the headings of computed columns are used.
  apiKeysAt(0),
]

const unreadable = (path: string, expected: string) =>
  new ExportError.ExportError({ reason: { _tag: "Unreadable", path, expected } })

const tableOf = (
  content: Content,
  chosen: ReadonlyArray<string> | null,
): {
  readonly rows: ReadonlyArray<Diff.Row>
  readonly headings: ReadonlyArray<string>
  readonly names: ReadonlyArray<string>
} => {
  if (content._tag === "Records") {
    return { rows: Diff.rowsOf(content.records, tables, chosen), headings: [], names: [] }
  }
  const { headings } = content
  const names = Diff.namesOf(headings, tables)
  const rows = content.rows.map((row) =>
    Object.fromEntries(names.map((name, at) => [name, Diff.textOf(row[at] ?? "")])),
  )
  return { rows, headings, names }
}

const unpacked = (bytes: Uint8Array, packing: Packing): Effect.Effect<Uint8Array | null> =>
  Effect.promise(async () => (await import("@deedkit/export/run")).unpack(bytes, packing))

/** What the manifest beside a file says about it. A member is null if the manifest does not say. */
interface Described {
  /** Time zone of the times. */
  readonly zone: string | null
  readonly columns: ReadonlyArray<string> | null
  readonly keyFingerprint: string | null
  /** Whether data payloads were read. */
  readonly hasData: boolean | null
}

const unknown: Described = { zone: null, columns: null, keyFingerprint: null, hasData: null }

const describedBy = (manifest: Json.Json): Described => {
  if (!Json.isObject(manifest)) return unknown
  const { account, tables: given, timeZone } = manifest
  const read = (Array.isArray(given) ? (given as ReadonlyArray<Json.Json>) : []).filter(Json.isObject)
  const columns = read.flatMap((table) =>
    Array.isArray(table["columns"]) ? table["columns"].map(String) : [],
  )
  return {
    zone: typeof timeZone === "string" ? timeZone : null,
    columns: columns.length === 0 ? null : columns,
    keyFingerprint: Account.fromJson(account)?.keyFingerprint ?? null,
    hasData: read.length === 0 ? null : read.some((table) => table["withoutData"] !== undefined),
  }
}

const inManifest = (path: string): Effect.Effect<Described> =>
  Effect.promise(() => readFile(Manifest.pathOf(path), "utf8").then(Json.parse)).pipe(
    Effect.map(describedBy),
    Effect.catchCause(() => Effect.succeed(unknown)),
  )

/** The first id that occurs a second time; null if there is none. */
const repeatedId = (rows: ReadonlyArray<Diff.Row>): string | null => {
  const seen = new Set<string | undefined>()
  const row = rows.find(({ id }) => {
    const isRepeated = seen.has(id)
    seen.add(id)
    return isRepeated
  })
  return row === undefined ? null : (row["id"] ?? "")
}

/** An export, with what its manifest says about it. */
export interface Exported extends Diff.Timed, Pick<Described, "hasData" | "keyFingerprint"> {}

/** Reads a file. Fails with `FileMissing`, `FileFailed`, or `Unreadable` if it is not an export that can be compared. */
export const read = (path: string): Effect.Effect<Exported, ExportError.ExportError> =>
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
    const { columns, hasData, keyFingerprint, zone } = yield* inManifest(path)
    const { headings, names, rows } = tableOf(whole, columns)
    const [first] = rows
    const hasIds =
      content._tag === "Cells" ? names.includes("id") : first === undefined || first["id"] !== undefined
    if (!hasIds) {
      return yield* unreadable(path, "an export with the column id, by which records are told apart,")
    }
    const repeated = repeatedId(rows)
    if (repeated !== null)
      return yield* unreadable(path, `an export with each id once (${repeated} is repeated)`)
    const isRecords = content._tag === "Records"
    return { rows, isRecords, hasData, keyFingerprint, zone: Diff.zoneInHeadings(headings, tables) ?? zone }
  })

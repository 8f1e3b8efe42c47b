/**
 * The files beside a file of a run, temporary ones included: their names, whether these can be used, and those for content that could not go into the
 * export itself. Names are checked before the first request: one that is too long, or used twice by the run, would cost everything that had been read.
 *
 * Records that are not as specified go whole to one of them, so that neither the table nor these records are lost. Too many of them stop the run, and
 * so does the first one where the target is not a file.
 */
import type { RejectedRecord } from "@deedkit/core"
import { Json } from "@deedkit/core"
import { createHash } from "node:crypto"
import { basename, dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { RejectedMember } from "../error/ExportError.ts"
import { ExportError } from "../error/ExportError.ts"
import * as AtomicFile from "../file/AtomicFile.ts"
import type { Sink } from "../file/AtomicFile.ts"
import * as Target from "../file/Target.ts"
import { onOneLine } from "../formats/Json.ts"
import * as Manifest from "../proof/Manifest.ts"
import * as RecordFile from "../RecordFile.ts"

/**
 * A file for content that could not go into the export, one JSON object per line. It is created with its first line and gets its name together with
 * the export. A run that has no such content removes an older one.
 */
export interface Sidecar {
  readonly path: string
  readonly append: (lines: string) => Effect.Effect<void, ExportError, Scope.Scope>
  /** Name, length and hash of everything appended so far, for the manifest. */
  readonly content: () => Manifest.ManifestSidecar
  readonly finish: Effect.Effect<void, ExportError>
  readonly commit: Effect.Effect<void, ExportError>
}

/** Creates nothing yet. Fails when the file exists and may not be replaced. */
export const make = Effect.fnUntraced(function* (
  options: AtomicFile.AtomicFileOptions,
): Effect.fn.Return<Sidecar, ExportError> {
  const { overwrite, path } = options
  yield* Target.look(path, overwrite)
  const encoder = new TextEncoder()
  const hash = createHash("sha256")
  let bytes = 0
  let sink: Sink | null = null
  return {
    path,
    append: Effect.fnUntraced(function* (lines) {
      if (lines === "") return
      sink ??= yield* AtomicFile.make(options)
      const chunk = encoder.encode(onOneLine(lines))
      hash.update(chunk)
      bytes += chunk.byteLength
      yield* sink.write(chunk)
    }),
    content: () => ({ name: basename(path), bytes, sha256: hash.copy().digest("hex") }),
    finish: Effect.suspend(() => sink?.finish ?? Effect.void),
    commit: Effect.suspend(() => sink?.commit ?? (overwrite ? AtomicFile.remove(path) : Effect.void)),
  }
})

export const rejectedOf = (path: string): string => `${path}.rejected.ndjson`

export const textsOf = (path: string): string => `${path}.texts.ndjson`

/** Every file that a run makes for one of its files, itself first. */
export const allOf = (path: string): ReadonlyArray<string> => [
  path,
  rejectedOf(path),
  textsOf(path),
  Manifest.pathOf(path),
  Manifest.interruptedPathOf(path),
  RecordFile.pathOf(path),
]

/** The same for paths that are one file on the disks of Windows and macOS, which do not tell upper from lower case or forms of an accent apart. */
const nameOf = (path: string): string => join(dirname(path), basename(path).normalize("NFC").toUpperCase())

/** Checks that the sidecars can be created. Creates nothing. Fails with `TargetTwice` or `NameTooLong`, which name a file of the run. */
export const check = Effect.fnUntraced(function* (
  files: ReadonlyArray<string>,
): Effect.fn.Return<void, ExportError> {
  const all = files.flatMap(allOf)
  const names = all.map(nameOf)
  const twice = all.find((_, at) => names.indexOf(names[at]!) !== at)
  if (twice !== undefined) return yield* new ExportError({ reason: { _tag: "TargetTwice", path: twice } })
  for (const file of files) {
    yield* Effect.forEach(allOf(file), (path) => AtomicFile.tryName(path, file), { discard: true })
  }
})

/** Removes the part files that killed runs left for any of these files. */
export const sweep = (files: ReadonlyArray<string>): Effect.Effect<void> =>
  Effect.forEach(files.flatMap(allOf), AtomicFile.sweep, { discard: true })

/** How many records may be rejected before a run stops, because something else is then wrong. */
export interface RejectionLimits {
  /** Default 100. */
  readonly records: number
  /** A share of the records of all tables, from 0 to 1. Default 0.05. Applies after `afterRecords` records were read. */
  readonly share: number
  /** Default 20. */
  readonly afterRecords: number
}

export const defaultLimits: RejectionLimits = { records: 100, share: 0.05, afterRecords: 20 }

/** A line of NDJSON for a rejected record: the record unchanged with every digit, its issues, and the table that it is missing from. */
export const rejectedLine = (table: string, { id, issues, raw }: RejectedRecord): string =>
  `${Json.stringify({ table, id, issues, raw })}\n`

/** Counts what was wrong with rejected records, most frequent first. A record is people's data, so only members are named, never their values. */
export const countMembers = (records: ReadonlyArray<RejectedRecord>): ReadonlyArray<RejectedMember> => {
  const counts = new Map<string, RejectedMember>()
  for (const { expected, found, path } of records.flatMap((record) => record.issues)) {
    const member = JSON.stringify([path, expected, found])
    counts.set(member, { path, expected, found, records: (counts.get(member)?.records ?? 0) + 1 })
  }
  return [...counts.values()].toSorted((left, right) => right.records - left.records)
}

/** The error of more records than the limits allow; null while they are not too many. `rejected` and `seen` are those of all tables of the run. */
export const tooMany = (
  rejected: ReadonlyArray<RejectedRecord>,
  seen: number,
  { afterRecords, records, share }: RejectionLimits,
): ExportError | null => {
  const count = rejected.length
  if (count <= records && (seen < afterRecords || count <= seen * share)) return null
  return new ExportError({
    reason: { _tag: "TooManyRejected", rejected: count, seen, members: countMembers(rejected) },
  })
}

/** The error of a rejected record where no file can take it: the target is not a file. */
export const withoutFile = (target: string, record: RejectedRecord): ExportError =>
  new ExportError({
    reason: { _tag: "RejectedHaveNoFile", target, id: record.id, members: countMembers([record]) },
  })

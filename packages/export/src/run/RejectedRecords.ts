/**
 * Saves records that are not as specified to `NAME.rejected.ndjson` beside the export, whole, so that neither the table nor these records are lost.
 * Too many of them stop the run, because something else is then wrong. If the target is not a file, the first one stops the run.
 */
import type { RejectedRecord } from "@deedkit/core"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { RejectedMember } from "../error/ExportError.ts"
import { ExportError } from "../error/ExportError.ts"
import * as RejectionLimit from "./RejectionLimit.ts"
import type { Sidecar } from "../file/Sidecar.ts"

/** Where the rejected records are, how many they are, and what was wrong with them. */
export interface RejectedSummary {
  readonly path: string
  readonly records: number
  readonly members: ReadonlyArray<RejectedMember>
}

export interface RejectedRecords {
  /** Rejects records of a page. `seen` counts all records of their table so far, those of the page included. */
  readonly add: (
    table: string,
    records: ReadonlyArray<RejectedRecord>,
    seen: number,
  ) => Effect.Effect<void, ExportError, Scope.Scope>
  /** The records rejected so far; null for none. */
  readonly summary: () => RejectedSummary | null
}

/** For targets that are not files: fails with the first record that is not as specified. */
export const refuse = (target: string): RejectedRecords => ({
  add: (_, records) => {
    const [first] = records
    if (first === undefined) return Effect.void
    const members = RejectionLimit.countMembers([first])
    return Effect.fail(
      new ExportError({ reason: { _tag: "RejectedHaveNoFile", target, id: first.id, members } }),
    )
  },
  summary: () => null,
})

/** Saves rejected records to a file. */
export const into = (file: Sidecar, limits: RejectionLimit.RejectionLimits): RejectedRecords => {
  const kept: Array<RejectedRecord> = []
  return {
    add: (table, records, seen) =>
      Effect.suspend(() => {
        if (records.length === 0) return Effect.void
        kept.push(...records)
        return RejectionLimit.tooMany(kept.length, seen, limits)
          ? Effect.fail(tooMany(kept, seen))
          : file.append(records.map((record) => RejectionLimit.line(table, record)).join(""))
      }),
    summary: () =>
      kept.length === 0
        ? null
        : { path: file.path, records: kept.length, members: RejectionLimit.countMembers(kept) },
  }
}

const tooMany = (kept: ReadonlyArray<RejectedRecord>, seen: number): ExportError =>
  new ExportError({
    reason: {
      _tag: "TooManyRejected",
      rejected: kept.length,
      seen,
      members: RejectionLimit.countMembers(kept),
    },
  })

/**
 * What becomes of records that are not as specified: they go whole to `NAME.rejected.ndjson` beside the export.
 *
 * A bad record must not cost the rest of a table, and must not vanish either. Too many mean that something else is wrong, and stop the
 * run. Where no file can stand beside the target, the first one stops it.
 */
import type { RejectedRecord } from "@deedkit/core"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { RejectedMember } from "../error/ExportError.ts"
import { ExportError } from "../error/ExportError.ts"
import * as RejectionLimit from "./RejectionLimit.ts"
import type { Sidecar } from "../file/Sidecar.ts"

/** What was set aside: where, how many, and what was wrong with them. */
export interface RejectedSummary {
  readonly path: string
  readonly records: number
  readonly members: ReadonlyArray<RejectedMember>
}

export interface RejectedRecords {
  /** Sets the records of a page aside. `seen` counts all records of their table so far, those of the page included. */
  readonly add: (
    table: string,
    records: ReadonlyArray<RejectedRecord>,
    seen: number,
  ) => Effect.Effect<void, ExportError, Scope.Scope>
  /** What was set aside up to now; null when every record was as specified. */
  readonly summary: () => RejectedSummary | null
}

/** For targets beside which no file can stand: the first record that is not as specified fails. */
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

/** Sets records aside in a file. */
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

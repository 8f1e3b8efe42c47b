/**
 * What becomes of records that are not as specified: they go whole to `NAME.rejects.ndjson` beside the export.
 *
 * A bad record must not cost the rest of a table, and must not vanish either. Too many mean that something else is wrong, and stop the
 * run. Where no file can stand beside the target, the first one stops it.
 */
import type { RejectedRecord } from "@deedkit/core"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { RejectedMember } from "../error/ExportError.ts"
import { ExportError } from "../error/ExportError.ts"
import * as Quarantine from "./RejectionLimit.ts"
import type { SideFile } from "../file/Sidecar.ts"

/** What was set aside: where, how many, and what was wrong with them. */
export interface RejectsSummary {
  readonly path: string
  readonly records: number
  readonly members: ReadonlyArray<RejectedMember>
}

export interface Rejects {
  /** Sets the records of a page aside. `seen` counts all records of their table so far, those of the page included. */
  readonly add: (
    table: string,
    records: ReadonlyArray<RejectedRecord>,
    seen: number,
  ) => Effect.Effect<void, ExportError, Scope.Scope>
  /** What was set aside up to now; null when every record was as specified. */
  readonly summary: () => RejectsSummary | null
}

/** For targets beside which no file can stand: the first record that is not as specified fails. */
export const refuse = (target: string): Rejects => ({
  add: (_, records) => {
    const [first] = records
    if (first === undefined) return Effect.void
    const members = Quarantine.countMembers([first])
    return Effect.fail(
      new ExportError({ reason: { _tag: "RejectsHaveNoPlace", target, id: first.id, members } }),
    )
  },
  summary: () => null,
})

/** Sets records aside in a file. */
export const into = (file: SideFile, limits: Quarantine.QuarantineLimits): Rejects => {
  const kept: Array<RejectedRecord> = []
  return {
    add: (table, records, seen) =>
      Effect.suspend(() => {
        if (records.length === 0) return Effect.void
        kept.push(...records)
        return Quarantine.tooMany(kept.length, seen, limits)
          ? Effect.fail(tooMany(kept, seen))
          : file.append(records.map((record) => Quarantine.line(table, record)).join(""))
      }),
    summary: () =>
      kept.length === 0
        ? null
        : { path: file.path, records: kept.length, members: Quarantine.countMembers(kept) },
  }
}

const tooMany = (kept: ReadonlyArray<RejectedRecord>, seen: number): ExportError =>
  new ExportError({
    reason: { _tag: "TooManyRejected", rejected: kept.length, seen, members: Quarantine.countMembers(kept) },
  })

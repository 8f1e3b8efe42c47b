/**
 * Records that are not as specified. They go to `NAME.rejected.ndjson` beside the export, whole, so that neither the table nor these records are lost.
 * Too many of them stop the run, because something else is then wrong. If the target is not a file, the first one stops the run.
 *
 * Errors and results say only which members were wrong, how, and how often: a record is people's data.
 */
import type { RejectedRecord } from "@deedkit/core"
import { Json } from "@deedkit/core"
import type { RejectedMember } from "../error/ExportError.ts"
import { ExportError } from "../error/ExportError.ts"

/** How many records may be rejected before a run stops. */
export interface RejectionLimits {
  /** Default 100. */
  readonly records: number
  /** A share of the records of all tables, from 0 to 1. Default 0.05. Applies after `afterRecords` records were read. */
  readonly share: number
  /** Default 20. */
  readonly afterRecords: number
}

export const defaultLimits: RejectionLimits = { records: 100, share: 0.05, afterRecords: 20 }

/** One line of NDJSON: the record unchanged with every digit, its issues, and the table that it is missing from. */
export const line = (table: string, { id, issues, raw }: RejectedRecord): string =>
  `${Json.stringify({ table, id, issues, raw })}\n`

/** Counts what was wrong, most frequent first. */
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

/** The error of a record that no file can take. */
export const withoutFile = (target: string, record: RejectedRecord): ExportError =>
  new ExportError({
    reason: { _tag: "RejectedHaveNoFile", target, id: record.id, members: countMembers([record]) },
  })

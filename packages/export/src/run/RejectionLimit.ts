/**
 * How many records a run may reject, and what is reported about them. Pure.
 *
 * A rejected record is saved whole beside the export, because it is people's data. Errors and results say only which members were wrong, how, and
 * how often.
 */
import type { RejectedRecord } from "@deedkit/core"
import { Json } from "@deedkit/core"
import type { RejectedMember } from "../error/ExportError.ts"

/** How many records may be rejected before a run stops. */
export interface RejectionLimits {
  /** Default 100. */
  readonly records: number
  /** A share of all records, from 0 to 1. Default 0.05. Applies after `afterRecords` records were read. */
  readonly share: number
  /** Default 20. */
  readonly afterRecords: number
}

export const defaultLimits: RejectionLimits = { records: 100, share: 0.05, afterRecords: 20 }

/** Whether more records were rejected than the limits allow. */
export const tooMany = (rejected: number, seen: number, limits: RejectionLimits): boolean =>
  rejected > limits.records || (seen >= limits.afterRecords && rejected > seen * limits.share)

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

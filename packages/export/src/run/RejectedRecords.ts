/**
 * Saves records that are not as specified to `NAME.rejected.ndjson` beside the export, whole, so that neither the table nor these records are lost.
 * Too many of them stop the run, because something else is then wrong. If the target is not a file, the first one stops the run.
 *
 * Errors and results say only which members were wrong, how, and how often: a record is people's data.
 */
import type { RejectedRecord } from "@deedkit/core"
import { Json } from "@deedkit/core"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { RejectedMember } from "../error/ExportError.ts"
import { ExportError } from "../error/ExportError.ts"
import type { Sidecar } from "./Sidecars.ts"

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
    const members = countMembers([first])
    return Effect.fail(
      new ExportError({ reason: { _tag: "RejectedHaveNoFile", target, id: first.id, members } }),
    )
  },
  summary: () => null,
})

/** Saves rejected records to a file. */
export const into = (file: Sidecar, limits: RejectionLimits): RejectedRecords => {
  const kept: Array<RejectedRecord> = []
  return {
    add: (table, records, seen) =>
      Effect.suspend(() => {
        if (records.length === 0) return Effect.void
        for (const record of records) kept.push(record)
        return tooMany(kept.length, seen, limits)
          ? Effect.fail(tooManyError(kept, seen))
          : file.append(records.map((record) => line(table, record)).join(""))
      }),
    summary: () =>
      kept.length === 0 ? null : { path: file.path, records: kept.length, members: countMembers(kept) },
  }
}

const tooManyError = (kept: ReadonlyArray<RejectedRecord>, seen: number): ExportError =>
  new ExportError({
    reason: {
      _tag: "TooManyRejected",
      rejected: kept.length,
      seen,
      members: countMembers(kept),
    },
  })

/**
 * Whether an export has everything that the service lists, and the evidence for it. The index is as complete as the sync that filled it: it is never
 * called complete if the sync did not reach the end, or if it was synced again during the export.
 */
import { unreadSummary } from "@deedkit/core"
import type { ReadSummary } from "@deedkit/core"
import { Verdict } from "@deedkit/export"
import type { IndexMeta, SmallerList, SyncRecord } from "../index/IndexMeta.ts"

export interface Findings {
  readonly verdict: Verdict.Verdict
  readonly reasons: ReadonlyArray<string>
  readonly evidence: ReadonlyArray<string>
  readonly reading: ReadSummary
}

const records = (count: number): string => (count === 1 ? "1 record" : `${count} records`)

const syncedMeanwhile =
  "The contracts were synced again during the export: some may be missing. Export again."

const smallerSince = ({ completedAt, contracts }: SmallerList): string =>
  `A later read (${completedAt}) listed far fewer contracts: ${contracts}. Some contracts in this file may no longer exist.`

/** The verdict of the read, lowered if records are missing or the index itself is not reliable. */
const judge = (reading: ReadSummary, missing: string | null, problems: ReadonlyArray<string>): Findings => {
  const reasons = { unverified: problems, partial: missing === null ? [] : [missing] }
  const judged = Verdict.judge({ readings: [reading], rejected: 0, failure: null, reasons })
  // Evidence that the list was complete when it was read does not apply to an index with problems.
  return { ...judged, ...(problems.length > 0 ? { evidence: [] } : {}), reading }
}

/** The findings for the index, from its metadata before and after the export and the sync that was running before. */
export const ofIndex = (before: IndexMeta, after: IndexMeta, underWay: SyncRecord | null): Findings => {
  const { completedAt, rejected } = before
  const missing =
    rejected === 0
      ? null
      : `${records(rejected)} of the last sync ${rejected === 1 ? "was" : "were"} not as specified: missing here, or as it was known before.`
  const smaller = after.smaller
  const problems = [
    ...(after.completedAt === completedAt ? [] : [syncedMeanwhile]),
    ...(smaller === undefined ? [] : [smallerSince(smaller)]),
  ]
  if (completedAt === null) {
    const known = underWay?.checkpoint?.summary ?? unreadSummary("contracts", underWay?.startedAt ?? "")
    return judge({ ...known, complete: false }, missing, problems)
  }
  const reading = before.summary ?? {
    ...unreadSummary("contracts", completedAt),
    records: before.contracts,
    complete: true,
  }
  return judge(reading, missing, problems)
}

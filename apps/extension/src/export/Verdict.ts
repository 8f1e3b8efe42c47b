/**
 * Whether an export is everything that the service lists, and why it should be believed. The index is as complete as the reading that filled
 * it: one that was never synced to its end is never called complete, nor is one that was renewed while it was read.
 */
import type { ReadSummary } from "@deedkit/core"
import { Verdict } from "@deedkit/export"
import type { Ledger, SyncRecord } from "../index/Ledger.ts"
import type { SmallerList } from "../index/SmallerList.ts"

export interface Findings {
  readonly verdict: Verdict.Verdict
  readonly reasons: ReadonlyArray<string>
  readonly evidence: ReadonlyArray<string>
  readonly reading: ReadSummary
}

/** A reading of which nothing is known but what is given. */
const readingOf = (
  known: Partial<ReadSummary> & Pick<ReadSummary, "collection" | "startedAt">,
): ReadSummary => ({
  endedAt: known.startedAt,
  resumed: null,
  pages: 0,
  records: 0,
  duplicates: 0,
  repeats: 0,
  supersededDuplicates: 0,
  rejected: 0,
  changedDuringRead: 0,
  requests: 0,
  retries: 0,
  waitedMillis: 0,
  limit: null,
  clampedTo: null,
  ordering: "unknown",
  anomalies: {},
  cursor: { parameter: "before_id", state: "unverified", evidence: null },
  cursorMeaning: "none",
  order: "unknown",
  complete: false,
  completeness: { state: "unverified", reason: "unfinished", readings: 0, differences: 0 },
  ...known,
})

const records = (count: number): string => (count === 1 ? "1 record" : `${count} records`)

const renewedMeanwhile =
  "The index was renewed while the file was made: contracts may be missing. Export again."

const smallerSince = ({ completedAt, contracts }: SmallerList): string =>
  `A later read (${completedAt}) listed far fewer contracts: ${contracts}. Contracts here may be gone.`

/** What is left of the verdict when records were not as specified, or something speaks against the index itself. */
const judge = (reading: ReadSummary, leftOut: string | null, doubts: ReadonlyArray<string>): Findings => {
  const judged = Verdict.judge({ readings: [reading], rejected: 0, failure: null })
  const reasons = [...judged.reasons, ...doubts, ...(leftOut === null ? [] : [leftOut])]
  const { evidence } = judged
  if (doubts.length > 0) return { verdict: "unverified", reasons, evidence: [], reading }
  const isPartial = judged.verdict === "complete" && leftOut !== null
  return { verdict: isPartial ? "partial" : judged.verdict, reasons, evidence, reading }
}

/** The index before and after it was read, and the reading that was under way before. */
export const ofIndex = (
  before: Ledger | null,
  after: Ledger | null,
  underWay: SyncRecord | null,
): Findings => {
  const completedAt = before?.completedAt ?? null
  const rejected = before?.rejected ?? 0
  const leftOut =
    rejected === 0
      ? null
      : `${records(rejected)} of the last reading ${rejected === 1 ? "was" : "were"} not as specified: missing here, or as it was known before.`
  const smaller = after?.smaller
  const doubts = [
    ...((after?.completedAt ?? null) === completedAt ? [] : [renewedMeanwhile]),
    ...(smaller === undefined ? [] : [smallerSince(smaller)]),
  ]
  if (completedAt === null) {
    const known = underWay?.checkpoint?.summary
    const started = readingOf({ collection: "contracts", startedAt: underWay?.startedAt ?? "" })
    return judge({ ...started, ...known, complete: false }, leftOut, doubts)
  }
  const reading = before?.summary ?? {
    ...readingOf({ collection: "contracts", startedAt: completedAt, records: before?.contracts ?? 0 }),
    complete: true,
  }
  return judge(reading, leftOut, doubts)
}

/** A list of API keys that was read for the export. */
export const ofApiKeys = (reading: ReadSummary | null, readAt: string): Findings => {
  const known = reading ?? readingOf({ collection: "api-keys", startedAt: readAt })
  const leftOut = known.rejected === 0 ? null : `${records(known.rejected)} not as specified: missing here.`
  return judge(known, leftOut, [])
}

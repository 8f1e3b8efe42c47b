/**
 * Whether an export is everything that the service lists, and why it should be believed. The index is as complete as the walk that filled
 * it: one that was never walked to its end is never called complete, nor is one that was renewed while it was read.
 */
import type { WalkSummary } from "@deedkit/core"
import { Verdict } from "@deedkit/export"
import type { Ledger, WalkRecord } from "../index/Ledger.ts"
import type { SmallerList } from "../index/SmallerList.ts"

export interface Findings {
  readonly verdict: Verdict.Verdict
  readonly reasons: ReadonlyArray<string>
  readonly evidence: ReadonlyArray<string>
  readonly walk: WalkSummary
}

/** A walk of which nothing is known but what is given. */
const walkOf = (
  known: Partial<WalkSummary> & Pick<WalkSummary, "collection" | "startedAt">,
): WalkSummary => ({
  endedAt: known.startedAt,
  resumed: null,
  pages: 0,
  records: 0,
  duplicates: 0,
  repeats: 0,
  supersededDuplicates: 0,
  invalid: 0,
  changedDuringWalk: 0,
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
const judge = (walk: WalkSummary, leftOut: string | null, doubts: ReadonlyArray<string>): Findings => {
  const judged = Verdict.judge({ walks: [walk], rejected: 0, failure: null })
  const reasons = [...judged.reasons, ...doubts, ...(leftOut === null ? [] : [leftOut])]
  const { evidence } = judged
  if (doubts.length > 0) return { verdict: "unverified", reasons, evidence: [], walk }
  const isPartial = judged.verdict === "complete" && leftOut !== null
  return { verdict: isPartial ? "partial" : judged.verdict, reasons, evidence, walk }
}

/** The index before and after it was read, and the walk that was under way before. */
export const ofIndex = (
  before: Ledger | null,
  after: Ledger | null,
  underWay: WalkRecord | null,
): Findings => {
  const completedAt = before?.completedAt ?? null
  const invalid = before?.invalid ?? 0
  const leftOut =
    invalid === 0
      ? null
      : `${records(invalid)} of the last walk ${invalid === 1 ? "was" : "were"} not as specified: missing here, or as it was known before.`
  const smaller = after?.smaller
  const doubts = [
    ...((after?.completedAt ?? null) === completedAt ? [] : [renewedMeanwhile]),
    ...(smaller === undefined ? [] : [smallerSince(smaller)]),
  ]
  if (completedAt === null) {
    const known = underWay?.checkpoint?.summary
    const started = walkOf({ collection: "contracts", startedAt: underWay?.startedAt ?? "" })
    return judge({ ...started, ...known, complete: false }, leftOut, doubts)
  }
  const walk = before?.summary ?? {
    ...walkOf({ collection: "contracts", startedAt: completedAt, records: before?.contracts ?? 0 }),
    complete: true,
  }
  return judge(walk, leftOut, doubts)
}

/** A list of API keys that was read for the export. */
export const ofApiKeys = (walk: WalkSummary | null, readAt: string): Findings => {
  const known = walk ?? walkOf({ collection: "api-keys", startedAt: readAt })
  const leftOut = known.invalid === 0 ? null : `${records(known.invalid)} not as specified: missing here.`
  return judge(known, leftOut, [])
}

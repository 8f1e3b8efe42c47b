/** Describes in words what a mirror's proof says about a list that was read from it. Pure. */
import type { ReadSummary } from "@deedkit/core"
import { Verdict } from "@deedkit/export"
import type { RunRow, Snapshot } from "@deedkit/sync"
import { isComplete } from "@deedkit/sync"
import type { StoredList } from "../../session/RecordSource.ts"
import { nounsOf } from "../../terminal/ClosingLine.ts"
import { count, duration } from "../../terminal/Figures.ts"
import { clean } from "../../terminal/TerminalText.ts"
import * as RunText from "../mirror/RunText.ts"
import type { Moment } from "./MirrorFlags.ts"

/** `22 h before 2026-10-31T00:00:00.000Z`, or `22 h ago`; null if the clock was set back. */
const age = ({ endedAt }: RunRow, { asOf, nowMillis }: Moment): string | null => {
  const millis = nowMillis - Date.parse(endedAt)
  if (millis < 0) return null
  return asOf === null ? `${duration(millis)} ago` : `${duration(millis)} before ${asOf}`
}

const line = (row: RunRow, isWhole: boolean, moment: Moment): string => {
  const { account, collection, completeness, endedAt, run, startedAt, unlisted } = row
  const { many, one } = nounsOf(collection)
  return [
    `${count(row.records, one, many)} of ${clean(account)}`,
    ...(unlisted === 0 ? [] : [`${count(unlisted, "", "").trim()} more not listed`]),
    `read ${startedAt} to ${endedAt} by run ${run} of the mirror`,
    ...[age(row, moment)].filter((each) => each !== null),
    isWhole ? `complete (${completeness})` : "not complete",
  ].join(", ")
}

/** The evidence that the list is complete. The mirror does not count the differences between two readings. */
const evidence = (row: RunRow, summary: ReadSummary): ReadonlyArray<string> => {
  if (row.completeness === "proven") return Verdict.evidenceOf(summary)
  const { many } = nounsOf(row.collection)
  return [
    `The list of ${many} was read ${row.readings} times between ${row.startedAt} and ${row.endedAt}; nothing differed but what was created, changed or removed meanwhile.`,
  ]
}

/** The description of a snapshot's list. It never claims more than the snapshot's proof. */
export const storedOf = (
  { brokenAt, hash, missing, row }: Pick<Snapshot, "brokenAt" | "hash" | "missing" | "row">,
  summary: ReadSummary,
  moment: Moment,
): StoredList => {
  const broken = [
    ...(brokenAt === null ? [] : [RunText.broken(brokenAt)]),
    ...(missing === 0 ? [] : [RunText.miscounted(missing, row.collection)]),
  ]
  const lacking = isComplete(row) ? [] : [RunText.why(row)]
  const isWhole = broken.length + lacking.length === 0
  return {
    run: row.run,
    sha256: hash,
    // An export itself says why a reading is unverified.
    reasons: { unverified: broken, partial: row.completeness === "unverified" ? [] : lacking },
    evidence: isWhole ? evidence(row, summary) : [],
    line: line(row, isWhole, moment),
    problems: [...broken, ...lacking],
  }
}

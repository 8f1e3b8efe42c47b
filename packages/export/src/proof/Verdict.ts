/**
 * Decides whether an export holds everything that the service lists, and gives the evidence.
 *
 * An export is `complete` only if its lists were read to their end by a cursor that was seen to work, their completeness was proven or confirmed,
 * and no record was rejected or lacks its data (Spec: Endpoints 5, 6 leave the rest open). The verdict is about a time window: every record that
 * existed during the whole window is in the files, in its state at some moment of the window.
 */
import type { ReadSummary } from "@deedkit/core"

/**
 * `complete` every record that existed during the whole window is in the files · `partial` records were rejected, or lack their data ·
 * `unverified` the list was read to its end, but it was not shown that nothing is missing · `interrupted` the run did not finish, and there
 * is no file.
 */
export type Verdict = "complete" | "partial" | "unverified" | "interrupted"

export interface Findings {
  readonly readings: ReadonlyArray<ReadSummary>
  readonly rejected: number
  /** Records that lack the data payload that was asked for. Default 0. */
  readonly withoutData?: number | undefined
  /** Why the run did not finish; null when it did. */
  readonly failure: string | null
  /** Evidence that the lists are complete, in sentences. Default: the evidence of their readings. */
  readonly evidence?: ReadonlyArray<string> | undefined
  /** Further reasons of the caller, by the best verdict that each allows. Default: none. */
  readonly reasons?: { readonly [Name in "unverified" | "partial"]: ReadonlyArray<string> } | undefined
}

const noun = (count: number, singular: string): string => `${count} ${singular}${count === 1 ? "" : "s"}`

const nameOf = ({ collection }: Pick<ReadSummary, "collection">): string =>
  collection === "contracts" ? "contract" : "API key"

/** `5 h`, `12 min`, `40 s`, `3 days`. */
const span = (millis: number): string => {
  const seconds = Math.max(0, Math.round(millis / 1_000))
  if (seconds < 120) return `${seconds} s`
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} days`
}

const pause = (reading: ReadSummary): string | null => {
  const { resumed } = reading
  if (resumed === null) return null
  const length = span(Date.parse(resumed.resumedAt) - Date.parse(resumed.pausedAt))
  const changed = resumed.changed === 0 ? "" : `, and ${resumed.changed} seen later were changed during it`
  return `${noun(resumed.records, nameOf(reading))} were read before a pause of ${length} and not read again${changed}.`
}

/** What is known of a list that was read to its end and is not known to be complete. */
export interface Unverified extends Pick<ReadSummary, "collection"> {
  readonly reason: string | null
  readonly readings: number
  readonly cursorParameter: string | null
  readonly cursorEvidence: string | null
}

/** Why a list that was read to its end is not known to be complete, in a sentence. `again` says what to do again: `Export` or `Sync`. */
export const unverifiedBecause = (list: Unverified, again: string): string => {
  const { cursorEvidence, cursorParameter, readings, reason } = list
  const many = `${nameOf(list)}s`
  switch (reason) {
    case "cursor-unverified": {
      const why = cursorEvidence === null ? "" : `: ${cursorEvidence}`
      return `It could not be verified that the cursor ?${cursorParameter}= reaches all ${many}${why}.`
    }
    case "moving":
      return `After ${noun(readings, "reading")}, ${many} were still found in one reading and missing from another. ${again} again when fewer of them are being changed.`
    case "contradiction":
      return `The service's pages contradict each other: it seems to filter ${many} by the id that the cursor names, and to sort them by something else, which can hide some.`
    case "reading-failed":
      return `The list was read to its end, but a request that would have shown that no ${nameOf(list)} is missing failed.`
    case "resumed":
      return `The list is not in the order of ids, and the ${many} read before the pause were not read again.`
    default:
      return `Pages of ${many} do not overlap, and nothing was read twice: removed records may have hidden others.`
  }
}

/** Why a list is not known to be complete; empty for one that is. */
const reasonsOf = (reading: ReadSummary): ReadonlyArray<string> => {
  const { collection, complete, completeness, cursor, pages, resumed } = reading
  if (!complete) return [`The list of ${nameOf(reading)}s broke off after ${noun(pages, "page")}.`]
  const paused = resumed !== null && resumed.changed > 0 ? [pause(reading)!] : []
  if (completeness.state !== "unverified") return paused
  const { reason, readings } = completeness
  const list = {
    collection,
    reason,
    readings,
    cursorParameter: cursor.parameter,
    cursorEvidence: cursor.evidence,
  }
  const why = unverifiedBecause(list, "Export")
  return reason === "cursor-unverified" || reason === "contradiction" ? [why] : [why, ...paused]
}

/** Evidence that a list is complete, in sentences; empty for one that is not. */
export const evidenceOf = (reading: ReadSummary): ReadonlyArray<string> => {
  const { anomalies, completeness, endedAt, startedAt } = reading
  if (!reading.complete || completeness.state === "unverified") return []
  const when = `between ${startedAt} and ${endedAt}`
  const many = `${nameOf(reading)}s`
  const paused = pause(reading)
  const notes = [
    ...(paused === null ? [] : [paused]),
    // 0, -1 and "" are taken for the end; only null is documented (Spec: Endpoints, rule 2).
    ...((anomalies["end-sentinel"] ?? 0) === 0 ? [] : ["The list did not end with null."]),
  ]
  switch (completeness.reason) {
    case "one-page":
      return [`The list of ${many} was read ${when}, in one answer.`, ...notes]
    case "linked-pages":
      return [
        `The list of ${many} was read ${when}. The list is in the order of ids and every page begins where the one before ended, so no ${nameOf(reading)} that existed all that time is missing.`,
        ...notes,
      ]
    default: {
      const times = completeness.readings === 2 ? "twice" : `${completeness.readings} times`
      const differed =
        completeness.differences === 0
          ? "nothing differed"
          : `nothing differed but ${noun(completeness.differences, nameOf(reading))} created, changed or removed meanwhile`
      return [`The list of ${many} was read ${times} ${when}; ${differed}.`, ...notes]
    }
  }
}

/** Whether a list is complete, judged by the list alone. */
export const isComplete = (reading: ReadSummary): boolean => reasonsOf(reading).length === 0

/** Returns the verdict, the reasons why it is not `complete`, and the evidence for each list that is complete. */
export const judge = ({
  evidence: given,
  failure,
  rejected,
  readings,
  reasons: own = { unverified: [], partial: [] },
  withoutData = 0,
}: Findings): {
  readonly verdict: Verdict
  readonly reasons: ReadonlyArray<string>
  readonly evidence: ReadonlyArray<string>
} => {
  const open = [...readings.flatMap(reasonsOf), ...own.unverified]
  const evidence = given ?? readings.flatMap(evidenceOf)
  if (failure !== null) return { verdict: "interrupted", reasons: [failure, ...open], evidence }
  const lacking = [
    ...(rejected === 0
      ? []
      : [`${noun(rejected, "record")} not as specified: rejected, and saved in a separate file.`]),
    ...(withoutData === 0 ? [] : [`${noun(withoutData, "record")} without the data that was requested.`]),
    ...own.partial,
  ]
  const reasons = [...open, ...lacking]
  if (open.length > 0) return { verdict: "unverified", reasons, evidence }
  return { verdict: lacking.length > 0 ? "partial" : "complete", reasons, evidence }
}

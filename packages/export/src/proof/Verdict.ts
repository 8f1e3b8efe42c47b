/**
 * Decides whether an export holds everything that the service lists, and gives the evidence.
 *
 * An export is `complete` only if its lists were read to their end by a cursor that was seen to work, their completeness was proven or confirmed,
 * and no record was rejected or lacks its data (Spec: Endpoints 5, 6 leave the rest open). The verdict is about a time window: every record that
 * existed during the whole window is in the files, in its state at some moment of the window.
 */
import type { ReadSummary } from "@deedkit/core"
import type { Language, Text } from "../Texts.ts"
import { say } from "../Texts.ts"

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
  /** The language of reasons and evidence. Default `en`. */
  readonly language?: Language | undefined
  /** Further reasons of the caller, by the best verdict that each allows. Default: none. */
  readonly reasons?: { readonly [Name in "unverified" | "partial"]: ReadonlyArray<string> } | undefined
}

/** `1 page`, `3 pages`. */
const noun = (language: Language, count: number, one: Text, many: Text): string =>
  say(language, count === 1 ? one : many, count)

type List = Pick<ReadSummary, "collection">

const countOf = (language: Language, count: number, { collection }: List): string =>
  collection === "contracts"
    ? noun(language, count, "{0} contract", "{0} contracts")
    : noun(language, count, "{0} API key", "{0} API keys")

/** One record of a list, in English sentences. */
const oneOf = ({ collection }: List): string => (collection === "contracts" ? "contract" : "API key")

/** The records of a list, without a count: `contracts`. */
const namesOf = (language: Language, { collection }: List): string => {
  if (collection === "contracts") return say(language, "contracts")
  const title = say(language, "API keys")
  return language === "en" ? title : title.charAt(0).toLowerCase() + title.slice(1)
}

/** `5 h`, `12 min`, `40 s`, `3 days`. */
const span = (language: Language, millis: number): string => {
  const seconds = Math.max(0, Math.round(millis / 1_000))
  if (seconds < 120) return say(language, "{0} s", seconds)
  if (seconds < 7_200) return say(language, "{0} min", Math.round(seconds / 60))
  return seconds < 172_800
    ? say(language, "{0} h", Math.round(seconds / 3_600))
    : say(language, "{0} days", Math.round(seconds / 86_400))
}

const pause = (reading: ReadSummary, language: Language): string | null => {
  const { resumed } = reading
  if (resumed === null) return null
  const records = countOf(language, resumed.records, reading)
  const length = span(language, Date.parse(resumed.resumedAt) - Date.parse(resumed.pausedAt))
  return resumed.changed === 0
    ? say(language, "Read before a pause of {1} and not read again: {0}.", records, length)
    : say(
        language,
        "Read before a pause of {1} and not read again: {0}. Seen later and changed during it: {2}.",
        records,
        length,
        resumed.changed,
      )
}

/** What is known of a list that was read to its end and is not known to be complete. */
export interface Unverified extends Pick<ReadSummary, "collection"> {
  readonly reason: string | null
  readonly readings: number
  readonly cursorParameter: string | null
  readonly cursorEvidence: string | null
}

/** Why a list that was read to its end is not known to be complete, in a sentence. `again` says what to do again: `Export` or `Sync`. */
export const unverifiedBecause = (list: Unverified, again: string, language: Language = "en"): string => {
  const { cursorEvidence, cursorParameter, readings, reason } = list
  const many = namesOf(language, list)
  switch (reason) {
    case "cursor-unverified": {
      const why = cursorEvidence === null ? "" : `: ${cursorEvidence}`
      return say(
        language,
        "It could not be verified that the cursor ?{0}= reaches all {1}{2}.",
        cursorParameter ?? "",
        many,
        why,
      )
    }
    case "moving":
      return say(
        language,
        "After {0}, {1} were still found in one reading and missing from another. {2} again when fewer of them are being changed.",
        noun(language, readings, "{0} reading", "{0} readings"),
        many,
        again,
      )
    case "contradiction":
      return say(
        language,
        "The service's pages contradict each other: it seems to filter {0} by the id that the cursor names, and to sort them by something else, which can hide some.",
        many,
      )
    case "reading-failed":
      return say(
        language,
        "The list was read to its end, but a request that would have shown that no {0} is missing failed.",
        oneOf(list),
      )
    case "resumed":
      return say(
        language,
        "The list is not in the order of ids, and the {0} read before the pause were not read again.",
        many,
      )
    default:
      return say(
        language,
        "Pages of {0} do not overlap, and nothing was read twice: removed records may have hidden others.",
        many,
      )
  }
}

/** Why a list is not known to be complete; empty for one that is. */
const reasonsOf = (reading: ReadSummary, language: Language): ReadonlyArray<string> => {
  const { collection, complete, completeness, cursor, pages, resumed } = reading
  if (!complete) {
    const read = noun(language, pages, "{0} page", "{0} pages")
    return [say(language, "The list of {0} broke off after {1}.", namesOf(language, reading), read)]
  }
  const paused = resumed !== null && resumed.changed > 0 ? [pause(reading, language)!] : []
  if (completeness.state !== "unverified") return paused
  const { reason, readings } = completeness
  const list = {
    collection,
    reason,
    readings,
    cursorParameter: cursor.parameter,
    cursorEvidence: cursor.evidence,
  }
  const why = unverifiedBecause(list, "Export", language)
  return reason === "cursor-unverified" || reason === "contradiction" ? [why] : [why, ...paused]
}

/**
 * Evidence that a list is complete, in sentences; empty for one that is not. `isCounted`: whether the differences between its readings were counted,
 * which a mirror does not keep.
 */
export const evidenceOf = (
  reading: ReadSummary,
  language: Language = "en",
  isCounted = true,
): ReadonlyArray<string> => {
  const { anomalies, completeness, endedAt, startedAt } = reading
  if (!reading.complete || completeness.state === "unverified") return []
  const many = namesOf(language, reading)
  const paused = pause(reading, language)
  const notes = [
    ...(paused === null ? [] : [paused]),
    // 0, -1 and "" are taken for the end; only null is documented (Spec: Endpoints, rule 2).
    ...((anomalies["end-sentinel"] ?? 0) === 0 ? [] : [say(language, "The list did not end with null.")]),
  ]
  switch (completeness.reason) {
    case "one-page":
      return [
        say(
          language,
          "The list of {0} was read between {1} and {2}, in one answer.",
          many,
          startedAt,
          endedAt,
        ),
        ...notes,
      ]
    case "linked-pages":
      return [
        say(
          language,
          "The list of {0} was read between {1} and {2}. The list is in the order of ids and every page begins where the one before ended, so no {3} that existed all that time is missing.",
          many,
          startedAt,
          endedAt,
          oneOf(reading),
        ),
        ...notes,
      ]
    default: {
      const { readings } = completeness
      const differences = completeness.differences + reading.supersededDuplicates
      const times = readings === 2 ? say(language, "twice") : say(language, "{0} times", readings)
      const text = !isCounted
        ? "The list of {0} was read {1} between {2} and {3}; nothing differed but what was created, changed or removed meanwhile."
        : differences === 0
          ? "The list of {0} was read {1} between {2} and {3}; nothing differed."
          : "The list of {0} was read {1} between {2} and {3}; nothing differed but {4} created, changed or removed meanwhile."
      return [
        say(language, text, many, times, startedAt, endedAt, countOf(language, differences, reading)),
        ...notes,
      ]
    }
  }
}

/** Whether a list is complete, judged by the list alone. */
export const isComplete = (reading: ReadSummary): boolean => reasonsOf(reading, "en").length === 0

/** Returns the verdict, the reasons why it is not `complete`, and the evidence for each list that is complete. */
export const judge = ({
  evidence: given,
  failure,
  language = "en",
  rejected,
  readings,
  reasons: own = { unverified: [], partial: [] },
  withoutData = 0,
}: Findings): {
  readonly verdict: Verdict
  readonly reasons: ReadonlyArray<string>
  readonly evidence: ReadonlyArray<string>
} => {
  const open = [...readings.flatMap((reading) => reasonsOf(reading, language)), ...own.unverified]
  const evidence = given ?? readings.flatMap((reading) => evidenceOf(reading, language))
  if (failure !== null) return { verdict: "interrupted", reasons: [failure, ...open], evidence }
  const lacking = [
    ...(rejected === 0
      ? []
      : [
          noun(
            language,
            rejected,
            "{0} record not as specified: rejected, and saved in a separate file.",
            "{0} records not as specified: rejected, and saved in a separate file.",
          ),
        ]),
    ...(withoutData === 0
      ? []
      : [
          noun(
            language,
            withoutData,
            "{0} record without the data that was requested.",
            "{0} records without the data that was requested.",
          ),
        ]),
    ...own.partial,
  ]
  const reasons = [...open, ...lacking]
  if (open.length > 0) return { verdict: "unverified", reasons, evidence }
  return { verdict: lacking.length > 0 ? "partial" : "complete", reasons, evidence }
}

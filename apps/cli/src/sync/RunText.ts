/** Describes a read of a mirror in words: counts, changes, and whether it is complete or why not. Pure. */
import { Period, Verdict } from "@deedkit/export"
import type { AccountStatus, Collection, ListStatus, RunRow } from "@deedkit/sync"
import { isComplete } from "@deedkit/sync"
import { count, figure } from "../terminal/Figures.ts"
import { nounsOf } from "../terminal/ClosingLine.ts"
import { startAgain } from "../failure/MirrorCatalogue.ts"

/** `150 removals held`. */
const heldText = (held: number): string => `${count(held, "removal", "removals")} held`

const heldWhy = ({ account, collection, held, records }: RunRow): string => {
  const { many, one } = nounsOf(collection)
  return `The list has ${count(records, one, many)}, and ${count(held, "that the mirror has is", "that the mirror has are")} gone: more than an account usually loses in a night. Nothing was removed. If that is right, run \`deedkit sync accept MIRROR ${account}\` and sync again.`
}

/** Why a read is not complete, as a sentence. */
export const why = (row: RunRow): string => {
  if (row.completeness === "unverified") return Verdict.unverifiedBecause(row, "Sync")
  return [
    ...(row.held === 0 ? [] : [heldWhy(row)]),
    ...(row.rejected === 0
      ? []
      : [`${count(row.rejected, "record is", "records are")} not as specified and not stored.`]),
    ...(row.withoutData === 0
      ? []
      : [`${count(row.withoutData, "record", "records")} without the data payload that was requested.`]),
  ].join(" ")
}

const outcome = (row: RunRow): string => (isComplete(row) ? `complete (${row.completeness})` : "not complete")

/** The changes in words; empty if nothing changed. */
const changed = ({ added, changed: updated, removed, returned }: RunRow): ReadonlyArray<string> =>
  [
    [added, "added"],
    [updated, "changed"],
    [removed, "removed"],
    [returned, "returned"],
  ].flatMap(([number, word]) => (number === 0 ? [] : [`${figure(Number(number))} ${word}`]))

/** `1,204 contracts, 3 added, complete (proven)`. */
export const line = (row: RunRow): string => {
  const { many, one } = nounsOf(row.collection)
  const changes = changed(row)
  return [
    count(row.records, one, many),
    ...(changes.length === 0 ? ["no changes"] : changes),
    ...(row.unlisted === 0 ? [] : [`${count(row.unlisted, "is", "are")} no longer listed`]),
    ...(row.held === 0 ? [] : [heldText(row.held)]),
    ...(row.resumedAtPage === 0 ? [] : [`resumed after ${count(row.resumedAtPage, "page", "pages")}`]),
    outcome(row),
  ].join(", ")
}

/** The message that rows of a list's proof were changed. `run` is the first run that shows it. */
export const broken = (run: number): string =>
  `The proof of run ${run} does not follow the one before: rows of sync_run were changed or deleted. ${startAgain}`

/** The message that the mirror does not hold the records that its runs stored. `missing` is as in `ListStatus`. */
export const miscounted = (missing: number, collection: Collection): string => {
  const { many, one } = nounsOf(collection)
  const records = count(Math.abs(missing), one, many)
  const found =
    missing > 0 ? `lacks ${records} that its runs left` : `has ${records} that its runs did not leave`
  return `The mirror ${found}: rows were changed or deleted. ${startAgain}`
}

/** The message that an account has rows of records, but not its own row. */
const rowless =
  "Its row in the table account was deleted, so it is not known whose records these are. Sync it again, or remove it with `deedkit sync forget`."

/** The range of moments that are recent enough. A moment in the future was recorded before the clock was set back and does not show an age. */
export interface Recent {
  readonly from: string
  readonly to: string
}

/** The problem of a list, in sentences; null if it is complete and, if `recent` is given, recent enough. */
const listProblem = (
  { brokenAt, last, lastComplete, missing }: ListStatus,
  collection: Collection,
  recent: Recent | null,
  acceptedRun: number | null,
): string | null => {
  const { many } = nounsOf(collection)
  const since =
    lastComplete === null ? "It was never complete." : `Complete before, at ${lastComplete.endedAt}.`
  if (brokenAt !== null) return broken(brokenAt)
  if (missing !== null && missing !== 0) return miscounted(missing, collection)
  if (last === null) return `The ${many} were never read to their end.`
  if (last.held > 0 && acceptedRun !== null && acceptedRun >= last.run)
    return `The removal of ${count(last.held, nounsOf(collection).one, many)} is accepted. The next sync does it.`
  if (!isComplete(last)) return `${why(last)} ${since}`
  if (recent !== null && last.endedAt < recent.from)
    return `The ${many} were last complete at ${last.endedAt}.`
  if (recent !== null && last.endedAt > recent.to)
    return `The ${many} were last complete at ${last.endedAt}, which is in the future: the clock was set back. Sync again.`
  return null
}

/** The last moment of the year 9999: ISO 8601 writes later moments in another form. */
const latestMillis = 253_402_300_799_999

/** The problems of an account, in sentences; null if it is complete. The last failure comes first, because it says what to do now. */
export const accountProblem = (
  { acceptedRun, addedAt, lists, problem, problemAt }: AccountStatus,
  recent: Recent | null,
): string | null => {
  const problems = [
    ...(problem === null ? [] : [`Failed at ${problemAt}: ${problem}`]),
    ...lists.flatMap((each) => listProblem(each, each.collection, recent, acceptedRun) ?? []),
    ...(lists.length === 0 ? ["It was never read."] : []),
    ...(addedAt === null ? [rowless] : []),
  ]
  return problems.length === 0 ? null : problems.join(" ")
}

/** How far the clock of another machine may be ahead of this one. */
const mostAheadMillis = 300_000

/** The range of moments that count as recent: up to `maxAge` ago, and slightly in the future. */
export const recentAt = (nowMillis: number, maxAge: string): Recent => {
  // The flag accepts only valid spans.
  const span = Period.span(maxAge) ?? 0
  const momentAt = (millis: number): string =>
    new Date(Math.min(Math.max(0, millis), latestMillis)).toISOString()
  return { from: momentAt(nowMillis - span), to: momentAt(nowMillis + Math.min(span, mostAheadMillis)) }
}

/** The moment since which all lists of an account are known to be complete; null if one never was. */
export const completeAt = ({ lists }: AccountStatus): string | null => {
  const moments = lists.map(({ lastComplete }) => lastComplete?.endedAt ?? null)
  return moments.reduce<string | null>(
    (earliest, each) => (earliest === null || each === null ? null : each < earliest ? each : earliest),
    moments[0] ?? null,
  )
}

/** The state of an account in a word or two, such as `proven` or `not complete`. `why` is its problem. */
export const stateOf = (account: AccountStatus, why: string | null): string => {
  const { lists, problem } = account
  if (problem !== null) return "failed"
  if (why === null) return lists.every(({ last }) => last?.completeness === "proven") ? "proven" : "confirmed"
  if (lists.some(({ last }) => last !== null && last.held > 0)) return "held"
  if (lists.some(({ last, running }) => last === null && running !== null)) return "interrupted"
  return accountProblem(account, null) === null ? "stale" : "not complete"
}

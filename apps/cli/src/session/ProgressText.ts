/**
 * The texts of progress, from events of the client: how far a read is, why it waits and until when. Pure.
 */
import type { ClientEvent, ReadSummary } from "@deedkit/core"
import * as Catalogue from "../failure/Catalogue.ts"
import { nounsOf } from "../terminal/ClosingLine.ts"
import { count, duration, timeOfDay } from "../terminal/Figures.ts"

/** Why the client waits and until when; null for the short waits of the rate limiter. */
export const wait = (event: ClientEvent.Waiting): string | null => {
  if (event.why === "throttled") return null
  const moment = event.waitMillis < 950 ? `in ${duration(event.waitMillis)}` : `at ${timeOfDay(event.until)}`
  if (event.why === "retry") return `${Catalogue.ofRetry(event.reason)}; retrying ${moment}`
  // The client adds less than a second to the time that the server asks for, so that many clients do not return at once.
  const asked = duration(1_000 * Math.max(1, Math.floor(event.waitMillis / 1_000)))
  return event.source === "retry-after"
    ? `rate limited; the server asked for ${asked}; resuming ${moment}`
    : `rate limited; resuming ${moment}`
}

/** How far a read is: `contracts: 3 pages, 150 records, 61 a second`. */
export const reading = (summary: ReadSummary, elapsedMillis: number): string => {
  const pages = count(summary.pages, "page", "pages")
  const records = count(summary.records, "record", "records")
  const rate =
    elapsedMillis < 200
      ? ""
      : `, ${count(Math.round((summary.records * 1_000) / elapsedMillis), "", "").trim()} a second`
  return `${nounsOf(summary.collection).many}: ${pages}, ${records}${rate}`
}

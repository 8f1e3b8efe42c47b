/**
 * What progress says: pure, from events of the client to words. The reason of every wait is named, and when it ends.
 */
import type { ClientEvent, ClientError, ReadSummary } from "@deedkit/core"
import { count, duration, timeOfDay } from "./Figures.ts"

/** What a collection is called: the client's name for it to words. */
export const nouns: {
  readonly [Name in ReadSummary["collection"]]: { readonly one: string; readonly many: string }
} = {
  contracts: { one: "contract", many: "contracts" },
  "api-keys": { one: "API key", many: "API keys" },
}

const mishap = (reason: ClientError.ReasonTag | null): string => {
  switch (reason) {
    case "TransportFailed":
      return "the connection failed"
    case "TimedOut":
      return "no answer in time"
    case "ServerFault":
      return "the service failed"
    case "BodyInvalid":
      return "the answer was cut or garbled"
    default:
      return "the service asked to try again"
  }
}

/** Why it waits and until when; null for the short waits that only keep the pace. */
export const wait = (event: ClientEvent.Waiting): string | null => {
  if (event.why === "throttled") return null
  const moment = event.waitMillis < 950 ? `in ${duration(event.waitMillis)}` : `at ${timeOfDay(event.until)}`
  if (event.why === "retry") return `${mishap(event.reason)}; trying again ${moment}`
  // The client adds less than a second to what the server asks for, so that many clients do not come back at once.
  const asked = duration(1_000 * Math.max(1, Math.floor(event.waitMillis / 1_000)))
  return event.source === "retry-after"
    ? `rate limited; the server asked for ${asked}; going on ${moment}`
    : `rate limited; the server named no time; going on ${moment}`
}

/** How far a read is: `contracts: 3 pages, 150 records, 61 a second`. */
export const reading = (summary: ReadSummary, elapsedMillis: number): string => {
  const pages = count(summary.pages, "page", "pages")
  const records = count(summary.records, "record", "records")
  const rate =
    elapsedMillis < 200
      ? ""
      : `, ${count(Math.round((summary.records * 1_000) / elapsedMillis), "", "").trim()} a second`
  return `${nouns[summary.collection].many}: ${pages}, ${records}${rate}`
}

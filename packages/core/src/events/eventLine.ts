/**
 * Events as log lines: UTC timestamps and request ids, as the specification advises (Spec: Events). Events hold no key and no value of a
 * record, so neither can a log.
 */
import type { ClientEvent } from "./ClientEvent.ts"

/** An event as one line of text. */
export const line = (event: ClientEvent): string => {
  switch (event._tag) {
    case "Attempted": {
      const status = event.status === null ? "no status" : String(event.status)
      const again = event.attempt === 1 ? "" : `, attempt ${event.attempt}`
      const id = event.requestId === null ? "no request id" : `request id ${event.requestId}`
      return `${event.at} #${event.localId} ${event.method} ${event.target}: ${status} ${event.outcome} in ${event.durationMillis} ms, ${id}${again}`
    }
    case "Waiting": {
      const reason = event.reason === null ? "" : ` (${event.reason})`
      return `${event.at} waiting ${event.waitMillis} ms until ${event.until}: ${event.why}${reason}, named by ${event.source}`
    }
    case "PageRead":
      return `${event.at} page ${event.summary.pages} of ${event.collection} read, ${event.summary.records} records so far`
    case "AnomalySeen":
      return `${event.at} noted in ${event.collection}: ${event.anomaly}: ${event.detail}`
    case "SchemaDrift":
      return `${event.at} not in the specification: ${event.path} of ${event.collection} (${event.found})`
  }
}

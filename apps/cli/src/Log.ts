/**
 * The log of `--verbose`: a line for each attempt, wait and oddity, with UTC timestamps and request ids, as the specification advises
 * (Spec: Events). Events hold no key and no value of a record, so neither can a log.
 */
import type { ClientEvent } from "@deedkit/core"
import type * as Terminal from "./Terminal.ts"

/** An event as one line. */
const line = (event: ClientEvent.ClientEvent): string => {
  switch (event._tag) {
    case "Attempted": {
      const status = event.status === null ? "no status" : String(event.status)
      const outcome = event.outcome === "ok" ? "ok" : event.outcome
      const again = event.attempt === 1 ? "" : `, attempt ${event.attempt}`
      const id = event.requestId === null ? "no request id" : `request id ${event.requestId}`
      return `${event.at} #${event.localId} ${event.method} ${event.target}: ${status} ${outcome} in ${event.durationMillis} ms, ${id}${again}`
    }
    case "Waiting":
      return `${event.at} waiting ${event.waitMillis} ms until ${event.until}: ${event.why}${event.reason === null ? "" : ` (${event.reason})`}, named by ${event.source}`
    case "PageRead":
      return `${event.at} page ${event.summary.pages} of ${event.collection} read, ${event.summary.records} records so far`
    case "AnomalySeen":
      return `${event.at} noted in ${event.collection}: ${event.anomaly}: ${event.detail}`
    case "DriftSeen":
      return `${event.at} not in the specification: ${event.path} of ${event.collection} (${event.found})`
  }
}

/** A listener that writes each event: as a line for people, or as a JSON document a line. */
export const make =
  (terminal: Terminal.Service, json: boolean): ClientEvent.Listener =>
  (event) =>
    json ? terminal.say(JSON.stringify(event)) : terminal.say(line(event), "dim")

/**
 * The log of `--verbose`: a line for each attempt, wait and anomaly, with UTC timestamps and request ids, as the specification advises
 * (Spec: Events). Events hold no key and no value of a record, so neither does the log.
 */
import { ClientEvent } from "@deedkit/core"
import type * as Terminal from "../terminal/Terminal.ts"

/** A listener that writes each event on one line: as text for people, or as a JSON document. */
export const make =
  (terminal: Terminal.Service, json: boolean): ClientEvent.Listener =>
  (event) =>
    json ? terminal.say(JSON.stringify(event)) : terminal.say(ClientEvent.line(event), "dim")

/**
 * Shows on standard error how far a command is and why it waits: one live line on a terminal, plain lines elsewhere.
 *
 * A listener of the client's events. It removes its line when its scope closes.
 */
import type { ClientEvent, ReadSummary } from "@deedkit/core"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as ProgressLine from "./ProgressLine.ts"
import * as ProgressText from "./ProgressText.ts"
import type * as Terminal from "../terminal/Terminal.ts"

interface Reading {
  readonly collection: ReadSummary["collection"]
  readonly startedAt: number
  summary: ReadSummary
}

/** A listener that shows progress. */
export const make = (terminal: Terminal.Service): Effect.Effect<ClientEvent.Listener, never, Scope.Scope> => {
  let reading: Reading | null = null
  let pacing = false

  const text = (): string | null =>
    reading === null
      ? null
      : ProgressText.reading(reading.summary, Date.now() - reading.startedAt) +
        (pacing ? ", waiting for the rate limiter" : "")

  const listener: ClientEvent.Listener = (event) => {
    switch (event._tag) {
      case "PageRead": {
        const { collection, summary } = event
        const continues =
          reading !== null &&
          reading.summary.startedAt === summary.startedAt &&
          reading.collection === collection
        if (reading !== null && continues) reading.summary = summary
        else reading = { collection, startedAt: Date.parse(summary.startedAt), summary }
        if (terminal.canAnimate) terminal.live(text())
        if (summary.complete) reading = null
        break
      }
      case "Waiting": {
        const line = ProgressText.wait(event)
        pacing = line === null
        if (line !== null) terminal.say(line, "yellow")
        break
      }
      case "Attempted":
        pacing = false
        break
      case "AnomalySeen":
      case "SchemaDrift":
        break
    }
  }

  return Effect.as(ProgressLine.show(terminal, text), listener)
}

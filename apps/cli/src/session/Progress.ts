/**
 * Shows on standard error how far a command is and why it waits: one live line on a terminal, plain lines elsewhere.
 *
 * A listener of the client's events. It keeps nothing but the newest figures, and takes its line away when its scope closes.
 */
import type { ClientEvent, WalkSummary } from "@deedkit/core"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as ProgressText from "../terminal/ProgressText.ts"
import type * as Terminal from "../terminal/Terminal.ts"

const liveMillis = 100
const plainMillis = 10_000

interface Walking {
  readonly collection: WalkSummary["collection"]
  readonly startedAt: number
  summary: WalkSummary
}

/** A listener that shows what it hears. */
export const make = (terminal: Terminal.Service): Effect.Effect<ClientEvent.Listener, never, Scope.Scope> => {
  let walking: Walking | null = null
  let pacing = false

  const text = (): string | null =>
    walking === null
      ? null
      : ProgressText.walk(walking.summary, Date.now() - walking.startedAt) +
        (pacing ? ", keeping the pace" : "")
  const show = (): void => {
    if (terminal.canAnimate) return terminal.live(text())
    const line = text()
    if (line !== null) terminal.say(line)
  }

  const listener: ClientEvent.Listener = (event) => {
    switch (event._tag) {
      case "PageRead": {
        const { collection, summary } = event
        const goesOn =
          walking !== null &&
          walking.summary.startedAt === summary.startedAt &&
          walking.collection === collection
        if (walking !== null && goesOn) walking.summary = summary
        else walking = { collection, startedAt: Date.parse(summary.startedAt), summary }
        if (terminal.canAnimate) terminal.live(text())
        if (summary.complete) walking = null
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
      case "DriftSeen":
        break
    }
  }

  return Effect.as(
    Effect.acquireRelease(
      Effect.sync(() => setInterval(show, terminal.canAnimate ? liveMillis : plainMillis)),
      (timer) =>
        Effect.sync(() => {
          clearInterval(timer)
          terminal.live(null)
        }),
    ),
    listener,
  )
}

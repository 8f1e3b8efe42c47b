/**
 * Says on standard error how far a command is and why it waits: one live line on a terminal, which is removed in the end, plain lines elsewhere. With
 * `--verbose` also a line for each attempt, wait and anomaly, with UTC timestamps and request ids, as the specification advises (Spec: Events).
 *
 * All of it comes from the client's events, which hold no key and no value of a record.
 */
import { ClientEvent } from "@deedkit/core"
import type { ReadSummary } from "@deedkit/core"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Catalogue from "../failure/Catalogue.ts"
import { nounsOf } from "../terminal/ClosingLine.ts"
import { count, duration, figure, moment, stamped } from "../terminal/Figures.ts"
import type * as Terminal from "../terminal/Terminal.ts"

/** Why the client waits and until when; null for the short waits of the rate limiter. */
export const waitText = (event: ClientEvent.Waiting, isLogged: boolean): string | null => {
  if (event.why === "throttled") return null
  const when =
    event.waitMillis < 950 ? `in ${duration(event.waitMillis)}` : `at ${moment(event.until, isLogged)}`
  if (event.why === "retry") return `${Catalogue.ofRetry(event.reason)}; retrying ${when}`
  // The client adds less than a second to the time that the server asks for, so that many clients do not return at once.
  const asked = duration(1_000 * Math.max(1, Math.floor(event.waitMillis / 1_000)))
  // A call that meets the pause of another one waits for the rest of it.
  return event.source === "retry-after" && event.reason !== null
    ? `rate limited; the server asked for ${asked}; resuming ${when}`
    : `rate limited; resuming ${when}`
}

/** How far a read is: `contracts: 3 pages, 150 records, 61 a second`. */
export const readingText = (summary: ReadSummary, elapsedMillis: number): string => {
  const pages = count(summary.pages, "page", "pages")
  const records = count(summary.records, "record", "records")
  const rate =
    elapsedMillis < 200 ? "" : `, ${figure(Math.round((summary.records * 1_000) / elapsedMillis))} a second`
  return `${nounsOf(summary.collection).many}: ${pages}, ${records}${rate}`
}

/** A million records, where the service allows a hundred a page. */
const longList = 10_000

/** Says that a list goes on after very many pages, each time it has had as many again; null otherwise. No list is cut off for its length. */
export const endlessText = ({ complete, pages, ...summary }: ReadSummary): string | null => {
  if (complete || pages === 0 || pages % longList !== 0) return null
  const records = count(summary.records, "different record", "different records")
  return `The list of ${nounsOf(summary.collection).many} has had ${count(pages, "page", "pages")} with ${records}, and the service names a next one. If the account cannot have so many, stop with Ctrl-C and run \`deedkit doctor\`; an export goes on with --resume.`
}

const liveMillis = 100
const plainMillis = 10_000

/** Shows the result of `text`, null for nothing, until its scope closes. Then the live line is removed. */
export const show = (
  terminal: Terminal.Service,
  text: () => string | null,
): Effect.Effect<void, never, Scope.Scope> => {
  const draw = (): void => {
    const line = text()
    if (terminal.canAnimate) terminal.live(line)
    else if (line !== null) terminal.say(stamped(line, Date.now(), terminal.isLogged))
  }
  return Effect.asVoid(
    Effect.acquireRelease(
      Effect.sync(() => setInterval(draw, terminal.canAnimate ? liveMillis : plainMillis)),
      (timer) =>
        Effect.sync(() => {
          clearInterval(timer)
          terminal.live(null)
        }),
    ),
  )
}

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
      : readingText(reading.summary, Date.now() - reading.startedAt) +
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
        const endless = endlessText(summary)
        if (endless !== null) terminal.say(stamped(endless, Date.now(), terminal.isLogged), "yellow")
        if (terminal.canAnimate) terminal.live(text())
        if (summary.complete) reading = null
        break
      }
      case "Waiting": {
        const line = waitText(event, terminal.isLogged)
        pacing = line === null
        if (line !== null) terminal.say(line, "yellow")
        break
      }
      case "Slowed":
        // The line of the wait has said that there was one.
        if (event.refusals > 1) terminal.say(ClientEvent.slowedText(event), "yellow")
        break
      case "Attempted":
        pacing = false
        break
      case "AnomalySeen":
      case "SchemaDrift":
        break
    }
  }

  return Effect.as(show(terminal, text), listener)
}

/** A listener that logs each event on one line: as text for people, or as a JSON document. */
export const log =
  (terminal: Terminal.Service, json: boolean): ClientEvent.Listener =>
  (event) =>
    json ? terminal.say(JSON.stringify(event)) : terminal.say(ClientEvent.line(event), "dim")

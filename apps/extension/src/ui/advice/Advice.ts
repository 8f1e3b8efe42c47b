/** The notice for a state of the extension, with its buttons. The texts of failures are in the catalogue `ConnectionFailure`. */
import { describe, detailOf, buttons, buttonsOf } from "../../failures/ConnectionFailure.ts"
import type { Failure, Button, Step, Tone } from "../../failures/ConnectionFailure.ts"
import type { AppState } from "../../messages/AppState.ts"
import * as Age from "../kit/Age.ts"
import { text } from "../kit/Message.ts"

/** An advice with buttons for steps of type `AStep`, by default the steps of a state. */
export interface Advice<AStep extends string = Step> {
  readonly tone: Tone
  readonly title: string
  readonly body: string
  /** Facts about the error, the same in every language. */
  readonly detail?: string
  readonly steps: ReadonlyArray<{ readonly step: AStep; readonly label: string }>
}

const advice = (
  tone: Advice["tone"],
  title: string,
  body: string,
  ...names: ReadonlyArray<Button>
): Advice => ({
  tone,
  title,
  body,
  steps: names.map((name) => ({ step: buttons[name][0], label: text(buttons[name][1]) })),
})

const host = (baseUrl: string | null): string =>
  baseUrl !== null && URL.canParse(baseUrl) ? new URL(baseUrl).host : text("theService")

const ofReady = ({ index, sync }: AppState, nowMillis: number): Advice | null => {
  // A list that waits for a decision has a notice of its own.
  if (sync._tag === "Syncing" || index.smaller !== null) return null
  if (index.completedAt === null)
    return advice("plain", text("emptyIndexTitle"), text("emptyIndexBody"), "sync")
  if (!index.isStale) return null
  const age = Age.age(index.completedAt, nowMillis, "long")
  return advice("wait", text("staleTitle", age), text("staleBody"), "sync")
}

const ofRateLimit = (until: string | null, nowMillis: number): string => {
  const remaining = until === null ? null : Age.remaining(until, nowMillis)
  return until === null || remaining === null
    ? text("rateLimitedSoonBody")
    : text("rateLimitedBody", Age.clock(until), remaining)
}

/** Failures whose advice does not mention saved contracts: they block only updates, or are shown before any contracts are. */
const withoutSaved: ReadonlySet<Failure["_tag"]> = new Set([
  "NoAddress",
  "NoKey",
  "NoPermission",
  "MissingScope",
  "RateLimited",
])

const ofFailure = (failure: Failure, { baseUrl, index }: AppState, nowMillis: number): Advice => {
  const { advice: body, headline } = describe(failure, host(baseUrl))
  const [tone, ...names] = buttonsOf[failure._tag]
  const detail = detailOf(failure)
  const saved = index.contracts === 0 || withoutSaved.has(failure._tag) ? "" : ` ${text("stillHere")}`
  const said = failure._tag === "RateLimited" ? ofRateLimit(failure.until, nowMillis) : text(body)
  const shown = advice(tone, text(...headline), said + saved, ...names)
  return detail === null ? shown : { ...shown, detail }
}

/** Whether the service is being read at this moment, which may end a failure. */
export const isReading = ({ sync }: AppState): boolean => sync._tag === "Syncing" && sync.waiting === null

/** The advice for a state; null if there is none. */
export const of = (state: AppState, nowMillis: number): Advice | null =>
  state.connection._tag === "Ready"
    ? ofReady(state, nowMillis)
    : ofFailure(state.connection, state, nowMillis)

/**
 * What each state of the extension says to people and what they can do about it. Every way of being unable to work has its row here, and
 * each row ends in an action or in the moment at which it ends by itself.
 */
import type { AppState } from "../../messages/AppState.ts"
import * as Age from "../kit/Age.ts"
import { text } from "../kit/Message.ts"

/** What a button of an advice does. */
export type Step = "setUp" | "key" | "connection" | "sync"

/** Its buttons do steps of this kind; unless said, those of a state. */
export interface Advice<AStep extends string = Step> {
  readonly tone: "problem" | "wait" | "plain"
  readonly title: string
  readonly body: string
  /** What is known of the error, for those who look into it. */
  readonly detail?: string
  readonly steps: ReadonlyArray<{ readonly step: AStep; readonly label: string }>
}

type Words = Parameters<typeof text>[0]
type StepName = keyof typeof steps

/** What can be done, each with its words. */
const steps = {
  setUp: ["setUp", "stepSetUp"],
  enterKey: ["key", "stepEnterKey"],
  otherKey: ["key", "stepOtherKey"],
  unlock: ["key", "stepUnlock"],
  allow: ["connection", "stepAllow"],
  test: ["connection", "stepTest"],
  retry: ["sync", "stepRetry"],
  sync: ["sync", "stepSync"],
  refresh: ["sync", "stepRefresh"],
} as const satisfies { readonly [name: string]: readonly [Step, Words] }

const advice = (
  tone: Advice["tone"],
  title: string,
  body: string,
  ...names: ReadonlyArray<StepName>
): Advice => ({
  tone,
  title,
  body,
  steps: names.map((name) => ({ step: steps[name][0], label: text(steps[name][1]) })),
})

const host = (baseUrl: string | null): string =>
  baseUrl !== null && URL.canParse(baseUrl) ? new URL(baseUrl).host : text("theService")

const ofReady = ({ index, sync }: AppState, nowMillis: number): Advice | null => {
  // A list that waits for a decision has words of its own.
  if (sync._tag === "Syncing" || index.smaller !== null) return null
  if (index.completedAt === null)
    return advice("plain", text("emptyIndexTitle"), text("emptyIndexBody"), "sync")
  if (!index.isStale) return null
  const age = Age.age(index.completedAt, nowMillis, "long")
  return advice("wait", text("staleTitle", age), text("staleBody"), "refresh")
}

const ofPause = (until: string | null, nowMillis: number): string => {
  const yet = until === null ? null : Age.remaining(until, nowMillis)
  return until === null || yet === null
    ? text("rateLimitedSoonBody")
    : text("rateLimitedBody", Age.clock(until), yet)
}

/** The advice for a state; null when there is nothing to say. */
export const of = (state: AppState, nowMillis: number): Advice | null => {
  const { baseUrl, standing } = state
  const service = host(baseUrl)
  const kept = state.index.contracts === 0 ? "" : ` ${text("stillHere")}`
  switch (standing._tag) {
    case "NoAddress":
      return advice("plain", text("noAddressTitle"), text("noAddressBody"), "setUp")
    case "NoKey":
      return advice("plain", text("noKeyTitle"), text("noKeyBody", service), "enterKey")
    case "Locked":
      return advice("plain", text("lockedTitle"), text("lockedBody"), "unlock")
    case "NoPermission":
      return advice(
        "problem",
        text("noPermissionTitle", host(standing.origin)),
        text("noPermissionBody"),
        "allow",
      )
    case "WrongKey":
      return advice(
        "problem",
        text("wrongKeyTitle"),
        text("wrongKeyBody", service) + kept,
        "otherKey",
        "retry",
      )
    case "MissingScope": {
      const { scope } = standing
      const title = scope === null ? text("noScopeTitle") : text("missingScopeTitle", scope)
      return advice("problem", title, text("missingScopeBody"), "retry", "otherKey")
    }
    case "RateLimited":
      return advice("wait", text("rateLimitedTitle"), ofPause(standing.until, nowMillis))
    case "Offline":
      return advice("wait", text("offlineTitle"), text("offlineBody") + kept, "retry")
    case "Unreachable":
      return advice(
        "problem",
        text("unreachableTitle", service),
        text("unreachableBody") + kept,
        "retry",
        "test",
      )
    case "ServerFault":
      return advice(
        "problem",
        text("serverFaultTitle", String(standing.status)),
        text("serverFaultBody") + kept,
        "retry",
        "test",
      )
    case "UnreadableData": {
      const { detail } = standing
      return {
        ...advice("problem", text("unreadableTitle"), text("unreadableBody") + kept, "test", "retry"),
        detail,
      }
    }
    case "StorageFailed":
      return advice("problem", text("storageTitle"), text("storageBody") + kept, "retry")
    case "CursorUntrusted": {
      const { detail } = standing
      return { ...advice("problem", text("cursorTitle"), text("cursorBody") + kept, "test", "retry"), detail }
    }
    case "Ready":
      return ofReady(state, nowMillis)
  }
}

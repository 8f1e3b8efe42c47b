/** One line for all accounts of a sync: how many are done, what is being read, and what waits. Plain lines if standard error is not a terminal. */
import type { ClientEvent } from "@deedkit/core"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as ProgressLine from "../session/ProgressLine.ts"
import * as ProgressText from "../session/ProgressText.ts"
import { count } from "../terminal/Figures.ts"
import type * as Terminal from "../terminal/Terminal.ts"

export interface SyncProgress {
  /** A listener for the client of an account. */
  readonly listen: (account: string) => ClientEvent.Listener
  readonly end: (account: string) => void
}

/** Shows progress until its scope closes. */
export const make = (
  terminal: Terminal.Service,
  accounts: number,
): Effect.Effect<SyncProgress, never, Scope.Scope> => {
  const reading = new Set<string>()
  const waiting = new Map<string, string | null>()
  let ended = 0
  let records = 0
  const text = (): string => {
    const reason = [...waiting.values()].find((why) => why !== null)
    return [
      `${ended} of ${count(accounts, "account", "accounts")}`,
      `${reading.size} reading`,
      ...(waiting.size === 0 ? [] : [`${waiting.size} waiting${reason === undefined ? "" : ` (${reason})`}`]),
      count(records, "record", "records"),
    ].join(", ")
  }
  const listen = (account: string): ClientEvent.Listener => {
    reading.add(account)
    let before = 0
    return (event) => {
      if (event._tag === "Waiting") waiting.set(account, ProgressText.wait(event))
      if (event._tag === "Attempted") waiting.delete(account)
      if (event._tag !== "PageRead") return
      const { records: now } = event.summary
      records += now < before ? now : now - before
      before = now
    }
  }
  return Effect.as(ProgressLine.show(terminal, text), {
    listen,
    end: (account) => {
      reading.delete(account)
      waiting.delete(account)
      ended += 1
    },
  })
}

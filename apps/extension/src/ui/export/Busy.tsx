/** The progress of an export, what it waits for and until when, and the button that cancels it. */
import type { AppState } from "../../messages/AppState.ts"
import * as Advice from "../advice/Advice.ts"
import * as Age from "../kit/Age.ts"
import { number, plural, text } from "../kit/Message.ts"
import { size } from "./Made.tsx"
import { share } from "../sync/SyncProgress.tsx"
import type { Phase } from "./Run.ts"
import { Button } from "../kit/Button.tsx"

export type BusyPhase = Extract<Phase, { readonly _tag: "Syncing" | "Making" }>

/** The content: a sentence, the finished share if it is known, and the reason for a wait. */
interface Line {
  readonly words: string
  readonly share: number | null
  readonly wait: string | null
}

const reasons = {
  "rate-limited": "exportWaitLimited",
  retry: "exportWaitRetry",
  throttled: "exportWaitPace",
} as const

const syncing = (state: AppState, now: number): Line => {
  const { sync } = state
  if (sync._tag === "Idle") return { words: text("exportSyncBegins"), share: null, wait: null }
  const { waiting } = sync
  const isLong = waiting !== null && waiting.reason !== "throttled" && Date.parse(waiting.until) > now
  const problem = state.connection._tag === "Ready" ? null : (Advice.of(state, now)?.title ?? null)
  const words =
    sync.expected === null
      ? plural("exportSynced", sync.records)
      : text("exportSyncedOf", number(sync.records), number(Math.max(sync.expected, sync.records)))
  const wait = isLong ? text(reasons[waiting.reason], Age.clock(waiting.until)) : null
  return {
    words,
    share: share(sync),
    wait: [problem, wait].filter((part) => part !== null).join(" ") || null,
  }
}

const lineOf = (phase: BusyPhase, state: AppState, now: number): Line => {
  switch (phase._tag) {
    case "Syncing":
      return syncing(state, now)
    case "Making": {
      const { progress } = phase
      if (progress === null) return { words: text("exportBegins"), share: null, wait: null }
      const { bytes, expected, read, rows } = progress
      const words = plural("exportWriting", rows, size(bytes))
      return { words, share: expected === 0 ? null : Math.min(read / expected, 1), wait: null }
    }
  }
}

export const Busy = ({
  phase,
  state,
  now,
  onCancel,
}: {
  readonly phase: BusyPhase
  readonly state: AppState
  readonly now: number
  readonly onCancel: () => void
}) => {
  const { share, wait, words } = lineOf(phase, state, now)
  return (
    <section class="sync" aria-label={text("exportProgress")}>
      <progress aria-label={text("exportProgress")} {...(share === null ? {} : { value: share, max: 1 })} />
      <p>
        {words}
        {wait === null ? null : <span class="sync-wait"> {wait}</span>}
      </p>
      <Button kinds="small" onClick={onCancel}>
        {text("exportCancel")}
      </Button>
    </section>
  )
}

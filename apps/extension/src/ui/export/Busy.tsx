/** The progress of an export, what it waits for, and the button that cancels it. */
import type { AppState } from "../../messages/AppState.ts"
import * as Advice from "../advice/Advice.ts"
import { plural, text } from "../kit/Message.ts"
import { size } from "./Made.tsx"
import { ProgressLine, progressOf } from "../sync/SyncProgress.tsx"
import type { Progress } from "../sync/SyncProgress.tsx"
import type { Phase } from "./Run.ts"

export type BusyPhase = Extract<Phase, { readonly _tag: "Syncing" | "Making" }>

const beginning = (words: string): Progress => ({ words, share: null, wait: null })

const syncing = (state: AppState, now: number): Progress => {
  if (state.sync._tag === "Idle") return beginning(text("exportSyncBegins"))
  const problem = state.connection._tag === "Ready" ? null : (Advice.of(state, now)?.title ?? null)
  const { wait, ...progress } = progressOf(state.sync, now)
  return { ...progress, wait: [problem, wait].filter((part) => part !== null).join(" ") || null }
}

const making = ({ progress }: Extract<BusyPhase, { readonly _tag: "Making" }>): Progress => {
  if (progress === null) return beginning(text("exportBegins"))
  const { bytes, expected, read, rows } = progress
  const share = expected === 0 ? null : Math.min(read / expected, 1)
  return { words: plural("exportWriting", rows, size(bytes)), share, wait: null }
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
}) => (
  <ProgressLine
    name={text("exportProgress")}
    progress={phase._tag === "Syncing" ? syncing(state, now) : making(phase)}
    end={text("exportCancel")}
    onEnd={onCancel}
  />
)

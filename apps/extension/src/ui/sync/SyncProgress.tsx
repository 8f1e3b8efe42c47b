/** Progress that somebody can end: of the sync, of an export. Without an earlier sync the finished share of a sync is unknown, so none is shown. */
import type { SyncState } from "../../messages/AppState.ts"
import * as Age from "../kit/Age.ts"
import { number, plural, text } from "../kit/Message.ts"
import { Button } from "../kit/Button.tsx"

export type Syncing = Extract<SyncState, { readonly _tag: "Syncing" }>

const reasons = { "rate-limited": "syncRateLimited", retry: "syncRetry" } as const

/** The finished share, 0 to 1; null if unknown. A sync that finds more than the last one never exceeds the end. */
export const share = ({ expected, records }: Syncing): number | null =>
  expected === null || expected === 0 ? null : Math.min(records / expected, 0.99)

/** What it waits for and how long; null if it does not. */
export const waitOf = ({ waiting }: Syncing, now: number): string | null => {
  const rest = waiting === null ? null : Age.remaining(waiting.until, now)
  return waiting === null || rest === null ? null : text(reasons[waiting.reason], rest)
}

export interface Progress {
  readonly words: string
  /** The finished share, 0 to 1; null if unknown. */
  readonly share: number | null
  /** The reason for a wait; null for none. */
  readonly wait: string | null
}

export const progressOf = (sync: Syncing, now: number): Progress => ({
  words:
    sync.expected === null
      ? plural("syncRecords", sync.records)
      : text("syncOf", number(sync.records), number(Math.max(sync.expected, sync.records))),
  share: share(sync),
  wait: waitOf(sync, now),
})

export const ProgressLine = ({
  name,
  progress: { share, wait, words },
  end,
  onEnd,
}: {
  /** What is in progress, for screen readers. */
  readonly name: string
  readonly progress: Progress
  /** The label of the button that ends it. */
  readonly end: string
  readonly onEnd: () => void
}) => (
  <section class="sync" aria-label={name}>
    <progress aria-label={name} {...(share === null ? {} : { value: share, max: 1 })} />
    <p>
      {words}
      {wait === null ? null : (
        // A countdown is not read aloud each second.
        <span class="sync-wait" aria-live="off">
          {" "}
          {wait}
        </span>
      )}
    </p>
    <Button kinds="small" onClick={onEnd}>
      {end}
    </Button>
  </section>
)

export const SyncLine = ({
  sync,
  now,
  onStop,
}: {
  readonly sync: Syncing
  readonly now: number
  readonly onStop: () => void
}) => (
  <ProgressLine
    name={text("syncName")}
    progress={progressOf(sync, now)}
    end={text("syncStop")}
    onEnd={onStop}
  />
)

/** The progress of the sync, what it waits for, and the button that stops it. Without an earlier sync the finished share is unknown, so none is shown. */
import type { SyncState } from "../../messages/AppState.ts"
import * as Age from "../kit/Age.ts"
import { number, plural, text } from "../kit/Message.ts"
import { Button } from "../kit/Button.tsx"

export type Syncing = Extract<SyncState, { readonly _tag: "Syncing" }>

const reasons = { "rate-limited": "syncRateLimited", retry: "syncRetry" } as const

/** The finished share, 0 to 1; null if unknown. A sync that finds more than the last one never exceeds the end. */
export const share = ({ expected, records }: Syncing): number | null =>
  expected === null || expected === 0 ? null : Math.min(records / expected, 0.99)

/** What it waits for and how long; null if it does not, or only keeps its pace. */
export const waitOf = ({ waiting }: Syncing, now: number): string | null => {
  if (waiting === null || waiting.reason === "throttled") return null
  const rest = Age.remaining(waiting.until, now)
  return rest === null ? null : text(reasons[waiting.reason], rest)
}

const progress = (sync: Syncing): string =>
  sync.expected === null
    ? plural("syncRecords", sync.records)
    : text("syncOf", number(sync.records), number(Math.max(sync.expected, sync.records)))

export const SyncLine = ({
  sync,
  now,
  onStop,
}: {
  readonly sync: Syncing
  readonly now: number
  readonly onStop: () => void
}) => {
  const done = share(sync)
  const wait = waitOf(sync, now)
  return (
    <section class="sync" aria-label={text("syncName")}>
      <progress aria-label={text("syncName")} {...(done === null ? {} : { value: done, max: 1 })} />
      <p>
        {progress(sync)}
        {wait === null ? null : <span class="sync-wait"> {wait}</span>}
      </p>
      <Button kinds="small" onClick={onStop}>
        {text("syncStop")}
      </Button>
    </section>
  )
}

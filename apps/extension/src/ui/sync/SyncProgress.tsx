/** How far the walk is, what it waits for, and the button that stops it. Without an earlier walk no share can be told, so none is shown. */
import type { WalkState } from "../../messages/AppState.ts"
import * as Age from "../kit/Age.ts"
import { number, plural, text } from "../kit/Message.ts"

type Walking = Extract<WalkState, { readonly _tag: "Walking" }>

const reasons = { "rate-limited": "walkRateLimited", retry: "walkRetry", pace: "walkPace" } as const

/** The share that is done, 0 to 1; null when it cannot be told. A walk that finds more than the last one never passes the end. */
export const share = ({ expected, records }: Walking): number | null =>
  expected === null || expected === 0 ? null : Math.min(records / expected, 0.99)

const progress = (walk: Walking): string =>
  walk.expected === null
    ? plural("walkRecords", walk.records)
    : text("walkOf", number(walk.records), number(Math.max(walk.expected, walk.records)))

export const WalkLine = ({
  walk,
  now,
  onStop,
}: {
  readonly walk: Walking
  readonly now: number
  readonly onStop: () => void
}) => {
  const done = share(walk)
  const wait =
    walk.waiting === null || walk.waiting.reason === "pace" ? null : Age.remaining(walk.waiting.until, now)
  return (
    <section class="walk" aria-label={text("walkName")}>
      <progress aria-label={text("walkName")} {...(done === null ? {} : { value: done, max: 1 })} />
      <p>
        {progress(walk)}
        {walk.waiting === null || wait === null ? null : (
          <span class="walk-wait"> {text(reasons[walk.waiting.reason], wait)}</span>
        )}
      </p>
      <button type="button" class="button button-small" onClick={onStop}>
        {text("walkStop")}
      </button>
    </section>
  )
}

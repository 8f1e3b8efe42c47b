/**
 * Sends a state to one watcher: at once, and after changes, which are gathered for a moment so that a fast sync does not flood it. A state
 * that ends at a known time is sent again when it has ended.
 */
import type { AppState } from "../../messages/AppState.ts"

export interface StatePort {
  /** Records that a part of the state may have changed. */
  readonly changed: () => void
  readonly end: () => void
}

const gatheredMillis = 100

/** The longest wait that `setTimeout` takes. */
const longestWaitMillis = 2 ** 31 - 1

/** Milliseconds until the next part of a state is over by itself; null when none is. */
const endsInMillis = ({ connection, sync }: AppState, now: number): number | null => {
  const ends = [
    connection._tag === "RateLimited" ? connection.until : null,
    sync._tag === "Syncing" ? (sync.waiting?.until ?? null) : null,
  ]
    .filter((until) => until !== null)
    .map((until) => Date.parse(until) - now)
    .filter((millis) => millis > 0)
  return ends.length === 0 ? null : Math.min(...ends, longestWaitMillis)
}

export const make = (read: () => Promise<AppState>, send: (state: AppState) => void): StatePort => {
  let gathering: ReturnType<typeof setTimeout> | undefined
  let ending: ReturnType<typeof setTimeout> | undefined
  let isReading = false
  let isDue = false
  let isEnded = false

  const readAndSend = async (): Promise<void> => {
    gathering = undefined
    if (isReading) {
      isDue = true
      return
    }
    isReading = true
    try {
      const state = await read()
      if (isEnded) return
      send(state)
      clearTimeout(ending)
      const millis = endsInMillis(state, Date.now())
      if (millis !== null) ending = setTimeout(changed, millis)
    } finally {
      isReading = false
      if (isDue) {
        isDue = false
        changed()
      }
    }
  }
  let isFirst = true
  const changed = (): void => {
    if (isEnded || gathering !== undefined) return
    gathering = setTimeout(() => void readAndSend().catch(() => {}), isFirst ? 0 : gatheredMillis)
    isFirst = false
  }
  return {
    changed,
    end: () => {
      isEnded = true
      clearTimeout(gathering)
      clearTimeout(ending)
    },
  }
}

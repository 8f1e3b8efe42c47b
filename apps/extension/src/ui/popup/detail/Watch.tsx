/** Watches a contract, or not: its changes come first in the list of changes, and the popup counts them at its foot. */
import { useState } from "preact/hooks"
import type { AppState } from "../../../messages/AppState.ts"
import { text } from "../../kit/Message.ts"
import * as Watched from "../../state/Watched.ts"

export const Watch = ({ id, state }: { readonly id: number; readonly state: AppState }) => {
  const [isWatched, setWatched] = useState(() => Watched.of(state).has(id))
  return (
    <button
      type="button"
      class="button button-small"
      aria-pressed={isWatched}
      title={text("watchHint")}
      onClick={() => {
        Watched.set(state, id, !isWatched)
        setWatched(!isWatched)
      }}
    >
      {text("watch")}
    </button>
  )
}

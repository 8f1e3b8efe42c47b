/** The switch that watches a contract: its changes come first in the list of changes, and the toolbar button shows them. */
import type { AppState } from "../../../messages/AppState.ts"
import { text } from "../../kit/Message.ts"
import { useBackground } from "../../state/Live.ts"
import type { Action } from "../../state/Live.ts"

export const Watch = ({
  id,
  state,
  watching,
}: {
  readonly id: number
  readonly state: AppState
  readonly watching: Action<AppState>
}) => {
  const background = useBackground()
  const isWatched = state.watched.ids.includes(id)
  return (
    <button
      type="button"
      class="button button-small"
      aria-pressed={isWatched}
      title={text("watchHint")}
      onClick={() => watching.run(() => background.ask({ type: "page.watch", id, isWatched: !isWatched }))}
    >
      {text("watch")}
    </button>
  )
}

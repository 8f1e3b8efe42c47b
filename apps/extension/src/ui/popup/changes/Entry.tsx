/**
 * The button that opens the list of changes, with their number since it was last viewed, those of watched contracts first. Renders nothing if there
 * are none.
 */
import type { AppState, Change } from "../../../messages/AppState.ts"
import { plural } from "../../kit/Message.ts"
import { useChanges } from "./Kept.ts"
import * as Visits from "./Visits.ts"

const words = { new: "changesNew", changed: "changesChanged", gone: "changesGone" } as const

/** Such as `3 new, 5 changed`; empty for none. */
const summaryOf = (changes: ReadonlyArray<Change>): string => {
  const counts = Visits.countsOf(changes)
  return (["new", "changed", "gone"] as const)
    .flatMap((kind) => (counts[kind] === 0 ? [] : [plural(words[kind], counts[kind])]))
    .join(", ")
}

export const ChangesEntry = ({
  state,
  onOpen,
}: {
  readonly state: AppState
  readonly onOpen: () => void
}) => {
  const answer = useChanges(state, false)
  if (answer === null || answer === "failed") return null
  const since = Visits.since(answer, Visits.seenTo(state.account))
  const summary = summaryOf(since)
  const { changed, ids } = state.watched
  const ofWatched = since.map(({ id }) => id).filter((id) => ids.includes(id))
  // If the toolbar shows a mark, the button is shown, whatever this page remembers of the last view.
  const watched = new Set([...ofWatched, ...changed.map(([id]) => id)]).size
  if (summary === "" && watched === 0) return null
  return (
    <button type="button" class="changes-entry" onClick={onOpen}>
      {watched === 0 ? null : <b>{plural("changesWatched", watched)}</b>}
      {watched === 0 || summary === "" ? null : " · "}
      {summary}
    </button>
  )
}

/**
 * The way to the list of changes, with how many there are since it was last looked at, those of watched contracts first; nothing where there are
 * none.
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
  if (summary === "") return null
  const ofWatched = new Set(since.map(({ id }) => id).filter((id) => state.watched.ids.includes(id))).size
  return (
    <button type="button" class="changes-entry" onClick={onOpen}>
      {ofWatched === 0 ? null : <b>{plural("changesWatched", ofWatched)} · </b>}
      {summary}
    </button>
  )
}

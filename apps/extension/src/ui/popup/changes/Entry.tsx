/** The way to the list of changes, with how many there are since it was last looked at; nothing where there are none. */
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
  const answer = useChanges(state)
  if (answer === null || answer === "failed") return null
  const summary = summaryOf(Visits.since(answer, Visits.seenTo(state.account)))
  if (summary === "") return null
  return (
    <button type="button" class="changes-entry" onClick={onOpen}>
      {summary}
    </button>
  )
}

/** Nothing was found: what was looked for, and where else to look. */
import { text } from "../../kit/Message.ts"
import { typedId } from "./Search.ts"
import type { Query } from "./Search.ts"

export const Nothing = ({
  query,
  isComplete,
  onEverywhere,
  onAsk,
}: {
  readonly query: Query
  /** Whether all contracts were read at least once. */
  readonly isComplete: boolean
  readonly onEverywhere: () => void
  readonly onAsk: (id: number) => void
}) => {
  const id = typedId(query)
  const typed = query.text.trim().slice(0, 60)
  if (typed === "") return null
  return (
    <div class="nothing">
      <p>{query.by === "any" ? text("foundNone", typed) : text("foundNoneIn", typed)}</p>
      {isComplete ? null : <p class="quiet">{text("foundIncomplete")}</p>}
      {id === null ? null : (
        <button type="button" class="button button-main" onClick={() => onAsk(id)}>
          {text("foundAtService", String(id))}
        </button>
      )}
      {query.by === "any" ? null : (
        <button type="button" class="button" onClick={onEverywhere}>
          {text("searchEverywhere")}
        </button>
      )}
    </div>
  )
}

/** A search without matches: how many contracts were checked, and where else to search. */
import { plural, text } from "../../kit/Message.ts"
import { typedId } from "./Search.ts"
import type { Query } from "./Search.ts"

export const EmptyResults = ({
  query,
  checked,
  isComplete,
  onEverywhere,
  onAsk,
}: {
  readonly query: Query
  /** Contracts that were searched. */
  readonly checked: number
  /** Whether a sync was ever complete. */
  readonly isComplete: boolean
  readonly onEverywhere: () => void
  readonly onAsk: (id: number) => void
}) => {
  const id = typedId(query)
  if (query.text.trim() === "") return null
  return (
    <div class="empty-results">
      <p>{plural("foundNone", checked)}</p>
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

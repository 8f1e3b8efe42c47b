/** A search without matches: how many contracts were checked, and what else to try. */
import { plural, text } from "../../kit/Message.ts"
import { typedId } from "./Search.ts"
import { Button } from "../../kit/Button.tsx"

export const EmptyResults = ({
  typed,
  checked,
  isComplete,
  isFiltered,
  onAll,
  onAsk,
}: {
  readonly typed: string
  /** Number of contracts that were searched. */
  readonly checked: number
  /** Whether a sync was ever complete. */
  readonly isComplete: boolean
  readonly isFiltered: boolean
  /** Removes the filters. */
  readonly onAll: () => void
  readonly onAsk: (id: number) => void
}) => {
  const id = typedId(typed)
  if (typed.trim() === "" && !isFiltered) return null
  return (
    <div class="empty-results">
      <p>{plural("foundNone", checked)}</p>
      {isComplete ? null : <p class="quiet">{text("foundIncomplete")}</p>}
      {id === null ? null : (
        <Button kinds="main" onClick={() => onAsk(id)}>
          {text("foundAtService", String(id))}
        </Button>
      )}
      {isFiltered ? <Button onClick={onAll}>{text("filtersClear")}</Button> : null}
    </div>
  )
}

/** The statuses and kinds of the contracts on a page with their counts, and the number of listings without contracts; each can be chosen. */
import { number, text } from "../../kit/Message.ts"
import { Filters } from "../search/Filters.tsx"
import type { Filter } from "../search/Filters.tsx"
import { everything } from "./Listings.ts"
import type { Choice, Listing } from "./Listings.ts"

/** A filter as search terms, so that the values of one field are counted within the choice of the other. */
const termsOf = ({ kind, status }: Filter): string =>
  Object.entries({ status, kind })
    .map(([name, value]) => (value === null ? "" : `${name}:"${value.replaceAll('"', "")}"`))
    .join(" ")

export const Choices = ({
  listings,
  chosen,
  onChoose,
}: {
  readonly listings: ReadonlyArray<Listing>
  readonly chosen: Choice
  /** Receives the new choice. Pressing a chosen value again removes it. */
  readonly onChoose: (next: Choice) => void
}) => {
  const without = listings.filter(({ total }) => total === 0).length
  return (
    <div class="filters">
      <Filters
        asked={termsOf(chosen)}
        groups={listings.flatMap(({ rows }) => rows.map(({ kind, status }) => ({ count: 1, kind, status })))}
        chosen={chosen}
        onChoose={(name, value) =>
          onChoose({ ...chosen, isWithout: false, [name]: chosen[name] === value ? null : value })
        }
      />
      {without === 0 ? null : (
        <div class="filter">
          <button
            type="button"
            class="filter-value"
            aria-pressed={chosen.isWithout}
            onClick={() => onChoose({ ...everything, isWithout: !chosen.isWithout })}
          >
            {text("onPageNone")} {number(without)}
          </button>
        </div>
      )}
    </div>
  )
}

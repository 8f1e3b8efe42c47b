/**
 * The statuses and kinds of what was found, with how many there are of each; one of either can be chosen. Both are open sets of words (Spec:
 * Contract, gaps). What is counted for a status takes the chosen kind into account, and the other way round.
 */
import type { ContractGroup } from "../../../messages/ListingMessage.ts"
import { rankOf } from "../../../index/Summary.ts"
import { isValue, parse } from "../../../index/search/Query.ts"
import type { Term } from "../../../index/search/Query.ts"
import { number, text } from "../../kit/Message.ts"

/** What was chosen; null for all. */
export interface Filter {
  readonly status: string | null
  readonly kind: string | null
}

type Name = keyof Filter

/** Values of one field that are offered; others can be typed. */
const mostValues = 8

interface Value {
  readonly value: string
  readonly count: number
}

/** The values of a field among groups, with their counts: those of most contracts, a chosen one always, active and drafts first. */
export const valuesOf = (
  name: Name,
  groups: ReadonlyArray<ContractGroup>,
  terms: ReadonlyArray<Term>,
  chosen: string | null,
): ReadonlyArray<Value> => {
  const other = name === "status" ? "kind" : "status"
  const asked = terms.filter(({ field }) => field === other)
  const counts = new Map<string, number>(chosen === null ? [] : [[chosen, 0]])
  for (const group of groups) {
    const isCounted = asked.every((term) => isValue(group[other], term))
    counts.set(group[name], (counts.get(group[name]) ?? 0) + (isCounted ? group.count : 0))
  }
  return Array.from(counts, ([value, count]) => ({ value, count }))
    .filter(({ count, value }) => count > 0 || value === chosen)
    .toSorted(
      (one, two) => Number(two.value === chosen) - Number(one.value === chosen) || two.count - one.count,
    )
    .slice(0, mostValues)
    .toSorted((one, two) => rankOf(one.value) - rankOf(two.value) || one.value.localeCompare(two.value))
}

const names = [
  ["status", "fieldStatus"],
  ["kind", "fieldKind"],
] as const

export const Filters = ({
  asked,
  groups,
  chosen,
  onChoose,
}: {
  /** What the groups were found by: see `index/search/Query.ts`. */
  readonly asked: string
  readonly groups: ReadonlyArray<ContractGroup>
  readonly chosen: Filter
  /** Takes the value that was pressed; a chosen one is taken off. */
  readonly onChoose: (name: Name, value: string) => void
}) => {
  const { terms } = parse(asked)
  return (
    <>
      {names.map(([name, label]) => (
        <div key={name} class="filter" role="group" aria-label={text(label)}>
          {valuesOf(name, groups, terms, chosen[name]).map(({ count, value }) => {
            return (
              <button
                key={value}
                type="button"
                class="filter-value"
                aria-pressed={chosen[name] === value}
                title={`${text(label)}: ${value}`}
                onClick={() => onChoose(name, value)}
              >
                <bdi>{value.slice(0, 40)}</bdi> {number(count)}
              </button>
            )
          })}
        </div>
      ))}
    </>
  )
}

/**
 * The statuses and kinds of the results with their counts; one of each can be chosen. Both are open sets of words (Spec: Contract, gaps). The counts
 * of statuses take the chosen kind into account, and vice versa.
 */
import type { ContractGroup } from "../../../messages/ListingMessage.ts"
import { rankOf } from "../../../messages/ListingMessage.ts"
import { isValue, parse } from "../../../index/Query.ts"
import type { Term } from "../../../index/Query.ts"
import { number, text, worded } from "../../kit/Message.ts"

/** The chosen values; null for all. */
export interface Filter {
  readonly status: string | null
  readonly kind: string | null
}

type Name = keyof Filter

/** Maximum number of values offered for one field; other values can be typed. */
const mostValues = 8

interface Value {
  readonly value: string
  readonly count: number
}

/** The values of a field among groups, with their counts: the most frequent ones, and always the chosen one; active and drafts come first. */
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
  /** The query of the groups: see `index/Query.ts`. */
  readonly asked: string
  readonly groups: ReadonlyArray<ContractGroup>
  readonly chosen: Filter
  /** Receives the pressed value; a chosen value is removed. */
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
                <bdi>{worded(value).slice(0, 40)}</bdi> {number(count)}
              </button>
            )
          })}
        </div>
      ))}
    </>
  )
}

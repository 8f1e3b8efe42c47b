/**
 * What a badge says about a listing's contracts: how many there are, how many have the leading status, and how many there are of each status
 * and kind. Both are open sets of words (Spec: Contract, gaps). Pure.
 */
import type { BadgeFact, ContractGroup } from "../messages/ListingMessage.ts"

/** Most groups that a badge names; the rest is only counted. */
const mostGroups = 12

/** Active contracts come first, then drafts, then all others. */
export const rankOf = (status: string): number => (status === "active" ? 0 : status === "draft" ? 1 : 2)

/**
 * Summarises at least one group, each of another status or kind. Statuses of the same rank are ordered by the number of their contracts, the
 * largest first, then by name; so are the kinds within a status.
 */
export const summaryOf = (groups: ReadonlyArray<ContractGroup>): BadgeFact => {
  const byStatus = new Map<string, number>()
  for (const { count, status } of groups) byStatus.set(status, (byStatus.get(status) ?? 0) + count)
  const ordered = groups.toSorted(
    (one, other) =>
      rankOf(one.status) - rankOf(other.status) ||
      byStatus.get(other.status)! - byStatus.get(one.status)! ||
      one.status.localeCompare(other.status) ||
      other.count - one.count ||
      one.kind.localeCompare(other.kind),
  )
  const { status } = ordered[0]!
  return {
    count: groups.reduce((sum, { count }) => sum + count, 0),
    status,
    leading: byStatus.get(status)!,
    groups: ordered.slice(0, mostGroups),
  }
}

/**
 * What a content script may ask of the background, and the answers. A page's renderer may be hostile, so this is as little as badges and the panel
 * need: nothing about listings that are not on the page. `Requests.ts` has the requests, which `background/ListingRequests.ts` answers.
 */

/**
 * A listing as a page names it: the end of the path of a link, a slug, an id, a contract or a unit that a pattern of the user found, or the page
 * that a link leads to.
 */
export type Reference = string

/** Most references of one request. The background enforces this limit and the following ones. */
export const mostReferences = 1_000
/** Longest reference, in characters. */
export const longestReference = 200
/** References that one tab may ask for in a minute, including those that it has asked for before. */
export const referencesPerMinute = 20_000

/** Further limits for one tab, or where it says so, for all tabs of an origin together; numbers are per minute. The background enforces these as well. */
export const quotas = {
  /**
   * References that no tab of the origin has asked for before: `atOnce` as a page of 5,000 links needs, and `perMinute` more each minute, which is more than
   * anyone scrolls through and makes guessing slow.
   */
  newReferences: { atOnce: 10_000, perMinute: 1_000 },
  /** Details of listings: `atOnce`, and `perMinute` more each minute, which is never more than both together in any minute. */
  details: { atOnce: 30, perMinute: 30 },
  refreshes: 10,
  /** Tabs that it may ask to be opened. */
  opens: 10,
  /** Requests of any kind. */
  requests: 1_200,
} as const

/** The largest number of a place: one of four corners, closed or not. */
export const mostPlace = 7

/** Contracts of one listing that have the same status and kind, at least one. */
export interface ContractGroup {
  readonly count: number
  readonly status: string
  readonly kind: string
}

/** What a badge says about a listing: a summary of all its contracts. */
export interface BadgeFact {
  /** All contracts of the listing. */
  readonly count: number
  /** The status that leads: active, else draft, else the one that most contracts have. */
  readonly status: string
  /** Contracts that have this status. */
  readonly leading: number
  /** Those of the leading status first, at most 12. Contracts that are in none of them still count in `count`. */
  readonly groups: ReadonlyArray<ContractGroup>
}

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

/** The facts of those references that name a listing with contracts. */
export type Known = { readonly [reference: Reference]: BadgeFact }

export interface ListingContract {
  readonly id: number
  readonly kind: string
  readonly status: string
  readonly unitLabel: string
  readonly createdAt: string
  readonly updatedAt: string
  /** When the service last reported the contract, ISO 8601 UTC. */
  readonly seenAt: string
}

export interface ListingDetail {
  readonly title: string | null
  readonly city: string | null
  readonly contracts: ReadonlyArray<ListingContract>
  /** How many there are; more than these for a listing with very many. */
  readonly total: number
  /** Why a refresh brought nothing new, in words for users; absent if it did. The contracts are then those that were known before. */
  readonly problem?: string
}

/** A segment, or the value of a parameter, in lower case: the text around its placeholder. */
export interface PatternPart {
  /** How a reference from this part begins; null if the part names nothing: `before` is then the whole text, or a star. */
  readonly prefix: "" | ":contract/" | ":unit/" | null
  /** Whether the placeholder is for a number. */
  readonly isNumber: boolean
  readonly before: string
  readonly after: string
  /** Whether there is a star before `before`, and one after `after`. */
  readonly opens: boolean
  readonly ends: boolean
}

/** A link pattern of the user, parsed: see `address/Reference.ts`. */
export interface Pattern {
  readonly isExclusion: boolean
  /** Whether further segments may follow. */
  readonly isOpen: boolean
  readonly segments: ReadonlyArray<PatternPart>
  readonly parameters: ReadonlyArray<readonly [name: string, part: PatternPart]>
}

/** The answer to each request; null means not allowed or unknown: nothing is shown. */
export interface ListingAnswers {
  readonly "listing.start": {
    readonly patterns: ReadonlyArray<Pattern>
    /** Whether the user has linked pages of this site to listings. */
    readonly hasLinks: boolean
    readonly theme: "system" | "light" | "dark"
    readonly pill: boolean
    readonly place?: number | undefined
    /** As in the answer to a lookup; absent if nothing was asked for, or if patterns or links may change what addresses name. */
    readonly known?: Known | "later"
  } | null
  /** `later` if the tab or its origin has used up its quota for now. */
  readonly "listing.lookup": { readonly known: Known } | "later" | null
  readonly "listing.detail": ListingDetail | null
  readonly "listing.refresh": ListingDetail | null
  /** Whether the script is in the page. */
  readonly "listing.loadDetails": boolean | null
  readonly "listing.place": null
  readonly "listing.open": null
}

/** Name of the global object that the content script and the script that shows details share, and no page can see. */
export const detailsPlace = "deedkit details"

/** Notices of the background to the content scripts of a tab. */
export type ListingNotice =
  /** The index or the settings changed: ask again. */
  { readonly type: "listing.changed" } | { readonly type: "listing.off" }

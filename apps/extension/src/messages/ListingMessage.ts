/**
 * What a content script may say to the background and hear from it. A page's renderer may be hostile, so this is as little as badges
 * and the panel need: no address, no free text, nothing of listings that are not on the page.
 */

import type { Pattern } from "../address/LinkPattern.ts"
import type { PanelMode } from "./AppState.ts"

/** A listing as a page names it: the end of the path of a link, or a slug, an id, a contract or a unit that a pattern of the user found. */
export type Reference = string

/** References of one request at most. The background enforces this and the following. */
export const mostReferences = 1_000
/** Characters of a reference at most. */
export const longestReference = 200
/** References that one tab may ask for in a minute, those that it has asked for before included. */
export const referencesPerMinute = 20_000

/** What one tab may ask for beside that; numbers are for a minute. Enforced by the background as well. */
export const quotas = {
  /**
   * References that it has not asked for before: so many at once, as a page of 5,000 links needs, and so many more each minute, which is more
   * than anyone scrolls through and makes guessing slow.
   */
  newReferences: { atOnce: 10_000, perMinute: 1_000 },
  /** Details of listings: so many at once, and so many more each minute, which is never more than both in any minute. */
  details: { atOnce: 30, perMinute: 30 },
  refreshes: 10,
  /** Tabs that it may have opened. */
  opens: 10,
  /** Requests of any kind. */
  requests: 1_200,
} as const

/** The largest number of a place: one of four corners, closed or not. */
export const mostPlace = 7

/** Parts of the content script that come when they are needed: each is a file of its own. */
export type PartName = "marks" | "details"

export type ListingRequest =
  /** Whether badges are on here, with the patterns and theme of this site. */
  | { readonly type: "listing.start" }
  | { readonly type: "listing.lookup"; readonly references: ReadonlyArray<Reference> }
  /** The contracts of a listing that this tab has looked up before. */
  | { readonly type: "listing.detail"; readonly reference: Reference }
  /** Asks the service for these contracts again, by id. */
  | { readonly type: "listing.refresh"; readonly reference: Reference }
  /** Brings a part of the content script into the page. */
  | { readonly type: "listing.show"; readonly part: PartName }
  /** Remembers for this site where the panel stands, and whether it was closed: see `panel/Place.ts`. */
  | { readonly type: "listing.place"; readonly place: number }
  /** Opens the listing in a tab of the extension. */
  | { readonly type: "listing.open"; readonly reference: Reference }

/** Contracts of one listing that have the same status and kind, at least one. */
export interface ContractGroup {
  readonly count: number
  readonly status: string
  readonly kind: string
}

/** What a badge says of a listing: a summary that is true of each of its contracts. */
export interface BadgeFact {
  /** All contracts of the listing. */
  readonly count: number
  /** The status that leads: active, else draft, else the one that most contracts have. */
  readonly status: string
  /** Contracts that have this status. */
  readonly leading: number
  /** Those of the leading status first, at most 12. Contracts that are in none of them are in `count`. */
  readonly groups: ReadonlyArray<ContractGroup>
}

export interface ListingContract {
  readonly id: number
  readonly kind: string
  readonly status: string
  readonly unitLabel: string
  readonly createdAt: string
  readonly updatedAt: string
  /** When the service last said so, ISO 8601 UTC. */
  readonly seenAt: string
}

export interface ListingDetail {
  readonly title: string | null
  readonly city: string | null
  readonly contracts: ReadonlyArray<ListingContract>
  /** How many there are; more than these for a listing with very many. */
  readonly total: number
  /** Why a refresh brought nothing new, in words for people; absent when it did. The contracts are as they were known before. */
  readonly problem?: string
}

/** The answer to each request; null means not allowed or unknown: nothing is shown. */
export interface ListingAnswers {
  readonly "listing.start": {
    readonly patterns: ReadonlyArray<Pattern>
    readonly theme: "system" | "light" | "dark"
    readonly panel: PanelMode
    readonly place?: number | undefined
  } | null
  /** `later` where the tab has asked for as much as it may for now. */
  readonly "listing.lookup":
    | { readonly known: { readonly [reference: Reference]: BadgeFact } }
    | "later"
    | null
  readonly "listing.detail": ListingDetail | null
  readonly "listing.refresh": ListingDetail | null
  /** Whether it is there. */
  readonly "listing.show": boolean | null
  readonly "listing.place": null
  readonly "listing.open": null
}

/** What the background tells content scripts of a tab. */
export type ListingNotice =
  /** The index or the settings changed: ask again. */
  { readonly type: "listing.changed" } | { readonly type: "listing.off" }

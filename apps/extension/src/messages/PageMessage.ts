/**
 * The requests of the extension's own pages to the background: popup, options and first steps. The background accepts them only from pages of
 * the extension's own origin.
 */
import type { Facts, Trial } from "@deedkit/core/checkup"
import type { AccountAnswers, AccountRequest } from "./AccountMessage.ts"
import type { AppState, ChangesAnswer, ConnectionState, Settings } from "./AppState.ts"
import type { ContractGroup } from "./ListingMessage.ts"
import type { UserError } from "./UserError.ts"

type Failure = Exclude<ConnectionState, { readonly _tag: "Ready" }>

export type PageRequest =
  | { readonly type: "page.state" }
  /**
   * Rows of the index for what was typed: see `index/Query.ts`. An empty text gives the latest updates, faster without `counts`. Never asks the
   * service.
   */
  | {
      readonly type: "page.search"
      readonly text: string
      /** Whether the answer has `groups`. */
      readonly counts: boolean
      readonly limit: number
    }
  /** The contracts of the listing that an address shows, if it is one. The address does not leave the browser. */
  | { readonly type: "page.listingAt"; readonly url: string }
  /** The contracts of a listing by its slug, or by its id in digits. */
  | { readonly type: "page.listing"; readonly reference: string }
  /** The references among these that name a listing with contracts. */
  | { readonly type: "page.known"; readonly references: ReadonlyArray<string> }
  /** A contract from the index, or read from the service by id if `refresh` is set. */
  | { readonly type: "page.contract"; readonly id: number; readonly refresh: boolean }
  /** Another address drops key and index. */
  | { readonly type: "page.setAddress"; readonly baseUrl: string }
  | { readonly type: "page.setKey"; readonly key: string }
  | { readonly type: "page.forgetKey" }
  | { readonly type: "page.setSettings"; readonly settings: Partial<Settings> }
  /** After the browser granted an origin in the page: registers the content script. */
  | { readonly type: "page.addSite"; readonly origin: string }
  | { readonly type: "page.removeSite"; readonly origin: string }
  | { readonly type: "page.switchSite"; readonly origin: string; readonly isOn: boolean }
  /** Shows badges in a tab until its page is left, without naming the site. The user has called the extension on that page. */
  | { readonly type: "page.showOnce"; readonly tabId: number; readonly origin: string }
  | { readonly type: "page.setPatterns"; readonly origin: string; readonly patterns: ReadonlyArray<string> }
  /** Links the page at an address to a listing, or to none. */
  | { readonly type: "page.linkPage"; readonly url: string; readonly listing: number | null }
  | { readonly type: "page.sync" }
  /** What has changed since the first complete read; `isShown` if the user looks at it. Never asks the service. */
  | { readonly type: "page.changes"; readonly isShown: boolean }
  | { readonly type: "page.watch"; readonly id: number; readonly isWatched: boolean }
  /** Reads the first page now, if that shows what is new; otherwise everything. */
  | { readonly type: "page.readHead" }
  | { readonly type: "page.stopSync" }
  /** Clears settings, key, index, registrations and permissions. */
  | { readonly type: "page.clear" }
  | AccountRequest

/** Requests to the account in use that do not change which account is in use. */
export type DataRequest = Exclude<
  PageRequest,
  Exclude<AccountRequest, { readonly type: "page.decideList" }> | { readonly type: "page.clear" }
>

export interface ContractRow {
  readonly id: number
  readonly kind: string
  readonly status: string
  readonly unitLabel: string
  /** Of the listing; null if there is none. */
  readonly listingId: number | null
  readonly title: string | null
  readonly city: string | null
  readonly slug: string | null
  readonly updatedAt: string
}

export interface SearchAnswer {
  readonly rows: ReadonlyArray<ContractRow>
  /** Matches in the index, `rows` included. */
  readonly total: number
  /** How many match of each status and kind, whatever status and kind were asked for; null if that was not asked for, or there are very many. */
  readonly groups: ReadonlyArray<ContractGroup> | null
  readonly millis: number
}

export interface ListingAnswer {
  readonly rows: ReadonlyArray<ContractRow>
  readonly title: string | null
  /** How many there are; more than these rows for a listing with very many. */
  readonly total: number
}

/** A contract with everything the record has: names of members as on the wire, values as text, JSON kept whole. */
export interface ContractDetail {
  readonly row: ContractRow
  readonly fields: ReadonlyArray<{ readonly name: string; readonly value: string | null }>
  readonly seenAt: string
}

export interface PageAnswers extends AccountAnswers {
  readonly "page.state": AppState
  readonly "page.search": SearchAnswer
  readonly "page.listingAt": ListingAnswer | null
  readonly "page.listing": ListingAnswer | null
  readonly "page.known": ReadonlyArray<string>
  readonly "page.contract": ContractDetail | UserError | null
  readonly "page.setAddress": AppState | UserError
  readonly "page.setKey": AppState | UserError
  readonly "page.forgetKey": AppState
  readonly "page.setSettings": AppState
  readonly "page.addSite": AppState | UserError
  readonly "page.removeSite": AppState
  readonly "page.switchSite": AppState
  readonly "page.showOnce": AppState | UserError
  readonly "page.setPatterns": AppState | UserError
  readonly "page.linkPage": AppState | UserError
  readonly "page.sync": AppState
  readonly "page.changes": ChangesAnswer
  readonly "page.watch": AppState
  readonly "page.readHead": AppState
  readonly "page.stopSync": AppState
  readonly "page.clear": AppState
}

/**
 * Two ports of pages: `state` sends an `AppState` at once and at every change; `connection-test` runs the staged test and sends each
 * finding when it is known.
 */
export const ports = { state: "page.state", connectionTest: "page.connectionTest" } as const

type Tested = "Scope" | "CursorParameter" | "Clock"

/**
 * What the connection test has found: the facts of a finding of the checkup, what its error is about, and the state that it means. `NotRun`:
 * there is no service to ask. `End` is the last.
 */
export type TestFinding =
  | {
      readonly [Tag in Tested]: Facts[Tag] & {
        readonly _tag: Tag
        readonly origin: string
        readonly hasKey: boolean
        readonly about: Trial.About | null
        readonly failure: Failure | null
      }
    }[Tested]
  | { readonly _tag: "NotRun"; readonly failure: Failure }
  | { readonly _tag: "End" }

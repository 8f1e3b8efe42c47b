/**
 * The requests of the extension's own pages to the background: popup, options and first steps. The background accepts them only from pages of
 * the extension's own origin.
 */
import type { Facts, Trial } from "@deedkit/core/checkup"
import type { AccountAnswers, AccountRequest } from "./AccountMessage.ts"
import type { AppState, ConnectionState, Settings } from "./AppState.ts"
import type { ContractGroup } from "./ListingMessage.ts"
import type { UserError } from "./UserError.ts"

type Failure = Exclude<ConnectionState, { readonly _tag: "Ready" }>

export type PageRequest =
  | { readonly type: "page.state" }
  /** Reads a contract from the service by its id. */
  | { readonly type: "page.refresh"; readonly id: number }
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
  /** The user has looked at the changes: watched contracts that changed until now are marked no more. */
  | { readonly type: "page.looked" }
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
  readonly "page.refresh": ContractDetail | UserError
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
  readonly "page.looked": AppState
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

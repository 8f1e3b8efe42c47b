/**
 * What the extension's pages show, as one value that the background keeps and sends: address, key, state of the connection, sync,
 * index, sites and settings. It holds no secret and no record.
 */

/** Limits of what is typed and of a file. */
export const accountLimits = {
  mostName: 60,
  mostAccounts: 20,
  /** Of a settings file: UTF-16 units of its text, and bytes before it is read. As large as all accounts with all their links of the longest addresses. */
  mostFile: 20_000_000,
} as const

/** Why the connection cannot work, or `Ready`. Each of the reasons can end: see the advice that the pages show for it. */
export type ConnectionState =
  | { readonly _tag: "NoAddress" }
  | { readonly _tag: "NoKey" }
  /** The address's origin is not granted. */
  | { readonly _tag: "NoPermission"; readonly origin: string }
  /** 401: the key is wrong or was revoked. */
  | { readonly _tag: "WrongKey" }
  /** 403: the key lacks a scope (Spec: Endpoints). */
  | { readonly _tag: "MissingScope"; readonly scope: string | null }
  /** 429; `until` is ISO 8601 UTC, null when the service did not say. */
  | { readonly _tag: "RateLimited"; readonly until: string | null }
  /** The browser itself has no network. */
  | { readonly _tag: "Offline" }
  /** The address does not answer, or not in time. */
  | { readonly _tag: "Unreachable" }
  | { readonly _tag: "ServerFault"; readonly status: number }
  /** The answer is not the service's, or not as specified; `detail` is what is known about the error: see `Facts`. */
  | { readonly _tag: "UnreadableData"; readonly detail: string }
  /** The browser could not store what was read: its disk may be full. */
  | { readonly _tag: "StorageFailed" }
  /** The sync over the pages could not be trusted. */
  | { readonly _tag: "CursorUntrusted"; readonly detail: string }
  | { readonly _tag: "Ready" }

/** The sync that fills the index. */
export type SyncState =
  | { readonly _tag: "Idle" }
  | {
      readonly _tag: "Syncing"
      readonly startedAt: string
      readonly pages: number
      readonly records: number
      /** Records of the last complete sync; null when there was none, so that no share can be shown. */
      readonly expected: number | null
      /** Why the sync waits at the moment, and until when. */
      readonly waiting: {
        readonly reason: "rate-limited" | "retry"
        readonly until: string
      } | null
    }

/**
 * What the first page of the list shows: new contracts, new and changed ones, or all, because there is no other page. See `index/Head.ts`.
 */
export type HeadOrder = "new" | "changes" | "all"

export interface IndexState {
  readonly contracts: number
  readonly listings: number
  /** End of the last complete sync, ISO 8601 UTC; null before the first. */
  readonly completedAt: string | null
  /** Whether `completedAt` lies further back than twice the time between two complete syncs. */
  readonly isStale: boolean
  /** Records that were not as specified in the last sync. */
  readonly rejected: number
  /** What one request for the first page shows, and when it last did after the complete read, ISO 8601 UTC; null if it shows nothing. */
  readonly head: { readonly order: HeadOrder; readonly readAt: string | null } | null
  /** A later complete read that would remove most contracts, and waits for a decision; null for none. */
  readonly smaller: {
    readonly id: string
    /** Contracts that would be left. */
    readonly contracts: number
  } | null
}

/** A change of a contract in the index. */
export interface Change {
  readonly id: number
  readonly kind: "new" | "changed" | "gone"
  /** When the change was seen, not when it happened, ISO 8601 UTC. */
  readonly at: string
  readonly unit: string
  /** Title of its listing; null if it has none. */
  readonly title: string | null
  /** Names of the members that have changed, as on the wire. */
  readonly fields: ReadonlyArray<string>
  /** The words before and after, of a changed status or kind; absent where neither has changed, and in what earlier versions have kept. */
  readonly words?: { readonly [name in "status" | "kind"]?: readonly [before: string, after: string] }
}

export interface ChangesAnswer {
  /** Number of changes since the first complete read, including those that are no longer kept. */
  readonly last: number
  /** The latest 500, the earliest one first. */
  readonly changes: ReadonlyArray<Change>
}

/** The contracts that the user watches. */
export interface Watched {
  /** The one that was watched first comes first. */
  readonly ids: ReadonlyArray<number>
  /** Those that have changed since the list of changes was last looked at, each with when its latest change was seen, ISO 8601 UTC. */
  readonly changed: ReadonlyArray<readonly [id: number, at: string]>
}

/** When the service is next read automatically, ISO 8601 UTC; null if it is not. */
interface NextReads {
  /** The first page. */
  readonly head: string | null
  readonly complete: string | null
}

export interface Site {
  /** Such as `https://homes.example`. */
  readonly origin: string
  /** Whether the browser still grants it. */
  readonly isGranted: boolean
  /** Whether badges are shown: the switch of the popup. */
  readonly isOn: boolean
  /** Link patterns of the user, such as `/homes/:slug` or `?listing=:id`. */
  readonly patterns: ReadonlyArray<string>
  /** Where the user has put the panel, as `panel/Place.ts` writes it; absent until then. */
  readonly place?: number
}

export type Theme = "system" | "light" | "dark"

/** Shortest and longest interval between syncs that can be chosen, in minutes; the longest is a month. */
export const leastRefreshMinutes = 5
export const mostRefreshMinutes = 31 * 24 * 60

export interface Settings {
  readonly theme: Theme
  /** Minutes between syncs; null for only when asked. If the first page shows what is new, it is read more often, and everything once a day. */
  readonly refreshMinutes: number | null
  /** Whether the toolbar shows the number of contracts of the page. */
  readonly toolbarCount: boolean
  /** Whether a listing's own page shows a pill if there are contracts. */
  readonly pill: boolean
  /** Where the key is kept: on disk under a key that cannot be exported, or until the browser closes. */
  readonly keyStorage: "device" | "session"
}

/** Pages that the user has linked to listings by hand: the listing's id by the page's address, which has the form of `linkableAddress`. */
export type Links = Readonly<Record<string, number>>

/** Most links of an account. */
export const mostLinks = 1_000

/** A service with its own key and index. Sites and settings are shared by all accounts. */
export interface Account {
  readonly id: string
  /** The user's name for the account; empty for none. */
  readonly name: string
  readonly baseUrl: string | null
  /** Absent until the first one. */
  readonly links?: Links
}

export interface AppState {
  /** Every account, in the order in which they were added, and the one in use. */
  readonly accounts: ReadonlyArray<Account>
  readonly account: string
  readonly baseUrl: string | null
  /** The key's last four characters; null when there is none. */
  readonly keyHint: string | null
  readonly connection: ConnectionState
  readonly sync: SyncState
  readonly index: IndexState
  readonly watched: Watched
  readonly next: NextReads
  readonly sites: ReadonlyArray<Site>
  readonly settings: Settings
  /** The parameter that takes the cursor, once it was verified. */
  readonly cursorParam: string | null
}

/** The pages that the account in use has linked to listings. */
export const linksOf = ({ account, accounts }: AppState): Links =>
  accounts.find(({ id }) => id === account)?.links ?? {}

/**
 * The requests to the background, as Schemas: of the extension's own pages, and of content scripts. A page's renderer may be hostile, so sizes are
 * checked with shapes, and a member that is not named is refused. No request of a content script holds an address, free text or anything about
 * listings that are not on its page.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { mostPatterns } from "../address/Reference.ts"
import { accountLimits, leastRefreshMinutes, mostRefreshMinutes } from "./AppState.ts"
import { longestReference, mostPlace, mostReferences } from "./ListingMessage.ts"
import type { ListingAnswers, ListingNotice } from "./ListingMessage.ts"

/** A string of at most `most` UTF-16 units, and at least `least`. */
export const text = (most: number, least = 0) => Schema.String.check(Schema.isBetweenLength(least, most))

const integer = (least: number, most = Number.MAX_SAFE_INTEGER) =>
  Schema.Int.check(Schema.isBetween({ minimum: least, maximum: most }))

const listOf = <Item extends Schema.Constraint>(item: Item, most: number) =>
  Schema.Array(item).check(Schema.isMaxLength(most))

export const address = text(2_000)
export const patterns = listOf(text(500), mostPatterns)
export const listingId = integer(0)

/** The choices that a user makes: the same in a request and in a settings file. */
export const settings = {
  theme: Schema.Literals(["system", "light", "dark"]),
  refreshMinutes: Schema.NullOr(integer(leastRefreshMinutes, mostRefreshMinutes)),
  toolbarCount: Schema.Boolean,
  pill: Schema.Boolean,
  keyStorage: Schema.Literals(["device", "session"]),
}

const request = <const Type extends string, const Members extends Schema.Struct.Fields>(
  type: Type,
  members: Members,
) => Schema.Struct({ type: Schema.Literal(type), ...members })

const account = text(40, 1)
const name = text(accountLimits.mostName)
const contract = integer(1)

/** Of popup, options, first steps and export. */
const PageRequest = Schema.Union([
  request("page.state", {}),
  /** Reads a contract from the service by its id. */
  request("page.refresh", { id: contract }),
  /** Another address drops key and index. */
  request("page.setAddress", { baseUrl: address }),
  request("page.setKey", { key: text(5_000) }),
  request("page.forgetKey", {}),
  request("page.setSettings", {
    settings: Schema.Struct({
      theme: Schema.optionalKey(settings.theme),
      refreshMinutes: Schema.optionalKey(settings.refreshMinutes),
      toolbarCount: Schema.optionalKey(settings.toolbarCount),
      pill: Schema.optionalKey(settings.pill),
      keyStorage: Schema.optionalKey(settings.keyStorage),
    }),
  }),
  /** After the browser granted an origin in the page: registers the content script. */
  request("page.addSite", { origin: address }),
  request("page.removeSite", { origin: address }),
  request("page.switchSite", { origin: address, isOn: Schema.Boolean }),
  /** Shows badges in a tab until its page is left, without naming the site. The user has called the extension on that page. */
  request("page.showOnce", { tabId: integer(0), origin: address }),
  request("page.setPatterns", { origin: address, patterns }),
  /** Links the page at an address to a listing, or to none. */
  request("page.linkPage", { url: text(10_000), listing: Schema.NullOr(listingId) }),
  request("page.sync", {}),
  /** Reads the first page now, if that shows what is new; otherwise everything. */
  request("page.readHead", {}),
  request("page.stopSync", {}),
  /** The user has looked at the changes: watched contracts that changed until now are marked no more. */
  request("page.looked", {}),
  request("page.watch", { id: contract, isWatched: Schema.Boolean }),
  /** Uses the smaller list with this id, or keeps the saved one and reads again. Does nothing if the list no longer waits for a decision. */
  request("page.decideList", { id: account, isUsed: Schema.Boolean }),
  /** Clears settings, key, index, registrations and permissions. */
  request("page.clear", {}),
  /** Adds an account without address and key. The one in use stays in use. */
  request("page.addAccount", { name }),
  request("page.renameAccount", { id: account, name }),
  request("page.switchAccount", { id: account }),
  /** Removes an account with its key and its index. The last account stays. */
  request("page.removeAccount", { id: account }),
  /** Reads a settings file, so that a page can show what it holds. Changes nothing. */
  request("page.readSettings", { text: text(accountLimits.mostFile) }),
  /** Imports a settings file. Grants of the browser are asked for again, site by site. */
  request("page.importSettings", { text: text(accountLimits.mostFile) }),
])

const reference = text(longestReference, 1)
const references = listOf(reference, mostReferences)

/** Of content scripts. */
const ListingRequest = Schema.Union([
  /** Whether badges are on here, with the patterns and theme of this site, and what is known of references that need no pattern. */
  request("listing.start", { references: Schema.optionalKey(references) }),
  request("listing.lookup", { references }),
  /** The contracts of a listing that this tab has looked up before. */
  request("listing.detail", { reference }),
  /** Asks the service for these contracts again, by id. */
  request("listing.refresh", { reference }),
  /** Loads the script that shows details into the page. */
  request("listing.loadDetails", {}),
  /** Remembers for this site where the panel is, and whether it was closed: see `panel/Place.ts`. */
  request("listing.place", { place: integer(0, mostPlace) }),
  /** Opens the listing in a tab of the extension. */
  request("listing.open", { reference }),
])

export type PageRequest = typeof PageRequest.Type
export type ListingRequest = typeof ListingRequest.Type

/** What a content script asks and hears of the background. */
export interface Channel {
  readonly ask: <R extends ListingRequest>(request: R) => Promise<ListingAnswers[R["type"]] | null>
  /** Calls back with each notice of the background until the signal ends it. */
  readonly listen: (take: (notice: ListingNotice) => void, signal: AbortSignal) => void
}

/** Requests that need no account that is open: most of them choose, add or remove accounts. */
export type AccountRequest = Extract<
  PageRequest,
  {
    readonly type:
      | "page.clear"
      | "page.addAccount"
      | "page.renameAccount"
      | "page.switchAccount"
      | "page.removeAccount"
      | "page.readSettings"
      | "page.importSettings"
  }
>

const exactly = { onExcessProperty: "error" } as const
const decodePage = Schema.decodeUnknownOption(PageRequest, exactly)
const decodeListing = Schema.decodeUnknownOption(ListingRequest, exactly)

/** Reads a value that claims to be a request of one of the extension's own pages; null if it is none. */
export const readPageRequest = (value: unknown): PageRequest | null => Option.getOrNull(decodePage(value))

/** Reads a value that claims to be a request of a content script; null if it is none. */
export const readListingRequest = (value: unknown): ListingRequest | null =>
  Option.getOrNull(decodeListing(value))

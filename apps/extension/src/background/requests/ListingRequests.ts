/**
 * Answers content scripts. Their pages may be hostile: an answer names only listings that the page named first, a badge gets only a summary
 * of its listing's contracts, and everything is counted. A request that is not allowed is answered with null, without a reason.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { isNumber, parseAll } from "../../address/LinkPattern.ts"
import type { Site } from "../../messages/AppState.ts"
import type {
  BadgeFact,
  ListingAnswers,
  ListingDetail,
  ListingRequest,
} from "../../messages/ListingMessage.ts"
import type { Sender } from "../../messages/Sender.ts"
import { listingOf } from "./Answers.ts"
import { TemporaryGrants } from "../sites/TemporaryGrants.ts"
import { Platform } from "../browser/Platform.ts"
import { Profiles } from "../accounts/Profile.ts"
import { Refresh } from "../sync/Refresh.ts"
import { resolved } from "../sites/PageAddress.ts"
import { Sites } from "../sites/Sites.ts"
import { Index } from "../browser/Storage.ts"
import { TabQuota } from "../sites/TabQuota.ts"

type SiteSender = Extract<Sender, { readonly _tag: "Site" }>
type Answer = ListingAnswers[ListingRequest["type"]]

export interface Service {
  readonly answer: (request: ListingRequest, sender: SiteSender) => Effect.Effect<Answer>
}

/** Most contracts of a listing that one refresh asks for. */
const mostRefreshed = 20

const make = Effect.gen(function* () {
  const sites = yield* Sites
  const temporaryGrants = yield* TemporaryGrants
  const profiles = yield* Profiles
  const index = yield* Index
  const tabQuota = yield* TabQuota
  const refresh = yield* Refresh
  const platform = yield* Platform

  /** Shows the number without waiting for the browser: no answer to a page waits for its toolbar. */
  const showCount = (tabId: number, contracts: number): Effect.Effect<void> =>
    Effect.map(
      profiles.get,
      ({ settings }) =>
        void platform.tabs.setCount(
          tabId,
          settings.toolbarCount && contracts > 0 ? countText(contracts) : "",
        ),
    )

  const start = (site: Site, { origin, tabId }: SiteSender) =>
    Effect.gen(function* () {
      yield* tabQuota.arrive(tabId, origin)
      yield* showCount(tabId, 0)
      const { links, settings } = yield* profiles.get
      const { pill, theme } = settings
      const hasLinks = Object.keys(links).some((address) => address.startsWith(`${origin}/`))
      return { patterns: parseAll(site.patterns), hasLinks, theme, pill, place: site.place }
    })

  const lookup = (references: ReadonlyArray<string>, site: Site, { origin, tabId }: SiteSender) =>
    Effect.gen(function* () {
      // Only patterns find numbers, contracts and units. A site without a pattern sends none of them, unless its renderer is compromised.
      const isNamed = (reference: string): boolean => {
        const place = isNumber(reference) ? ":id" : (/^:(?:contract|unit)(?=\/)/.exec(reference)?.[0] ?? "")
        return place === "" || site.patterns.some((pattern) => pattern.toLowerCase().includes(place))
      }
      const asked = [...new Set(references)].filter(isNamed)
      if (!(yield* tabQuota.mayLookup(tabId, asked))) return "later" as const
      const { links } = yield* profiles.get
      const named = asked.map((reference) => [reference, resolved(reference, origin, links)] as const)
      const facts = yield* Effect.promise(() =>
        index.lookup([...new Set(named.flatMap(([, to]) => to ?? []))]),
      )
      const known = new Map<string, BadgeFact>()
      const counts = new Map<string, number>()
      const counted = new Set<string>()
      for (const [reference, to] of named) {
        const fact = to === null ? undefined : facts.get(to)
        if (to === null || fact === undefined) continue
        known.set(reference, fact)
        counts.set(reference, counted.has(to) ? 0 : fact.count)
        counted.add(to)
      }
      const told = yield* tabQuota.told(tabId, origin, counts)
      yield* showCount(tabId, told)
      return { known: Object.fromEntries(known) }
    })

  const detail = (reference: string): Effect.Effect<ListingDetail | null> =>
    Effect.map(
      Effect.promise(() => index.ofListing(reference)),
      listingOf,
    )

  const refreshed = (reference: string): Effect.Effect<ListingDetail | null> =>
    Effect.gen(function* () {
      const { rows } = yield* Effect.promise(() => index.ofListing(reference))
      const ids = rows.slice(0, mostRefreshed).map(({ id }) => id)
      const isFresh = yield* Effect.match(refresh.many(ids), {
        onFailure: () => false,
        onSuccess: () => true,
      })
      const now = yield* detail(reference)
      if (now === null || isFresh) return now
      return { ...now, problem: platform.text("problemRefresh") }
    })

  const open = (reference: string): Effect.Effect<null> =>
    Effect.as(
      Effect.promise(() => platform.tabs.open(`/popup.html?listing=${encodeURIComponent(reference)}`)),
      null,
    )

  return ListingRequests.of({
    answer: (request, sender) =>
      Effect.gen(function* () {
        const site = (yield* sites.shown(sender.origin)) ?? (yield* temporaryGrants.shown(sender))
        if (site === null) {
          yield* showCount(sender.tabId, 0)
          return null
        }
        if (!(yield* tabQuota.may(sender.tabId, "request"))) return null
        if (request.type === "listing.start") return yield* start(site, sender)
        if (request.type === "listing.lookup") return yield* lookup(request.references, site, sender)
        if (request.type === "listing.show") {
          return yield* Effect.promise(() => platform.scripts.run(sender.tabId, request.part))
        }
        if (request.type === "listing.place") return yield* sites.place(site.origin, request.place)
        if (!(yield* tabQuota.knows(sender.tabId, sender.origin, request.reference))) return null
        const reference = resolved(request.reference, sender.origin, (yield* profiles.get).links)
        if (reference === null) return null
        if (request.type === "listing.open") {
          return (yield* tabQuota.may(sender.tabId, "open")) ? yield* open(reference) : null
        }
        if (!(yield* tabQuota.mayDetail(sender.tabId))) return null
        if (request.type === "listing.detail") return yield* detail(reference)
        return (yield* tabQuota.may(sender.tabId, "refresh")) ? yield* refreshed(reference) : null
      }),
  })
})

/** At most four characters fit on the toolbar's button. */
const countText = (contracts: number): string => (contracts > 999 ? "999+" : `${contracts}`)

export class ListingRequests extends Context.Service<ListingRequests, Service>()(
  "@deedkit/extension/ListingRequests",
) {
  static readonly make = make
}

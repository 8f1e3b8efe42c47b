/**
 * Answers content scripts. Their pages may be hostile: an answer names only listings that the page named first, a badge gets only a summary
 * of its listing's contracts, and everything is counted. A request that is not allowed is answered with null, without a reason.
 */
import * as Effect from "effect/Effect"
import { isNumber, parseAll } from "../address/LinkPattern.ts"
import { resolved } from "../address/Reference.ts"
import { listingOf } from "../index/ContractReads.ts"
import type { Site } from "../messages/AppState.ts"
import type { BadgeFact, ListingAnswers } from "../messages/ListingMessage.ts"
import type { ListingRequest } from "../messages/Requests.ts"
import type { SiteSender } from "../messages/Sender.ts"
import { Account, Index } from "./Account.ts"
import type { AccountServices } from "./Layers.ts"
import { Platform } from "./Platform.ts"
import { Refresh } from "./Refresh.ts"
import { Sites } from "./Sites.ts"
import { TabQuota } from "./TabQuota.ts"

/** Most contracts of a listing that one refresh asks for. */
const mostRefreshed = 20

/** At most four characters fit on the toolbar's button. */
const countText = (contracts: number): string => (contracts > 999 ? "999+" : `${contracts}`)

/** Shows the number without waiting for the browser: no answer to a page waits for its toolbar. */
const showCount = (tabId: number, contracts: number) =>
  Effect.gen(function* () {
    const { tabs } = yield* Platform
    const { settings } = yield* (yield* Account).profile
    void tabs.setCount(tabId, settings.toolbarCount && contracts > 0 ? countText(contracts) : "")
  })

const lookup = (references: ReadonlyArray<string>, site: Site, { origin, tabId }: SiteSender) =>
  Effect.gen(function* () {
    const tabQuota = yield* TabQuota
    const index = yield* Index
    // Only patterns find numbers, contracts and units. A site without a pattern sends none of them, unless its renderer is compromised.
    const isNamed = (reference: string): boolean => {
      const place = isNumber(reference) ? ":id" : (/^:(?:contract|unit)(?=\/)/.exec(reference)?.[0] ?? "")
      return place === "" || site.patterns.some((pattern) => pattern.toLowerCase().includes(place))
    }
    const asked = [...new Set(references)].filter(isNamed)
    if (!(yield* tabQuota.mayLookup(tabId, origin, asked))) return "later" as const
    const { links } = yield* (yield* Account).profile
    const named = asked.map((reference) => [reference, resolved(reference, origin, links)] as const)
    const facts = yield* Effect.promise(() => index.lookup([...new Set(named.flatMap(([, to]) => to ?? []))]))
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

const start = (references: ReadonlyArray<string>, site: Site, sender: SiteSender) =>
  Effect.gen(function* () {
    const { origin, tabId } = sender
    yield* (yield* TabQuota).arrive(tabId, origin)
    yield* showCount(tabId, 0)
    const { links, settings } = yield* (yield* Account).profile
    const { pill, theme } = settings
    const hasLinks = Object.keys(links).some((address) => address.startsWith(`${origin}/`))
    // Patterns and links may change what an address names, so the page asks once it has them.
    const isPlain = references.length > 0 && site.patterns.length === 0 && !hasLinks
    const answer = isPlain ? yield* lookup(references, site, sender) : null
    const known = answer === "later" ? answer : answer?.known
    return {
      patterns: parseAll(site.patterns),
      hasLinks,
      theme,
      pill,
      place: site.place,
      ...(known === undefined ? {} : { known }),
    }
  })

const detail = (reference: string) =>
  Index.use((index) =>
    Effect.map(
      Effect.promise(() => index.ofListing(reference)),
      listingOf,
    ),
  )

const refreshed = (reference: string) =>
  Effect.gen(function* () {
    const index = yield* Index
    const { text } = yield* Platform
    const { rows } = yield* Effect.promise(() => index.ofListing(reference))
    const ids = rows.slice(0, mostRefreshed).map(({ id }) => id)
    const isFresh = yield* Effect.match((yield* Refresh).many(ids), {
      onFailure: () => false,
      onSuccess: () => true,
    })
    const now = yield* detail(reference)
    return now === null || isFresh ? now : { ...now, problem: text("problemRefresh") }
  })

export const answer = (
  request: ListingRequest,
  sender: SiteSender,
): Effect.Effect<ListingAnswers[ListingRequest["type"]], never, AccountServices> =>
  Effect.gen(function* () {
    const { origin, tabId } = sender
    const { scripts, tabs } = yield* Platform
    const sites = yield* Sites
    const quota = yield* TabQuota
    const site = yield* sites.shown(sender)
    if (site === null) {
      yield* showCount(tabId, 0)
      return null
    }
    if (!(yield* quota.may(tabId, "request"))) return null
    if (request.type === "listing.start") return yield* start(request.references ?? [], site, sender)
    if (request.type === "listing.lookup") return yield* lookup(request.references, site, sender)
    if (request.type === "listing.loadDetails")
      return yield* Effect.promise(() => scripts.run(tabId, "details"))
    if (request.type === "listing.place") return yield* sites.place(site.origin, request.place)
    if (!(yield* quota.knows(tabId, origin, request.reference))) return null
    const { links } = yield* (yield* Account).profile
    const reference = resolved(request.reference, origin, links)
    if (reference === null) return null
    if (request.type === "listing.open") {
      if (!(yield* quota.may(tabId, "open"))) return null
      yield* Effect.promise(() => tabs.open(`/popup.html?listing=${encodeURIComponent(reference)}`))
      return null
    }
    if (!(yield* quota.mayDetail(tabId))) return null
    if (request.type === "listing.detail") return yield* detail(reference)
    return (yield* quota.may(tabId, "refresh")) ? yield* refreshed(reference) : null
  })

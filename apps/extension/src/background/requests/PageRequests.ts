/**
 * Answers the extension's own pages. The shape and the sender of a request were checked before; here its meaning is checked, and a request
 * that cannot be carried out is answered with an error of the catalogue.
 */
import type { ClientError } from "@deedkit/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Watched from "../../index/Watched.ts"
import { mostLinks } from "../../messages/AppState.ts"
import type { AppState, ChangesAnswer } from "../../messages/AppState.ts"
import { originOf } from "../../messages/OriginPattern.ts"
import type { DataRequest, ListingAnswer, PageAnswers, SearchAnswer } from "../../messages/PageMessage.ts"
import type { UserError } from "../../messages/UserError.ts"
import { detailOf, rowOf } from "./Answers.ts"
import type { NotReady } from "../connection/Failures.ts"
import { TemporaryGrants } from "../sites/TemporaryGrants.ts"
import { isPattern, referencesOf, resolved } from "../sites/PageAddress.ts"
import { linkableAddress } from "../../page/links/Reference.ts"
import { Changes } from "../browser/Changes.ts"
import { Platform } from "../browser/Platform.ts"
import { Profiles } from "../accounts/Profile.ts"
import { Refresh } from "../sync/Refresh.ts"
import { actionError } from "../../failures/ActionFailure.ts"
import { errorOfFailure } from "../connection/Failures.ts"
import { SetUp } from "./SetUp.ts"
import { Sites } from "../sites/Sites.ts"
import { StateFeed } from "./StateFeed.ts"
import { Index } from "../browser/Storage.ts"
import { IndexSync } from "../sync/IndexSync.ts"
import { Schedule } from "../sync/Schedule.ts"

export interface Service {
  readonly answer: (request: DataRequest) => Effect.Effect<PageAnswers[DataRequest["type"]]>
}

const make = Effect.gen(function* () {
  const platform = yield* Platform
  const profiles = yield* Profiles
  const index = yield* Index
  const refresh = yield* Refresh
  const sites = yield* Sites
  const temporaryGrants = yield* TemporaryGrants
  const sync = yield* IndexSync
  const schedule = yield* Schedule
  const setUp = yield* SetUp
  const changes = yield* Changes
  const { state } = yield* StateFeed
  const { text } = platform

  /** The state after an action, or the error that prevented it. */
  const stateAfter = <E extends UserError>(
    done: Effect.Effect<unknown, E>,
  ): Effect.Effect<AppState | UserError> =>
    Effect.matchEffect(done, {
      onFailure: (error): Effect.Effect<AppState | UserError> => Effect.succeed(error),
      onSuccess: () => state,
    })
  const then = (done: Effect.Effect<unknown>): Effect.Effect<AppState> => Effect.andThen(done, state)

  const find = (request: Extract<DataRequest, { type: "page.search" }>): Effect.Effect<SearchAnswer> =>
    Effect.promise(async () => {
      const startedAt = performance.now()
      const found = await index.search(request)
      return { ...found, rows: found.rows.map(rowOf), millis: performance.now() - startedAt }
    })

  /** The first listing with contracts among some references. */
  const listing = (references: ReadonlyArray<string>): Effect.Effect<ListingAnswer | null> =>
    Effect.promise(async () => {
      const [reference] = (await index.lookup(references)).keys()
      if (reference === undefined) return null
      const { rows, total } = await index.ofListing(reference)
      return { rows: rows.map(rowOf), title: rows[0]?.contract.listing?.title ?? null, total }
    })

  const listingAt = (url: string): Effect.Effect<ListingAnswer | null> =>
    Effect.flatMap(profiles.get, ({ links, sites }) => {
      const origin = URL.canParse(url) ? new URL(url).origin : null
      const named = sites.find((site) => site.origin === origin)
      const references = referencesOf(url, named?.patterns ?? [], Object.keys(links).length > 0)
      return listing(references.flatMap((reference) => resolved(reference, origin ?? "", links) ?? []))
    })

  const linkPage = (url: string, listing: number | null): Effect.Effect<void, UserError> =>
    Effect.gen(function* () {
      const address = URL.canParse(url) ? linkableAddress(new URL(url)) : null
      const { links, sites: named } = yield* profiles.get
      const isOfSite = named.some(({ origin }) => address?.startsWith(`${origin}/`))
      if (address === null || !isOfSite) return yield* Effect.fail(actionError(text, "PageNotLinkable"))
      if (listing !== null && Object.keys(links).length >= mostLinks && !Object.hasOwn(links, address))
        return yield* Effect.fail(actionError(text, "LinksFull", [String(mostLinks)]))
      yield* profiles.update((profile) => {
        const { [address]: _, ...others } = profile.links
        return { ...profile, links: listing === null ? others : { ...others, [address]: listing } }
      })
      yield* sites.change(new URL(url).origin, (site) => site)
    })

  const contract = (id: number, isRefresh: boolean) =>
    Effect.gen(function* () {
      if (!isRefresh) {
        const row = yield* Effect.promise(() => index.get(id))
        return row === undefined ? null : detailOf(row)
      }
      return yield* Effect.match(refresh.one(id), {
        onFailure: (failure: ClientError.ClientError | NotReady) => errorOfFailure(failure, platform),
        onSuccess: (row) => (row === null ? actionError(text, "ContractGone", [String(id)]) : detailOf(row)),
      })
    })

  const addSite = (typed: string): Effect.Effect<void, UserError> =>
    Effect.gen(function* () {
      const origin = originOf(typed, platform.allowsLoopback)
      if (origin === null) {
        return yield* Effect.fail(actionError(text, "SiteInvalid"))
      }
      if (yield* sites.add(origin)) return
      return yield* Effect.fail(actionError(text, "SiteNotAllowed"))
    })

  const showOnce = (tabId: number, origin: string): Effect.Effect<void, UserError> =>
    Effect.gen(function* () {
      // Before the content script asks for anything.
      if (originOf(origin, platform.allowsLoopback) === origin) {
        yield* temporaryGrants.allow(tabId, origin)
        const ran = Effect.promise(() => platform.scripts.run(tabId))
        // A browser that does not allow it answers at once. A busy page gets the script later.
        const isLet = Effect.timeoutOrElse(ran, { duration: 1_000, orElse: () => Effect.succeed(true) })
        if (yield* isLet) return
        yield* temporaryGrants.leave(tabId)
      }
      return yield* Effect.fail(actionError(text, "PageNotAllowed"))
    })

  const changeWatched = (changed: Parameters<typeof index.changeWatched>[0]): Promise<void> =>
    index.changeWatched(changed).then(changes.tell)

  /** What changes after it was marked as looked at stays marked. A full disk does not prevent the answer. */
  const changesOf = async (isShown: boolean): Promise<ChangesAnswer> => {
    if (isShown) await changeWatched(Watched.looked).catch(() => {})
    return index.changes()
  }

  const setPatterns = (origin: string, typed: ReadonlyArray<string>): Effect.Effect<void, UserError> => {
    const patterns = typed.map((pattern) => pattern.trim()).filter((pattern) => pattern !== "")
    const wrong = patterns.find((pattern) => !isPattern(pattern))
    return wrong === undefined
      ? sites.change(origin, (site) => ({ ...site, patterns }))
      : Effect.fail(actionError(text, "PatternInvalid", [wrong]))
  }

  return PageRequests.of({
    answer: (request): Effect.Effect<PageAnswers[DataRequest["type"]]> => {
      switch (request.type) {
        case "page.state":
          return state
        case "page.search":
          return find(request)
        case "page.listingAt":
          return listingAt(request.url)
        case "page.listing":
          return listing([request.reference])
        case "page.known":
          return Effect.promise(async () => [...(await index.lookup(request.references)).keys()])
        case "page.contract":
          return contract(request.id, request.refresh)
        case "page.setAddress":
          return stateAfter(setUp.setAddress(request.baseUrl))
        case "page.setKey":
          return stateAfter(setUp.setKey(Redacted.make(request.key.trim(), { label: "API key" })))
        case "page.forgetKey":
          return then(setUp.forgetKey)
        case "page.setSettings":
          return then(setUp.setSettings(request.settings))
        case "page.addSite":
          return stateAfter(addSite(request.origin))
        case "page.removeSite":
          return then(sites.remove(request.origin))
        case "page.switchSite":
          return then(sites.change(request.origin, (site) => ({ ...site, isOn: request.isOn, place: 0 })))
        case "page.showOnce":
          return stateAfter(showOnce(request.tabId, request.origin))
        case "page.setPatterns":
          return stateAfter(setPatterns(request.origin, request.patterns))
        case "page.linkPage":
          return stateAfter(linkPage(request.url, request.listing))
        case "page.sync":
          return then(sync.start)
        case "page.changes":
          return Effect.promise(() => changesOf(request.isShown))
        case "page.watch":
          return then(Effect.promise(() => changeWatched(Watched.set(request.id, request.isWatched))))
        case "page.readHead":
          return then(schedule.head(true))
        case "page.stopSync":
          return then(sync.stop)
      }
    },
  })
})

export class PageRequests extends Context.Service<PageRequests, Service>()(
  "@deedkit/extension/PageRequests",
) {
  static readonly make = make
}

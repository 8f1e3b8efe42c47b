/**
 * Answers the extension's own pages about the account in use. The shape and the sender of a page's request were checked before, and the
 * background's own need no such check; here its meaning is checked, and a request that cannot be carried out is answered with an error of the catalogue.
 */
import type { ClientError } from "@deedkit/core"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { isPattern, linkableAddress } from "../address/Reference.ts"
import { actionError } from "../failures/ActionFailure.ts"
import { detailOf } from "../index/ContractReads.ts"
import * as Watched from "../index/Watched.ts"
import { mostLinks } from "../messages/AppState.ts"
import type { AppState } from "../messages/AppState.ts"
import { originOf } from "../messages/OriginPattern.ts"
import type { PageAnswers, UserError } from "../messages/PageMessage.ts"
import type { AccountRequest, PageRequest } from "../messages/Requests.ts"
import { Account, Index } from "./Account.ts"
import { errorOfFailure } from "./Failures.ts"
import type { NotReady } from "./Failures.ts"
import type { AccountServices } from "./Layers.ts"
import { Platform, Changes, refuse } from "./Platform.ts"
import { Refresh } from "./Refresh.ts"
import { Schedule } from "./Schedule.ts"
import * as SetUp from "./SetUp.ts"
import { Sites } from "./Sites.ts"
import { state } from "./State.ts"
import { Sync } from "./Sync.ts"

/** Requests to the account in use, but for its state. */
type DataRequest = Exclude<PageRequest, AccountRequest | { readonly type: "page.state" }>

/** Work that answers a page. */
type Answer<A, E = never> = Effect.Effect<A, E, AccountServices>

/** The state after an action, or the error that prevented it. */
const stateAfter = (done: Answer<unknown, UserError>): Answer<AppState | UserError> =>
  Effect.matchEffect(done, { onFailure: Effect.succeed, onSuccess: () => state })

const then = (done: Answer<unknown>): Answer<AppState> => Effect.andThen(done, state)

/** Reads a contract from the service. */
const refresh = Effect.fnUntraced(function* (id: number) {
  const platform = yield* Platform
  return yield* Effect.match((yield* Refresh).one(id), {
    onFailure: (failure: ClientError.ClientError | NotReady) => errorOfFailure(failure, platform),
    onSuccess: (row) =>
      row === null ? actionError(platform.text, "ContractGone", [String(id)]) : detailOf(row),
  })
})

const linkPage = Effect.fnUntraced(function* (url: string, listing: number | null) {
  const account = yield* Account
  const address = URL.canParse(url) ? linkableAddress(new URL(url)) : null
  const { links, sites } = yield* account.profile
  const isOfSite = sites.some(({ origin }) => address?.startsWith(`${origin}/`))
  if (address === null || !isOfSite) return yield* refuse("PageNotLinkable")
  if (listing !== null && Object.keys(links).length >= mostLinks && !Object.hasOwn(links, address))
    return yield* refuse("LinksFull", String(mostLinks))
  yield* account.update((profile) => {
    const { [address]: _, ...others } = profile.links
    return { ...profile, links: listing === null ? others : { ...others, [address]: listing } }
  })
  yield* (yield* Sites).change(new URL(url).origin, (site) => site)
})

const addSite = Effect.fnUntraced(function* (typed: string) {
  const { allowsLoopback } = yield* Platform
  const origin = originOf(typed, allowsLoopback)
  if (origin === null) return yield* refuse("SiteInvalid")
  if (yield* (yield* Sites).add(origin)) return
  return yield* refuse("SiteNotAllowed")
})

const showOnce = Effect.fnUntraced(function* (tabId: number, origin: string) {
  const { allowsLoopback, scripts } = yield* Platform
  const sites = yield* Sites
  // Before the content script asks for anything.
  if (originOf(origin, allowsLoopback) === origin) {
    yield* sites.allowOnce(tabId, origin)
    const ran = Effect.promise(() => scripts.run(tabId))
    // A browser that does not allow it answers at once. A busy page gets the script later.
    const isLet = Effect.timeoutOrElse(ran, { duration: 1_000, orElse: () => Effect.succeed(true) })
    if (yield* isLet) return
    yield* sites.endOnce(tabId)
  }
  return yield* refuse("PageNotAllowed")
})

const setPatterns = Effect.fnUntraced(function* (origin: string, typed: ReadonlyArray<string>) {
  const patterns = typed.map((pattern) => pattern.trim()).filter((pattern) => pattern !== "")
  const wrong = patterns.find((pattern) => !isPattern(pattern))
  if (wrong !== undefined) return yield* refuse("PatternInvalid", wrong)
  yield* (yield* Sites).change(origin, (site) => ({ ...site, patterns }))
})

const changeWatched = Effect.fnUntraced(function* (changed: Parameters<typeof Watched.change>[1]) {
  const index = yield* Index
  const { tell } = yield* Changes
  yield* Effect.promise(() => index.changeWatched(changed).then(tell))
})

export const answer = (request: DataRequest): Answer<PageAnswers[DataRequest["type"]]> => {
  switch (request.type) {
    case "page.refresh":
      return refresh(request.id)
    case "page.setAddress":
      return stateAfter(SetUp.setAddress(request.baseUrl))
    case "page.setKey":
      return stateAfter(SetUp.setKey(Redacted.make(request.key.trim(), { label: "API key" })))
    case "page.forgetKey":
      return then(SetUp.forgetKey)
    case "page.setSettings":
      return then(SetUp.setSettings(request.settings))
    case "page.addSite":
      return stateAfter(addSite(request.origin))
    case "page.removeSite":
      return then(Sites.use((sites) => sites.remove(request.origin)))
    case "page.switchSite": {
      const { isOn, origin } = request
      return then(Sites.use((sites) => sites.change(origin, (site) => ({ ...site, isOn, place: 0 }))))
    }
    case "page.showOnce":
      return stateAfter(showOnce(request.tabId, request.origin))
    case "page.setPatterns":
      return stateAfter(setPatterns(request.origin, request.patterns))
    case "page.linkPage":
      return stateAfter(linkPage(request.url, request.listing))
    case "page.sync":
      return then(Sync.use(({ start }) => start))
    case "page.looked":
      return then(changeWatched(Watched.looked))
    case "page.watch":
      return then(changeWatched(Watched.set(request.id, request.isWatched)))
    case "page.readHead":
      return then(Schedule.use(({ head }) => head(true)))
    case "page.stopSync":
      return then(Sync.use(({ stop }) => stop))
    case "page.decideList":
      return then(Sync.use(({ decide }) => decide(request.id, request.isUsed)))
  }
}

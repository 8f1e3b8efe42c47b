/**
 * The listing sites that the user named. The browser grants them one by one; the content script of each is registered while it is granted and
 * switched on, and is removed without a trace. Browsers forget registrations when the extension is updated, and let users revoke grants
 * without the extension; `settle` corrects the registrations. Also pages on which the user asked for badges once, without naming their site: leave is
 * given to a tab, and taken by the first document of the right origin that sends a message from it; the next document in the tab gets nothing.
 * The browser's own permission to read such a page is `activeTab`, which ends with the page as well.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"
import type { Site } from "../messages/AppState.ts"
import type { ListingNotice } from "../messages/ListingMessage.ts"
import { patternOf } from "../messages/OriginPattern.ts"
import type { SiteSender } from "../messages/Sender.ts"
import { Account } from "./Account.ts"
import * as AccountList from "../index/AccountList.ts"
import type { NamedSite } from "../index/AccountList.ts"
import { Accounts } from "./Accounts.ts"
import { Platform, quietTabs, Changes } from "./Platform.ts"
import type { Script } from "./Platform.ts"

interface Leave {
  readonly origin: string
  /** The browser's id of the document that has taken the leave. */
  readonly documentId: string | null
}

type Leaves = Readonly<Record<string, Leave>>

const leavesKey = "once"

const scriptId = (pattern: string): string => `listing ${pattern}`

const make = Effect.gen(function* () {
  const platform = yield* Platform
  const { tabs } = platform
  const accounts = yield* Accounts
  const account = yield* Account
  const changes = yield* Changes
  const oneAtATime = yield* Semaphore.make(1)

  const withGrant = async (site: NamedSite): Promise<Site> => ({
    ...site,
    isGranted: await platform.isGranted(patternOf(site.origin)),
  })
  const withGrants = (isWanted: (site: NamedSite) => boolean) =>
    Effect.flatMap(account.profile, ({ sites }) =>
      Effect.promise(() => Promise.all(sites.filter(isWanted).map(withGrant))),
    )
  const shownOf = (isWanted: (site: NamedSite) => boolean) =>
    Effect.map(
      withGrants((site) => site.isOn && isWanted(site)),
      (sites) => sites.filter(({ isGranted }) => isGranted),
    )
  const shownSites = shownOf(() => true)

  const shownSite = (origin: string): Effect.Effect<Site | null> =>
    Effect.map(
      shownOf((site) => site.origin === origin),
      ([site]) => site ?? null,
    )

  const send = (told: ReadonlyArray<Pick<Site, "origin">>, notice: ListingNotice): Effect.Effect<void> =>
    Effect.promise(async () => {
      const patterns = [...new Set(told.map(({ origin }) => patternOf(origin)))]
      const tabIds = (await Promise.all(patterns.map(tabs.showing))).flat()
      if (notice.type === "listing.off") await quietTabs(tabs, tabIds, notice)
      else tabs.send(tabIds, notice)
    })

  /** Takes the badges from the pages of a site. A site at another port has the same tabs: there, each page asks whether it may keep them. */
  const end = (origin: string): Effect.Effect<void> =>
    Effect.flatMap(
      shownOf((site) => site.origin !== origin && patternOf(site.origin) === patternOf(origin)),
      ({ length }) => send([{ origin }], { type: length > 0 ? "listing.changed" : "listing.off" }),
    )

  /**
   * Registers missing scripts and unregisters those that should not be registered. Firefox answers only when every page's process was notified, and
   * one of them may be busy.
   */
  const settle = oneAtATime.withPermit(
    Effect.flatMap(shownSites, (sites) =>
      Effect.promise(async () => {
        const wanted = new Set(sites.map(({ origin }) => patternOf(origin)))
        const registered = await platform.scripts.registered()
        const isRight = ({ id, pattern }: Script) => wanted.has(pattern) && id === scriptId(pattern)
        const tooMuch = registered.filter((script) => !isRight(script)).map(({ id }) => id)
        if (tooMuch.length > 0) await platform.scripts.unregister(tooMuch)
        const right = new Set(registered.filter(isRight).map(({ pattern }) => pattern))
        for (const pattern of wanted)
          if (!right.has(pattern)) await platform.scripts.register({ id: scriptId(pattern), pattern })
      }),
    ).pipe(Effect.timeoutOrElse({ duration: 1_000, orElse: () => Effect.void })),
  )

  /** Runs the content script in pages that are open already; in a page that has one, the new script replaces the old one. */
  const runInOpenTabs = (origin: string): Effect.Effect<void> =>
    Effect.promise(async () => {
      for (const tabId of await tabs.showing(patternOf(origin))) void platform.scripts.run(tabId)
    })

  const write = (origin: string, changed: (site: NamedSite) => NamedSite) =>
    account.update((profile) => ({
      ...profile,
      sites: profile.sites.map((site) => (site.origin === origin ? changed(site) : site)),
    }))

  const change = Effect.fnUntraced(function* (origin: string, changed: (site: NamedSite) => NamedSite) {
    const wasShown = yield* shownSite(origin)
    yield* write(origin, changed)
    yield* settle
    const nowShown = yield* shownSite(origin)
    if (nowShown && !wasShown) yield* runInOpenTabs(origin)
    else if (nowShown) yield* send([{ origin }], { type: "listing.changed" })
    else yield* end(origin)
  })

  let leaves: Leaves | null = null
  const readLeaves = Effect.promise(async () => {
    leaves ??= ((await platform.session.get(leavesKey)) as Leaves | undefined) ?? {}
    return leaves
  })
  const writeLeaves = (changed: Leaves): Effect.Effect<void> =>
    Effect.promise(() => {
      leaves = changed
      return platform.session.set(leavesKey, changed)
    })
  /** Takes the leave of a tab back. */
  const endOnce = (tabId: number) =>
    Effect.flatMap(readLeaves, ({ [tabId]: gone, ...others }) =>
      gone === undefined ? Effect.void : writeLeaves(others),
    )

  /** The page as if its site were granted; null for a page without leave. */
  const shownOnce = Effect.fnUntraced(function* ({ documentId, origin, tabId }: SiteSender) {
    const known = yield* readLeaves
    const own = known[tabId]
    if (own === undefined || documentId === undefined) return null
    const isOther = own.documentId !== null && own.documentId !== documentId
    if (own.origin !== origin || isOther) {
      yield* endOnce(tabId)
      return null
    }
    if (own.documentId === null) yield* writeLeaves({ ...known, [tabId]: { origin, documentId } })
    const { sites } = yield* account.profile
    const patterns = sites.find((site) => site.origin === origin)?.patterns ?? []
    return { origin, isGranted: false, isOn: true, patterns }
  })

  return {
    all: withGrants(() => true),
    /**
     * The site of a sender, if it is granted and switched on at this moment, or if the user asked for badges in this document once; else null.
     */
    shown: (sender: SiteSender) =>
      Effect.gen(function* () {
        return (yield* shownSite(sender.origin)) ?? (yield* shownOnce(sender))
      }),
    /** Gives leave to the page of this origin in a tab, and replaces the leave that the tab had before. */
    allowOnce: (tabId: number, origin: string) =>
      Effect.flatMap(readLeaves, (known) => writeLeaves({ ...known, [tabId]: { origin, documentId: null } })),
    endOnce,
    /** Takes every leave back, and removes the badges. */
    endAllOnce: Effect.gen(function* () {
      const tabIds = Object.keys(yield* readLeaves).map(Number)
      yield* writeLeaves({})
      yield* Effect.promise(() => quietTabs(tabs, tabIds, { type: "listing.off" }))
    }),
    /** Adds a site. False if the browser does not grant it. */
    add: (origin: string) =>
      Effect.gen(function* () {
        if (!(yield* Effect.promise(() => platform.isGranted(patternOf(origin))))) return false
        yield* account.update((profile) =>
          profile.sites.some((site) => site.origin === origin)
            ? profile
            : { ...profile, sites: [...profile.sites, { origin, isOn: true, patterns: [] }] },
        )
        yield* change(origin, (site) => ({ ...site, isOn: true }))
        yield* runInOpenTabs(origin)
        return true
      }),
    /** Removes a site with its linked pages, and releases its grant, unless an account's service is at that address. */
    remove: (origin: string) =>
      Effect.gen(function* () {
        yield* accounts.update((list) => AccountList.withoutSite(list, origin))
        yield* end(origin)
        yield* settle
        yield* accounts.releaseGrant(origin)
        changes.tell()
      }),
    /** Stores where the panel is. No page is notified: the one in which it was moved knows. */
    place: (origin: string, place: number) =>
      Effect.as(
        write(origin, (site) => ({ ...site, place })),
        null,
      ),
    change,
    settle,
    /** Runs the content script in every open page of a shown site, where that of an older version may be running. */
    revive: Effect.flatMap(shownSites, (sites) =>
      Effect.forEach(sites, ({ origin }) => runInOpenTabs(origin), { discard: true }),
    ),
    /** Sends a notice to the content scripts of every shown site. */
    tell: (notice: ListingNotice) => Effect.flatMap(shownSites, (sites) => send(sites, notice)),
  }
})

export class Sites extends Context.Service<Sites, Effect.Success<typeof make>>()("@deedkit/extension/Sites") {
  static readonly layer = Layer.effect(Sites, make)
}

/**
 * The listing sites that the user named. The browser grants them one by one; the content script of each is registered while it is granted and
 * switched on, and is removed without a trace. Browsers forget registrations when the extension is updated, and let users revoke grants
 * without the extension; `settle` corrects the registrations.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type { Site } from "../../messages/AppState.ts"
import type { ListingNotice } from "../../messages/ListingMessage.ts"
import { patternOf } from "../../messages/OriginPattern.ts"
import { Changes } from "../browser/Changes.ts"
import { Platform, quietTabs } from "../browser/Platform.ts"
import type { Script } from "../browser/Platform.ts"
import { Profiles } from "../accounts/Profile.ts"
import { Registry, releaseGrant } from "../accounts/Registry.ts"
import type { NamedSite } from "../accounts/Profile.ts"

export interface Service {
  readonly all: Effect.Effect<ReadonlyArray<Site>>
  /** The site of this origin, if it is granted and switched on at this moment; else null. */
  readonly shown: (origin: string) => Effect.Effect<Site | null>
  /** Adds a site. False if the browser does not grant it. */
  readonly add: (origin: string) => Effect.Effect<boolean>
  /** Removes a site and releases its grant, unless an account's service is at that address. */
  readonly remove: (origin: string) => Effect.Effect<void>
  /** Stores where the panel is. No page is notified: the one in which it was moved knows. */
  readonly place: (origin: string, place: number) => Effect.Effect<null>
  readonly change: (origin: string, change: (site: NamedSite) => NamedSite) => Effect.Effect<void>
  /** Registers missing scripts and unregisters those that should not be registered. */
  readonly settle: Effect.Effect<void>
  /** Runs the content script in every open page of a shown site, where that of an older version may be running. */
  readonly revive: Effect.Effect<void>
  /** Sends a notice to the content scripts of every shown site. */
  readonly tell: (notice: ListingNotice) => Effect.Effect<void>
}

const scriptId = (pattern: string): string => `listing ${pattern}`

const make = Effect.gen(function* () {
  const platform = yield* Platform
  const { tabs } = platform
  const registry = yield* Registry
  const profiles = yield* Profiles
  const changes = yield* Changes
  const oneAtATime = yield* Semaphore.make(1)

  const withGrant = async (site: NamedSite): Promise<Site> => ({
    ...site,
    isGranted: await platform.isGranted(patternOf(site.origin)),
  })
  const withGrants = (isWanted: (site: NamedSite) => boolean) =>
    Effect.flatMap(profiles.get, ({ sites }) =>
      Effect.promise(() => Promise.all(sites.filter(isWanted).map(withGrant))),
    )
  const shownOf = (isWanted: (site: NamedSite) => boolean) =>
    Effect.map(
      withGrants((site) => site.isOn && isWanted(site)),
      (sites) => sites.filter(({ isGranted }) => isGranted),
    )
  const shownSites = shownOf(() => true)

  const shown: Service["shown"] = (origin) =>
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

  // Firefox answers only when every page's process was notified, and one of them may be busy.
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
    profiles.update((profile) => ({
      ...profile,
      sites: profile.sites.map((site) => (site.origin === origin ? changed(site) : site)),
    }))

  const change: Service["change"] = (origin, changed) =>
    Effect.gen(function* () {
      const wasShown = yield* shown(origin)
      yield* write(origin, changed)
      yield* settle
      const nowShown = yield* shown(origin)
      if (nowShown && !wasShown) yield* runInOpenTabs(origin)
      else yield* send([{ origin }], { type: nowShown ? "listing.changed" : "listing.off" })
    })

  return Sites.of({
    all: withGrants(() => true),
    shown,
    add: (origin) =>
      Effect.gen(function* () {
        if (!(yield* Effect.promise(() => platform.isGranted(patternOf(origin))))) return false
        yield* profiles.update((profile) =>
          profile.sites.some((site) => site.origin === origin)
            ? profile
            : { ...profile, sites: [...profile.sites, { origin, isOn: true, patterns: [] }] },
        )
        yield* change(origin, (site) => ({ ...site, isOn: true }))
        yield* runInOpenTabs(origin)
        return true
      }),
    remove: (origin) =>
      Effect.gen(function* () {
        yield* send([{ origin }], { type: "listing.off" })
        yield* profiles.update((profile) => ({
          ...profile,
          sites: profile.sites.filter((site) => site.origin !== origin),
          links: Object.fromEntries(
            Object.entries(profile.links).filter(([address]) => !address.startsWith(`${origin}/`)),
          ),
        }))
        yield* settle
        yield* releaseGrant(registry, platform, origin)
        changes.tell()
      }),
    place: (origin, place) =>
      Effect.as(
        write(origin, (site) => ({ ...site, place })),
        null,
      ),
    change,
    settle,
    revive: Effect.flatMap(shownSites, (sites) =>
      Effect.forEach(sites, ({ origin }) => runInOpenTabs(origin), { discard: true }),
    ),
    tell: (notice) => Effect.flatMap(shownSites, (sites) => send(sites, notice)),
  })
})

export class Sites extends Context.Service<Sites, Service>()("@deedkit/extension/Sites") {
  static readonly make = make
}

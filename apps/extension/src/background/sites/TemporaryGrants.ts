/**
 * Pages on which the user asked for badges once, without naming their site. Leave is given to a tab, and taken by the first document of the
 * right origin that sends a message from it; the next document in the tab gets nothing. The browser's own permission to read the page is
 * `activeTab`, which ends with the page as well.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Site } from "../../messages/AppState.ts"
import type { Sender } from "../../messages/Sender.ts"
import { Platform, quietTabs } from "../browser/Platform.ts"
import { Profiles } from "../accounts/Profile.ts"

type SiteSender = Extract<Sender, { readonly _tag: "Site" }>

export interface Service {
  /** Gives leave to the page of this origin in a tab, and replaces the leave that the tab had before. */
  readonly allow: (tabId: number, origin: string) => Effect.Effect<void>
  /** The page as if its site were granted; null for a page without leave. */
  readonly shown: (sender: SiteSender) => Effect.Effect<Site | null>
  readonly leave: (tabId: number) => Effect.Effect<void>
  /** Revokes every leave, and removes the badges. */
  readonly end: Effect.Effect<void>
}

interface Leave {
  readonly origin: string
  /** The browser's id of the document that has taken the leave. */
  readonly documentId: string | null
}

type Leaves = Readonly<Record<string, Leave>>

const key = "once"

const make = Effect.gen(function* () {
  const { session, tabs } = yield* Platform
  const profiles = yield* Profiles
  let known: Leaves | null = null

  const get = Effect.promise(async () => {
    known ??= ((await session.get(key)) as Leaves | undefined) ?? {}
    return known
  })
  const set = (leaves: Leaves): Effect.Effect<void> =>
    Effect.promise(() => {
      known = leaves
      return session.set(key, leaves)
    })
  const leave = (tabId: number): Effect.Effect<void> =>
    Effect.flatMap(get, ({ [tabId]: gone, ...others }) => (gone === undefined ? Effect.void : set(others)))

  return TemporaryGrants.of({
    allow: (tabId, origin) =>
      Effect.flatMap(get, (leaves) => set({ ...leaves, [tabId]: { origin, documentId: null } })),
    shown: ({ documentId, origin, tabId }) =>
      Effect.gen(function* () {
        const leaves = yield* get
        const own = leaves[tabId]
        if (own === undefined || documentId === undefined) return null
        const isOther = own.documentId !== null && own.documentId !== documentId
        if (own.origin !== origin || isOther) {
          yield* leave(tabId)
          return null
        }
        if (own.documentId === null) yield* set({ ...leaves, [tabId]: { origin, documentId } })
        const { sites } = yield* profiles.get
        const patterns = sites.find((site) => site.origin === origin)?.patterns ?? []
        return { origin, isGranted: false, isOn: true, patterns }
      }),
    leave,
    end: Effect.gen(function* () {
      const tabIds = Object.keys(yield* get).map(Number)
      yield* set({})
      yield* Effect.promise(() => quietTabs(tabs, tabIds, { type: "listing.off" }))
    }),
  })
})

export class TemporaryGrants extends Context.Service<TemporaryGrants, Service>()(
  "@deedkit/extension/TemporaryGrants",
) {
  static readonly make = make
}

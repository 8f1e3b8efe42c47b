/**
 * A background without a browser: answers from a world that is plain data, so that it can be carried into a page. It searches simply, and
 * every answer can be replaced by one of the test's own.
 */
import type { AppState } from "../../../src/messages/AppState.ts"
import type {
  ContractDetail,
  ContractRow,
  PageRequest,
  TestFinding,
} from "../../../src/messages/PageMessage.ts"
import type { UserError } from "../../../src/messages/UserError.ts"
import { linkableAddress } from "../../../src/page/links/Reference.ts"
import { isValue, parse, formOf } from "../../../src/index/Query.ts"
import type { Query } from "../../../src/index/Query.ts"

export interface World {
  readonly state: AppState
  readonly contracts: ReadonlyArray<ContractDetail>
  /** Slug of the listing that the tab in front shows; null for none. */
  readonly hereSlug: string | null
  /** What the service answers for a contract by id: the record as it is, a error, or nothing while it is waited for. */
  readonly service: "answers" | "waits" | UserError
  /** Findings of the connection test. */
  readonly findings: ReadonlyArray<TestFinding>
  /** Whether the last finding ends the test. */
  readonly testEnds: boolean
  /** Requests that fail. */
  readonly failing?: ReadonlyArray<PageRequest["type"]>
  /** Requests whose answer never comes. */
  readonly waiting?: ReadonlyArray<PageRequest["type"]>
  /** Answers that stand before all others, by the request's type. */
  readonly answers: { readonly [Type in PageRequest["type"]]?: unknown }
}

export interface FakeBackground {
  readonly requests: ReadonlyArray<PageRequest>
  readonly state: () => AppState
  /** Sets the state and tells every watcher. */
  readonly set: (state: AppState) => void
  readonly watch: (onState: (state: AppState) => void) => () => void
  readonly ask: (request: PageRequest) => Promise<unknown>
}

const has = (text: string | null, part: string): boolean => formOf(text ?? "").includes(part)

const fits = (row: ContractRow, { terms, words }: Query, isFiltered: boolean): boolean =>
  words.every(
    (word) =>
      String(row.id) === word.replace(/^#/, "") ||
      [row.title, row.slug, row.unitLabel, row.city].some((value) => has(value, word)),
  ) &&
  terms.every((term) => {
    const { city, kind, slug, status, title, unitLabel } = row
    if (term.field === "listing") return has(title, term.text) || has(slug, term.text)
    if (!isFiltered && (term.field === "status" || term.field === "kind")) return true
    return isValue({ unit: unitLabel, city: city ?? "", status, kind }[term.field], term)
  })

const never = new Promise<never>(() => {})

export const make = (world: World): FakeBackground => {
  let state = world.state
  const watchers = new Set<(state: AppState) => void>()
  const requests: Array<PageRequest> = []
  const rows = world.contracts.map(({ row }) => row)
  const set = (next: AppState): AppState => {
    state = next
    for (const tell of watchers) tell(state)
    return state
  }

  const answer = (request: PageRequest): unknown => {
    switch (request.type) {
      case "page.search": {
        const query = parse(request.text)
        const known = rows.filter((row) => fits(row, query, true))
        const groups = rows
          .filter((row) => fits(row, query, false))
          .map(({ kind, status }) => ({ count: 1, kind, status }))
        return {
          rows: known.slice(0, request.limit),
          total: known.length,
          groups: request.counts ? groups : null,
          millis: 1,
        }
      }
      case "page.linkPage": {
        const address = linkableAddress(new URL(request.url))!
        const { listing } = request
        const accounts = state.accounts.map((account) => {
          const { [address]: _, ...others } = account.links ?? {}
          return { ...account, links: listing === null ? others : { ...others, [address]: listing } }
        })
        return set({ ...state, accounts })
      }
      case "page.known":
        return request.references.filter((reference) =>
          rows.some(({ listingId, slug }) => [slug, `${listingId}`].includes(reference)),
        )
      case "page.listing":
      case "page.listingAt": {
        const address = request.type === "page.listingAt" ? linkableAddress(new URL(request.url)) : null
        const linked = rows.filter(({ listingId }) => listingId === state.accounts[0]?.links?.[address ?? ""])
        if (linked.length > 0) return { rows: linked, title: linked[0]!.title, total: linked.length }
        const named = world.hereSlug ?? (request.type === "page.listing" ? request.reference : null)
        const here = rows.filter(
          ({ listingId, slug }) => slug !== null && (slug === named || `${listingId}` === named),
        )
        return here.length === 0 ? null : { rows: here, title: here[0]?.title ?? null, total: here.length }
      }
      case "page.contract": {
        const known = world.contracts.find(({ row }) => row.id === request.id) ?? null
        if (!request.refresh) return known
        if (world.service === "waits") return never
        if (world.service !== "answers") return world.service
        return known === null ? null : { ...known, seenAt: new Date().toISOString() }
      }
      case "page.switchSite": {
        const { isOn, origin } = request
        const sites = state.sites.map((site) => (site.origin === origin ? { ...site, isOn } : site))
        return set({ ...state, sites })
      }
      case "page.changes":
        return { last: 0, changes: [] }
      case "page.watch": {
        const others = state.watched.ids.filter((id) => id !== request.id)
        const ids = request.isWatched ? [...others, request.id] : others
        return set({ ...state, watched: { ...state.watched, ids } })
      }
      case "page.stopSync":
        return set({ ...state, sync: { _tag: "Idle" } })
      case "page.setSettings":
        return set({ ...state, settings: { ...state.settings, ...request.settings } })
      default:
        return state
    }
  }
  return {
    requests,
    state: () => state,
    set: (next) => void set(next),
    watch: (onState) => {
      watchers.add(onState)
      onState(state)
      return () => void watchers.delete(onState)
    },
    ask: (request) => {
      requests.push(request)
      if (world.failing?.includes(request.type)) return Promise.reject(new Error("not answered"))
      if (world.waiting?.includes(request.type)) return never
      const own = world.answers[request.type]
      return Promise.resolve(own === undefined ? answer(request) : own)
    },
  }
}

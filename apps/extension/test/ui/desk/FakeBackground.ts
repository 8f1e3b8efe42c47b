/**
 * A background without a browser: answers from a world that is plain data, so that it can be carried into a page. It searches simply, and
 * every answer can be replaced by one of the test's own.
 */
import type { AppState } from "../../../src/messages/AppState.ts"
import type { ContractDetail, ContractRow } from "../../../src/index/PageIndex.ts"
import type { TestFinding, UserError } from "../../../src/messages/PageMessage.ts"
import type { PageRequest } from "../../../src/messages/Requests.ts"
import * as SettingsFile from "../../../src/messages/SettingsFile.ts"
import type { PageIndex } from "../../../src/index/PageIndex.ts"
import { linkableAddress } from "../../../src/address/Reference.ts"
import { isValue, parse, formOf } from "../../../src/index/Query.ts"
import type { Query } from "../../../src/index/Query.ts"

/** What a page reads of the index, as a test sees it: by the name of the read, with what it asks for. */
export type Read =
  | { readonly type: "index.search"; readonly text: string; readonly counts: boolean; readonly limit: number }
  | { readonly type: "index.listing"; readonly reference: string }
  | { readonly type: "index.listingAt"; readonly url: string }
  | { readonly type: "index.known"; readonly references: ReadonlyArray<string> }
  | { readonly type: "index.contract"; readonly id: number }
  | { readonly type: "index.changes" }

/** A request to the background, or a read of the index. */
export type Asked = PageRequest | Read

/** An index whose reads a test answers. */
export const indexOf = (answer: (read: Read) => Promise<unknown>): PageIndex => {
  const read = (asked: Read) => answer(asked) as Promise<never>
  return {
    search: (asked) => read({ type: "index.search", ...asked }),
    listing: (reference) => read({ type: "index.listing", reference }),
    listingAt: (url) => read({ type: "index.listingAt", url }),
    known: (references) => read({ type: "index.known", references }),
    contract: (id) => read({ type: "index.contract", id }),
    changes: () => read({ type: "index.changes" }),
  }
}

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
  readonly failing?: ReadonlyArray<Asked["type"]>
  /** Requests whose answer never comes. */
  readonly waiting?: ReadonlyArray<Asked["type"]>
  /** Answers that stand before all others, by the request's type. */
  readonly answers: { readonly [Type in Asked["type"]]?: unknown }
}

export interface FakeBackground {
  readonly requests: ReadonlyArray<Asked>
  readonly state: () => AppState
  /** Sets the state and tells every watcher. */
  readonly set: (state: AppState) => void
  readonly watch: (onState: (state: AppState) => void) => () => void
  readonly ask: (request: PageRequest) => Promise<unknown>
  readonly index: PageIndex
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
  const requests: Array<Asked> = []
  const rows = world.contracts.map(({ row }) => row)
  const set = (next: AppState): AppState => {
    state = next
    for (const tell of watchers) tell(state)
    return state
  }

  const answer = (request: Asked): unknown => {
    switch (request.type) {
      case "index.search": {
        const query = parse(request.text)
        const known = rows.filter((row) => fits(row, query, true))
        const groups = rows
          .filter((row) => fits(row, query, false))
          .map(({ kind, status }) => ({ count: 1, kind, status }))
        return {
          rows: known.slice(0, request.limit),
          total: known.length,
          groups: request.counts ? groups : null,
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
      case "index.known":
        return request.references.filter((reference) =>
          rows.some(({ listingId, slug }) => [slug, `${listingId}`].includes(reference)),
        )
      case "index.listing":
      case "index.listingAt": {
        const address = request.type === "index.listingAt" ? linkableAddress(new URL(request.url)) : null
        const linked = rows.filter(({ listingId }) => listingId === state.accounts[0]?.links?.[address ?? ""])
        if (linked.length > 0) return { rows: linked, title: linked[0]!.title, total: linked.length }
        const named = world.hereSlug ?? (request.type === "index.listing" ? request.reference : null)
        const here = rows.filter(
          ({ listingId, slug }) => slug !== null && (slug === named || `${listingId}` === named),
        )
        return here.length === 0 ? null : { rows: here, title: here[0]?.title ?? null, total: here.length }
      }
      case "index.contract":
        return world.contracts.find(({ row }) => row.id === request.id) ?? null
      case "page.refresh": {
        const known = world.contracts.find(({ row }) => row.id === request.id) ?? null
        if (world.service === "waits") return never
        if (world.service !== "answers") return world.service
        return known === null ? null : { ...known, seenAt: new Date().toISOString() }
      }
      case "page.switchSite": {
        const { isOn, origin } = request
        const sites = state.sites.map((site) => (site.origin === origin ? { ...site, isOn } : site))
        return set({ ...state, sites })
      }
      case "index.changes":
        return { last: 0, changes: [] }
      case "page.readSettings":
        return SettingsFile.read(request.text)
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
  const given = (request: Asked): Promise<unknown> => {
    requests.push(request)
    if (world.failing?.includes(request.type)) return Promise.reject(new Error("not answered"))
    if (world.waiting?.includes(request.type)) return never
    const own = world.answers[request.type]
    return Promise.resolve(own === undefined ? answer(request) : own)
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
    ask: given,
    index: indexOf(given),
  }
}

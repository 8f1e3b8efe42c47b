/** Facts and details as the background gives them, and a channel that answers from them and remembers what it was asked. */
import { detailsPlace } from "../../src/messages/ListingMessage.ts"
import type { Details } from "../../src/page/panel/Details.ts"
import type {
  BadgeFact,
  ListingAnswers,
  ListingDetail,
  ListingNotice,
} from "../../src/messages/ListingMessage.ts"
import type { Channel, ListingRequest } from "../../src/messages/Requests.ts"

/** The fact of a listing whose contracts are all alike: one active rent, unless something else is said. */
export const fact = ({ count = 1, kind = "rent", status = "active" } = {}): BadgeFact => ({
  count,
  status,
  leading: count,
  groups: [{ count, status, kind }],
})

export const detail = (over: Partial<ListingDetail> = {}): ListingDetail => ({
  title: "Bright flat",
  city: "Athens",
  contracts: [
    {
      id: 7,
      kind: "rent",
      status: "active",
      unitLabel: "A-1",
      createdAt: "2025-01-01T10:00:00Z",
      updatedAt: "2025-02-01T10:00:00Z",
      seenAt: new Date().toISOString(),
    },
  ],
  total: 1,
  ...over,
})

export interface Answers {
  start: ListingAnswers["listing.start"]
  known: { [reference: string]: BadgeFact } | "later" | null
  detail: ListingDetail | null
  refresh: ListingDetail | null
  /** What details are shown with; undefined where it cannot be had. */
  details: Details | undefined
}

/** A background in a few lines; the test changes `answers` and calls `tell`. */
export const makeChannel = (over: Partial<Answers> = {}) => {
  const answers: Answers = {
    start: { patterns: [], hasLinks: false, theme: "system", pill: true },
    known: {},
    detail: detail(),
    refresh: detail(),
    details: undefined,
    ...over,
  }
  const asked: Array<ListingRequest> = []
  const takers = new Set<(notice: ListingNotice) => void>()
  const knownOf = (references: ReadonlyArray<string>): Answers["known"] => {
    const { known } = answers
    if (known === null || known === "later") return known
    const wanted = references.filter((reference) => Object.hasOwn(known, reference))
    return Object.fromEntries(wanted.map((reference) => [reference, known[reference]!]))
  }
  const answerTo = (request: ListingRequest): unknown => {
    switch (request.type) {
      case "listing.start": {
        const isPlain = answers.start?.patterns.length === 0 && !answers.start.hasLinks
        const known = isPlain && request.references !== undefined && knownOf(request.references)
        return known && answers.start ? { ...answers.start, known } : answers.start
      }
      case "listing.lookup": {
        const known = knownOf(request.references)
        return known === null || known === "later" ? known : { known }
      }
      case "listing.detail":
        return answers.detail
      case "listing.refresh":
        return answers.refresh
      case "listing.loadDetails":
        if (answers.details !== undefined) Object.assign(globalThis, { [detailsPlace]: answers.details })
        return answers.details !== undefined
      case "listing.place":
      case "listing.open":
        return null
    }
  }
  const channel: Channel = {
    ask: <R extends ListingRequest>(request: R) => {
      asked.push(request)
      return Promise.resolve(answerTo(request) as ListingAnswers[R["type"]] | null)
    },
    listen: (take, signal) => {
      takers.add(take)
      signal.addEventListener("abort", () => takers.delete(take))
    },
  }
  return {
    answers,
    asked,
    channel,
    askedFor: <T extends ListingRequest["type"]>(type: T) =>
      asked.filter(
        (request): request is Extract<ListingRequest, { readonly type: T }> => request.type === type,
      ),
    tell: (notice: ListingNotice) => takers.forEach((take) => take(notice)),
  }
}

/** Facts and details as the background gives them, and a channel that answers from them and remembers what it was asked. */
import type { Channel } from "../../src/page/lookup/Channel.ts"
import { give } from "../../src/page/lookup/Part.ts"
import type { Part } from "../../src/page/lookup/Part.ts"
import { engine } from "../../src/page/marks/Marks.ts"
import type {
  BadgeFact,
  ListingAnswers,
  ListingDetail,
  ListingNotice,
  ListingRequest,
} from "../../src/messages/ListingMessage.ts"

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
  /** What marks are drawn with, and details are shown with; undefined where it cannot be had. */
  engine: Part | undefined
  parts: Part | undefined
}

/** A background in a few lines; the test changes `answers` and calls `tell`. */
export const makeChannel = (over: Partial<Answers> = {}) => {
  const answers: Answers = {
    start: { patterns: [], hasLinks: false, theme: "system", pill: true },
    known: {},
    detail: detail(),
    refresh: detail(),
    engine,
    parts: undefined,
    ...over,
  }
  const asked: Array<ListingRequest> = []
  const takers = new Set<(notice: ListingNotice) => void>()
  const answerTo = (request: ListingRequest): unknown => {
    switch (request.type) {
      case "listing.start":
        return answers.start
      case "listing.lookup": {
        const { known } = answers
        if (known === null || known === "later") return known
        const wanted = request.references.filter((reference) => Object.hasOwn(known, reference))
        return { known: Object.fromEntries(wanted.map((reference) => [reference, known[reference]])) }
      }
      case "listing.detail":
        return answers.detail
      case "listing.refresh":
        return answers.refresh
      case "listing.show": {
        const part = request.part === "marks" ? answers.engine : answers.parts
        if (part !== undefined) give(request.part, part)
        return part !== undefined
      }
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

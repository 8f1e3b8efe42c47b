/**
 * Proves that a list was read completely, while it may have changed: the first reading, and the requests after it.
 *
 * The first reading is a proof by itself if its pages are connected, in an order in which no update can hide a record. For a list by latest
 * update, the head is read again afterwards. Otherwise the list is read again with another page size, whose pages overlap the boundaries of the
 * first, and records that only one reading has are requested by id. Works on answers; `PageReader` makes the requests.
 */
import type { Checkpoint } from "../Checkpoint.ts"
import type {
  Completeness,
  CompletenessReason,
  CompletenessState,
  CursorMeaning,
  OrderedBy,
} from "../Completeness.ts"
import { restore } from "../Cursor.ts"
import type { Cursor, SavedCursor, StallEvidence } from "../Cursor.ts"
import type { PassState, ProofState, Top } from "../ProofState.ts"
import { sortKeyOf } from "../../model/Timestamp.ts"
import type { Model } from "../../answer/envelope.ts"
import { Evidence } from "./Evidence.ts"
import { Head, topOf } from "./Head.ts"
import { PageLinks } from "./PageLinks.ts"
import type { Ask } from "./Pass.ts"
import { Pass } from "./Pass.ts"
import { SeenIds } from "./SeenIds.ts"
import { Window } from "./Window.ts"

export interface ProofOptions<A extends { readonly id: number }> {
  readonly model: Model<A>
  /** Whether requests for a proof are made. */
  readonly proves: boolean
  readonly limit: number | null
  readonly from: Checkpoint | null
  /** Whether a read from a checkpoint does not know all ids that were returned before. */
  readonly mayRepeat: boolean
  /** Ids of all returned records. */
  readonly given: SeenIds
}

export interface ProofPage<A> {
  readonly records: ReadonlyArray<A>
  /** Those of `records` that were returned before. */
  readonly repeated: ReadonlyArray<A>
  readonly size: number
  readonly lastId: number | null
  readonly next: Cursor | null
  /** The service's clock at this answer, in epoch milliseconds; null where the answer has no `Date`. */
  readonly serviceMillis: number | null
  /** How long the answered attempt took. */
  readonly tookMillis: number
}

/** The result of a request by id. */
export type Found<A> = A | "not-found" | "not-readable"

/** Page sizes of the readings, as shares of the page size of the first. */
const shares = [1, 0.71, 0.83, 0.59]

/** The most differences that are requested one by one. With more, the list changes too much. */
const mostDifferences = 500

export class Proof<A extends { readonly id: number }> {
  readonly #options: ProofOptions<A>
  readonly #evidence: Evidence
  #pass: Pass<A>
  #head: Head<A> | null = null
  #headIsTried = false
  /** Ids of the further reading in progress; null in the first one, whose ids are those returned. */
  #own: SeenIds | null = null
  #links: PageLinks | null
  #overlaps: boolean
  #pageSize = 0
  #readings = 0
  /** How a list by latest update began. Null if it is not certain that updates move a record to the expected place. */
  #top: Top | null = null
  #isStarted = false
  /** A time by the service's clock: every record created before it had to be in every reading. Null where this is not known of any record. */
  #createdBefore: string | null = null
  #isParameterVerified = false
  #isContradicted = false
  /** Ids that only an earlier reading had, to be requested. */
  #missing: ReadonlyArray<number> | null = null
  /** Whether every record that this reading has and earlier ones did not have, or the other way round, was created or removed meanwhile. */
  #isExplained = true
  /** Readings in a row that showed no record that an earlier one had missed. */
  #agreeing = 0
  /** Whether a page had more records than were requested. */
  #ignoresLimit = false
  #differences = 0
  readonly #removed = new Set<number>()
  #result: readonly [CompletenessState, CompletenessReason] | null = null

  constructor(options: ProofOptions<A>) {
    const { from, limit, model, proves } = options
    const state = from?.proof ?? null
    this.#options = options
    this.#evidence = new Evidence(state?.evidence)
    this.#overlaps = proves && (from === null || state !== null)
    this.#links = from === null ? new PageLinks() : null
    this.#top = state?.top ?? null
    this.#pass = new Pass({
      model,
      evidence: this.#evidence,
      limit,
      observes: this.#overlaps,
      overlaps: this.#overlaps,
      links: this.#links,
      from: from?.next == null ? null : resumed(from, from.next),
    })
  }

  /** The next request; null when none is needed. */
  get ask(): Ask | null {
    return this.#result !== null ? null : (this.#head?.ask ?? this.#pass.ask)
  }

  /** Ids to request one by one before anything else. */
  get checks(): { readonly ids: ReadonlyArray<number>; readonly about: "page" | "difference" } {
    const { suspects } = this.#current
    if (this.#result !== null) return { ids: [], about: "page" }
    return suspects.length > 0
      ? { ids: suspects, about: "page" }
      : { ids: this.#missing ?? [], about: "difference" }
  }

  get #current(): Pass<A> {
    return this.#head?.pass ?? this.#pass
  }

  /** Whether the list itself was read to its end, so that only the proof is left. */
  get isRead(): boolean {
    return this.#readings > 0
  }
  /** The cursor from which a later read can be resumed; null once the list was read to its end. */
  get cursor(): Cursor | null {
    return this.isRead ? null : this.#pass.cursor
  }
  get meaning(): CursorMeaning {
    return this.#evidence.meaning
  }
  get orderedBy(): OrderedBy {
    return this.#evidence.orderedBy
  }

  get completeness(): Completeness {
    const [state, reason] = this.#result ?? (["unverified", "unfinished"] as const)
    return { state, reason, readings: this.#readings, differences: this.#differences }
  }

  /** The state for a checkpoint, with the ids of the records that it keeps. */
  get state(): { readonly recent: ReadonlyArray<number>; readonly proof: ProofState } {
    const pass = this.#pass.state
    const { ids, versions } = this.#pass.window.last(pass.behind + Math.max(pass.largest, 1))
    return {
      recent: [...ids, ...this.#pass.aside],
      proof: { evidence: this.#evidence.state, pass, versions, top: this.#top },
    }
  }

  /** Sets the cursor's parameter as verified. */
  verifyParameter(): void {
    this.#isParameterVerified = true
    this.#pass.mayShift = true
  }

  /** Handles a request that was refused or failed. Returns whether the read continues without it. */
  survive(ask: Ask): boolean {
    if (ask.back > 0) {
      this.#overlaps = false
      this.#current.stopOverlapping()
      return true
    }
    if (!this.isRead) return false
    const isOwnSize = ask.limit !== null && ask.limit !== this.#options.limit
    if (this.#head !== null) {
      // Without its head, the list can still be read again.
      this.#head = null
      this.#decide()
    } else if (ask.cursor === null && isOwnSize) this.#begin(this.#options.limit)
    else this.#result = ["unverified", "reading-failed"]
    return true
  }

  /** Takes the answer to `ask`. Returns the evidence if the list itself does not end. */
  take(ask: Ask, page: ProofPage<A>): StallEvidence | null {
    const { records, repeated } = page
    const settledAt = this.#options.proves ? this.#settledAt(page) : null
    if (this.#head !== null) {
      this.#head.take(ask, { ...page, settledAt })
      this.#decide()
      return null
    }
    const own = this.#own
    const known = own === null ? repeated : records.filter(({ id }) => !own.add(id))
    if (own !== null) this.#compare(records, repeated)
    const stall = this.#pass.take(ask, { ...page, known, isEnough: false, settledAt })
    if (stall !== null) {
      if (own === null) return stall
      this.#result = ["unverified", "reading-failed"]
    }
    if (this.#pass.isEnded) {
      const { largest, limit } = this.#pass
      this.#pageSize = Math.max(this.#pageSize, largest)
      this.#ignoresLimit ||= limit !== null && largest > limit
      this.#readings += 1
      if (own !== null) this.#missing = this.#missingIn(own)
    }
    this.#decide()
    return null
  }

  /** Takes the answers to `checks`. `isLater`: the page to which they belong came long before. */
  settle(found: ReadonlyMap<number, Found<A>>, isLater: boolean): void {
    const { suspects } = this.#current
    if (suspects.length > 0) {
      const { version } = this.#options.model
      // For a record that cannot be read, or was requested long after the page, the worse is assumed: that it existed unchanged.
      const isThere = (id: number): boolean => {
        const record = found.get(id) ?? "not-readable"
        if (isLater || record === "not-readable") return true
        return record !== "not-found" && version(record) === this.#current.versionOf(id)
      }
      const reading = this.#head ?? this.#pass
      reading.settleSuspects(suspects.some(isThere))
    } else {
      for (const [id, record] of found) {
        if (record === "not-found") this.#removed.add(id)
        else if (record === "not-readable") this.#result = ["unverified", "reading-failed"]
        else this.#isExplained = false
      }
      this.#missing = []
    }
    this.#decide()
  }

  /** The moment up to which updates are settled: times have a resolution of one second, and the answer may show any moment since the request. */
  #settledAt({ records, serviceMillis, tookMillis }: ProofPage<A>): string | null {
    const { from, model } = this.#options
    const isFirst = !this.#isStarted
    this.#isStarted = true
    if (serviceMillis === null) {
      this.#top = null
      return null
    }
    const settledAt = sortKeyOf(serviceMillis - tookMillis - 1_000)
    const latest = sortKeyOf(serviceMillis + 1_000)
    if (isFirst) {
      this.#createdBefore = latest
      if (from === null) this.#top = topOf(records, settledAt, model)
    }
    // Updates that are later than the service's clock do not move a record to the expected place.
    if (records.some((record) => model.updatedAt(record) > latest)) this.#top = null
    return this.#top === null ? null : settledAt
  }

  /** Compares the records that only this reading has: they were created meanwhile, or missed before. */
  #compare(records: ReadonlyArray<A>, repeated: ReadonlyArray<A>): void {
    const known = new Set(repeated)
    for (const record of records) {
      if (known.has(record)) continue
      this.#differences += 1
      const before = this.#createdBefore
      if (before === null || this.#options.model.createdAt(record) < before) this.#isExplained = false
    }
  }

  #missingIn(own: SeenIds): ReadonlyArray<number> {
    const missing: Array<number> = []
    this.#options.given.forEach((id) => {
      if (!own.has(id) && !this.#removed.has(id)) missing.push(id)
    })
    this.#differences += missing.length
    return missing
  }

  /** Decides what to do at the end of a reading, once all requests by id are answered. */
  #decide(): void {
    if (this.#result !== null || !this.#pass.isEnded || this.#current.suspects.length > 0) return
    if (this.#head !== null) {
      if (this.#head.state === "reading") return
      if (this.#head.state === "shown") this.#result = ["proven", "linked-pages"]
      this.#head = null
      return this.#decide()
    }
    this.#result = this.#judge()
  }

  #judge(): readonly [CompletenessState, CompletenessReason] | null {
    const { from, mayRepeat, proves } = this.#options
    // In a resumed read, the pages before the pause count as well.
    if (this.#readings === 1 && this.#pass.pages === 1) return ["proven", "one-page"]
    if (!proves) return ["unverified", "single-reading"]
    if (!this.#isParameterVerified) return ["unverified", "cursor-unverified"]
    this.#isContradicted ||= this.#pass.isContradicted
    const top = this.#top
    const order = top === null && this.orderedBy !== "id" ? "unknown" : this.orderedBy
    // In a list by id, a cursor that may be a position or an id leads to the same place either way.
    const isContradicted = order !== "id" && (this.#isContradicted || this.#evidence.isAmbiguous)
    if (this.#pass.isGapless && !isContradicted) {
      if (order === "id" || order === "updated-up") return ["proven", "linked-pages"]
      if (this.orderedBy === "updated-down" && top !== null && !this.#headIsTried) return this.#readHead(top)
    }
    if (this.#missing !== null) {
      if (this.#missing.length > mostDifferences) this.#isExplained = false
      else if (this.#missing.length > 0) return null
      this.#agreeing = this.#isExplained ? this.#agreeing + 1 : 0
      if (this.#agreeing >= this.#wanted && !isContradicted) return ["confirmed", "second-reading"]
    }
    if (from !== null && mayRepeat) return ["unverified", "resumed"]
    if (this.#readings >= shares.length + this.#wanted - 1)
      return ["unverified", isContradicted ? "contradiction" : "moving"]
    // With pages of one record, an inclusive cursor would name the same record again and again.
    const smallest = Math.min(2, this.#pageSize)
    this.#begin(Math.max(smallest, Math.round(this.#pageSize * shares[this.#readings % shares.length]!)))
    return null
  }

  /** The number of readings that have to agree. If the service ignores the limit, all have the same page boundaries and can miss the same record. */
  get #wanted(): number {
    return this.#ignoresLimit ? 2 : 1
  }

  #readHead(top: Top): null {
    this.#headIsTried = true
    const overlaps = this.#overlaps
    this.#head = new Head({
      model: this.#options.model,
      evidence: this.#evidence,
      size: this.#pageSize,
      overlaps,
      top,
    })
    return null
  }

  /** Starts a further reading. */
  #begin(limit: number | null): void {
    const { model } = this.#options
    const evidence = this.#evidence
    // Overlapping pages are evidence by themselves; other pages only together with those of earlier readings.
    if (this.#overlaps && evidence.meaning !== "opaque" && evidence.meaning !== "page-number")
      this.#links = null
    else this.#links ??= new PageLinks()
    this.#own = new SeenIds()
    this.#missing = null
    this.#isExplained = true
    this.#headIsTried = false
    const overlaps = this.#overlaps
    const links = this.#links
    this.#pass = new Pass({ model, evidence, limit, observes: true, overlaps, links, from: null })
    this.#pass.mayShift = true
  }
}

const unknownPass: PassState = {
  isConnected: false,
  isContradicted: false,
  overlaps: false,
  pages: 1,
  largest: 0,
  behind: 0,
}

const resumed = ({ proof, recent, summary }: Checkpoint, next: SavedCursor) => {
  const state = proof?.pass ?? unknownPass
  const versions = proof?.versions ?? []
  return {
    cursor: restore(next),
    window: new Window(recent.slice(0, versions.length), versions),
    state,
    records: summary.records,
    // The ids of the window come in the order of the list; after them, those of pages that were not connected.
    ahead: proof === null ? [] : recent.slice(Math.max(0, versions.length - state.behind)),
  }
}

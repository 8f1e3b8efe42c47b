/**
 * Infers from the answers what the cursors of a list mean and how the list is ordered (Spec: Endpoints 5, 6 show neither).
 *
 * A cursor is compared with the one that was sent. The order is inferred within single answers, each of which shows one moment: across pages
 * an ordered list looks unordered as soon as a record moves. `Span` compares pages with each other.
 */
import type { CursorMeaning, OrderedBy } from "../Completeness.ts"
import type { Cursor } from "../Cursor.ts"
import type { EvidenceState } from "../ProofState.ts"

/** A page as evidence. */
export interface PageSeen<A> {
  readonly sent: Cursor | null
  /** The limit that was sent; null for none. */
  readonly limit: number | null
  /** The valid records, and the number of all records on the page. */
  readonly records: ReadonlyArray<A>
  readonly size: number
  /** The id of the last record, valid or not; null where it cannot be read. */
  readonly lastId: number | null
  readonly next: Cursor | null
}

/** The fewest steps from record to record that show an order; fewer can be in order by chance. */
const fewestSteps = 20

const digits = /^(?:0|[1-9]\d{0,14})$/

/** The number that a cursor is or spells out; null for any other cursor. */
export const numberOf = (cursor: Cursor | null): number | null => {
  if (typeof cursor === "number") return cursor >= 0 ? cursor : null
  return typeof cursor === "string" && digits.test(cursor) ? Number(cursor) : null
}

/** A number as a cursor of the same type. */
export const likeCursor = (cursor: Cursor, value: number): Cursor =>
  typeof cursor === "string" ? String(value) : value

export class Evidence {
  #state: { -readonly [Name in keyof EvidenceState]: EvidenceState[Name] }

  constructor(state: EvidenceState | null = null) {
    this.#state =
      state === null
        ? {
            cursors: 0,
            steps: 0,
            position: true,
            lastId: true,
            nextId: true,
            pageNumber: true,
            idDown: true,
            idUp: true,
            updatedDown: true,
            updatedUp: true,
            named: null,
          }
        : { ...state }
  }

  get state(): EvidenceState {
    return { ...this.#state }
  }

  /** Adds a page. `updatedAt` returns texts that sort by time; empty ones are no evidence. */
  add<A extends { readonly id: number }>(page: PageSeen<A>, updatedAt: (record: A) => string): void {
    const { limit, next, records, sent, size } = page
    const it = this.#state
    this.#addOrder(records, updatedAt)
    const first = records[0]
    const sentNumber = numberOf(sent)
    if (it.named !== null && it.named === sentNumber && first !== undefined && first.id !== sentNumber) {
      it.nextId = false
    }
    if (next === null || size === 0) return
    it.cursors += 1
    const value = numberOf(next)
    it.named = value
    if (value === null) {
      it.position = it.lastId = it.nextId = it.pageNumber = false
      return
    }
    const before = sentNumber ?? 0
    // A service can hide records after it has counted them; its positions then count the hidden ones too.
    if (value !== before + size && (limit === null || value !== before + limit)) it.position = false
    if (value !== page.lastId) it.lastId = false
    if (value !== (sentNumber ?? 1) + 1) it.pageNumber = false
    if (it.nextId && records.some(({ id }) => id === value)) it.nextId = false
  }

  #addOrder<A extends { readonly id: number }>(
    records: ReadonlyArray<A>,
    updatedAt: (record: A) => string,
  ): void {
    const it = this.#state
    for (let at = 1; at < records.length; at++) {
      const a = records[at - 1]!
      const b = records[at]!
      if (a.id === b.id) continue
      it.steps += 1
      it.idDown &&= b.id < a.id
      it.idUp &&= b.id > a.id
      if (!it.updatedDown && !it.updatedUp) continue
      const [before, now] = [updatedAt(a), updatedAt(b)]
      it.updatedDown &&= before !== "" && now <= before
      it.updatedUp &&= before !== "" && now >= before
    }
  }

  /** Rules out an order by id, whatever single pages show. */
  denyIdOrder(): void {
    this.#state.idDown = this.#state.idUp = false
  }

  /** Whether the cursors can be both positions and ids. In a list by id both lead to the same record. */
  get isAmbiguous(): boolean {
    const { cursors, lastId, position } = this.#state
    return cursors > 0 && position && lastId
  }

  /** A position is preferred to an id: an overlap by position is also right for ids 1 to n. */
  get meaning(): CursorMeaning {
    const { cursors, idDown, idUp, lastId, nextId, pageNumber, position } = this.#state
    if (cursors === 0) return "none"
    // Positions rise. Falling ids can equal a position on one page at most.
    if (position && lastId) return idDown && !idUp ? "last-id" : "position-or-id"
    if (position) return "position"
    if (lastId) return "last-id"
    if (pageNumber) return "page-number"
    // That a cursor names the next record is known only after that record has come.
    return nextId && cursors > 1 ? "next-id" : "opaque"
  }

  get orderedBy(): OrderedBy {
    const { idDown, idUp, steps, updatedDown, updatedUp } = this.#state
    if (steps < fewestSteps) return "unknown"
    // If no record has been edited yet, both orders fit. The one that updates can change is assumed, because it needs more for a proof.
    if (updatedDown) return "updated-down"
    if (updatedUp) return "updated-up"
    return idDown || idUp ? "id" : "unknown"
  }
}

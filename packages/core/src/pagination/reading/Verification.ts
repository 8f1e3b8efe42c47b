/**
 * Whether the query parameter that takes the cursor works (Spec: Endpoints 5 does not show its name): verified by the second page, before a
 * record of it is returned.
 */
import type { Checkpoint } from "../Checkpoint.ts"
import * as Cursor from "../Cursor.ts"
import type { Reason } from "../../error/Reason.ts"

/** The result of the verification: accepted (null), the reason to stop, or what has to be requested first. */
export type Judgement = Reason | "Inconclusive" | "AskFirstAgain" | null

/** Called when the parameter was verified, or the cursor found inclusive. */
export interface VerificationEvents {
  readonly onVerified: () => void
  readonly onInclusive: () => void
}

export class Verification {
  readonly #events: VerificationEvents
  #current: Cursor.CursorVerification
  /** Ids of the page that the second one is compared with. */
  #first: ReadonlyArray<number> | null = null
  /** The second page was accepted, though nothing shows that the cursor had an effect. */
  #isAccepted = false

  constructor(parameter: string, from: Checkpoint | null, events: VerificationEvents) {
    const before = from?.summary.cursor
    this.#events = events
    this.#current =
      before?.parameter === parameter && before.state === "verified"
        ? before
        : { parameter, state: "unverified", evidence: null }
    if (from !== null && from.recent.length > 0) this.#first = from.recent
    if (this.#current.state === "verified") events.onVerified()
  }

  /** The parameter, and how far it is known to work. */
  get current(): Cursor.CursorVerification {
    return this.#current
  }

  /** Records of the first page. */
  get firstSize(): number {
    return this.#first?.length ?? 0
  }

  /** Sets the parameter as verified. */
  believe(evidence: string): void {
    this.#first = null
    this.#current = { ...this.#current, state: "verified", evidence }
    this.#events.onVerified()
  }

  /** Accepts the second page, though nothing shows that the cursor had an effect. */
  accept(evidence: string): void {
    this.#isAccepted = true
    this.#current = { ...this.#current, state: "unverified", evidence }
  }

  /** The reason for a parameter without effect. */
  ignored(evidence: Cursor.CursorEvidence): Reason {
    return { _tag: "CursorIgnored", cursorParam: this.#current.parameter, evidence }
  }

  /** Continues with another parameter, which the next page must confirm like the first one. */
  replace(parameter: string): void {
    this.#current = { parameter, state: "unverified", evidence: null }
  }

  /** Verifies the second page by the first one, requested again. Returns the reason to stop, if there is one. */
  judgeByFirstAgain(second: ReadonlyArray<number>, firstAgain: ReadonlyArray<number>): Reason | null {
    const verdict = Cursor.judgeByFirstAgain({ first: this.#first ?? [], second }, firstAgain)
    if (verdict._tag === "Ignored") return this.ignored(verdict.evidence)
    if (verdict._tag === "Obeyed") this.believe(verdict.evidence)
    else this.accept(verdict.evidence)
    return null
  }

  /** Remembers the first page that has records, and verifies the next one against it. */
  judge(
    idsOf: () => ReadonlyArray<number>,
    sent: Cursor.Cursor | null,
    next: Cursor.Cursor | null,
  ): Judgement {
    const { parameter, state } = this.#current
    if (state !== "unverified" || this.#isAccepted) return null
    const ids = idsOf()
    if (ids.length === 0 && next !== null) return null
    if (sent === null || (this.#first === null && next !== null)) {
      this.#first = ids
      if (next === null) this.#current = { parameter, state: "single-page", evidence: null }
      return null
    }
    const verdict = Cursor.judgeSecondPage({ first: this.#first ?? [], sent, second: ids, next })
    switch (verdict._tag) {
      case "Inconclusive":
        return "Inconclusive"
      case "Ambiguous":
        return "AskFirstAgain"
      case "Ignored":
        return this.ignored(verdict.evidence)
      case "Obeyed":
        if (verdict.inclusive) this.#events.onInclusive()
        this.believe(verdict.evidence)
        return null
    }
  }
}

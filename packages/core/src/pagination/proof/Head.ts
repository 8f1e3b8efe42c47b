/**
 * The head of a list by latest update: every record that moved there since an earlier page showed its top. A moved record is not older than that
 * top, so one answer that reaches down to the top shows all moved records. If that takes several pages, they must be connected, and the head is
 * read again for records that moved meanwhile. Update times are compared only with each other, never with a clock.
 */
import type { Top } from "../ProofState.ts"
import type { Evidence } from "./Evidence.ts"
import type { Model } from "../../answer/envelope.ts"
import { PageLinks } from "./PageLinks.ts"
import type { Ask, PassPage } from "./Pass.ts"
import { Pass } from "./Pass.ts"
import { SeenIds } from "./SeenIds.ts"

export interface HeadOptions<A extends { readonly id: number }> {
  readonly model: Model<A>
  readonly evidence: Evidence
  /** Records of a page. */
  readonly size: number
  readonly overlaps: boolean
  /** How the list began when it was read. */
  readonly top: Top
}

/** The top of a first page; null if it has no records. */
export const topOf = <A extends { readonly id: number }>(
  records: ReadonlyArray<A>,
  settledAt: string | null,
  { updatedAt }: Model<A>,
): Top | null => {
  const [first] = records
  if (first === undefined) return null
  const latest = updatedAt(first)
  const isSettled = settledAt === null || latest <= settledAt
  const ids = isSettled ? records.filter((record) => updatedAt(record) === latest).map(({ id }) => id) : []
  return { updatedAt: latest, ids }
}

/** Page sizes of the rounds, as shares of the first: different sizes overlap the boundaries of earlier rounds. */
const shares = [1, 0.71, 0.83, 1, 0.71, 0.83]

export class Head<A extends { readonly id: number }> {
  readonly #options: HeadOptions<A>
  #top: Top
  #round = 0
  #newTop: Top | null = null
  #links = new PageLinks()
  #seen = new SeenIds()
  #pass: Pass<A>
  state: "reading" | "shown" | "not-shown" = "reading"

  constructor(options: HeadOptions<A>) {
    this.#options = options
    this.#top = options.top
    this.#pass = this.#newPass()
  }

  get ask(): Ask | null {
    return this.#pass.ask
  }

  get pass(): Pass<A> {
    return this.#pass
  }

  take(ask: Ask, page: Omit<PassPage<A>, "known" | "isEnough">): void {
    const { model } = this.#options
    this.#newTop ??= topOf(page.records, page.settledAt, model)
    const { ids, updatedAt } = this.#top
    const isEnough = page.records.some((record) => {
      const at = model.updatedAt(record)
      return at < updatedAt || (at === updatedAt && ids.includes(record.id))
    })
    const known = page.records.filter(({ id }) => !this.#seen.add(id))
    if (this.#pass.take(ask, { ...page, isEnough, known }) !== null) this.state = "not-shown"
    else this.#endRound()
  }

  /** Takes the result for the suspects of `pass`: whether one exists unchanged. */
  settleSuspects(isContradicted: boolean): void {
    this.#pass.settleSuspects(isContradicted)
    this.#endRound()
  }

  /** Decides what a round has shown, once it has ended and no request is left. */
  #endRound(): void {
    if (!this.#pass.isEnded || this.#pass.suspects.length > 0) return
    if (this.#pass.isContradicted) this.state = "not-shown"
    else if (this.#pass.pages === 1) this.state = "shown"
    else if (this.#round + 1 === shares.length) this.state = "not-shown"
    else {
      if (this.#pass.isGapless) {
        // Connected pages have records, so there is a new top.
        this.#top = this.#newTop!
        this.#newTop = null
        this.#links = new PageLinks()
      }
      this.#round += 1
      this.#seen = new SeenIds()
      this.#pass = this.#newPass()
    }
  }

  #newPass(): Pass<A> {
    const { evidence, model, overlaps, size } = this.#options
    const limit = Math.round(size * shares[this.#round]!)
    const pass = new Pass({
      model,
      evidence,
      limit,
      observes: true,
      overlaps,
      links: this.#links,
      from: null,
    })
    pass.mayShift = true
    return pass
  }
}

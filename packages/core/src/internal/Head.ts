/**
 * The head of a list by latest update: everything that moved there since a moment. Read until one answer reaches down to that moment, or until
 * the pages of a round are connected, and then once more for what moved during that round.
 */
import type { Evidence } from "./Evidence.ts"
import type { Model } from "./envelope.ts"
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
  /** ISO 8601 UTC: what was updated since is wanted. */
  readonly since: string
}

/** Pages of further rounds have other sizes, so that they lie across the boundaries of the ones before. */
const shares = [1, 0.71, 0.83, 1, 0.71, 0.83]

export class Head<A extends { readonly id: number }> {
  readonly #options: HeadOptions<A>
  #since: string
  #round = 0
  #newest: string | null = null
  #links = new PageLinks()
  #seen = new SeenIds()
  #pass: Pass<A>
  state: "reading" | "shown" | "not-shown" = "reading"

  constructor(options: HeadOptions<A>) {
    this.#options = options
    this.#since = options.since
    this.#pass = this.#newPass()
  }

  get ask(): Ask | null {
    return this.state === "reading" ? this.#pass.ask : null
  }

  get pass(): Pass<A> {
    return this.#pass
  }

  take(ask: Ask, page: Omit<PassPage<A>, "known" | "isEnough">): void {
    const { updatedAt } = this.#options.model
    const [first] = page.records
    if (first !== undefined) this.#newest ??= updatedAt(first)
    const isEnough = page.records.some((record) => updatedAt(record) < this.#since)
    const known = page.records.filter(({ id }) => !this.#seen.add(id))
    if (this.#pass.take(ask, { ...page, isEnough, known }) !== null) this.state = "not-shown"
    else if (this.#pass.isEnded) this.#endRound()
  }

  #endRound(): void {
    if (this.#pass.isContradicted) this.state = "not-shown"
    else if (this.#pass.pages === 1) this.state = "shown"
    else if (this.#round + 1 === shares.length) this.state = "not-shown"
    else {
      if (this.#pass.isGapless) {
        this.#since = this.#newest ?? this.#since
        this.#newest = null
        this.#links = new PageLinks()
      }
      this.#round += 1
      this.#seen = new SeenIds()
      this.#pass = this.#newPass()
    }
  }

  #newPass(): Pass<A> {
    const { evidence, model, overlaps, size } = this.#options
    const limit = Math.max(1, Math.round(size * shares[this.#round]!))
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

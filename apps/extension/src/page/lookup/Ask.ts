/**
 * What is known of the references on this page. Each is asked for once, many in one message, and nothing but references is sent.
 * Null is not an answer: known facts stay, and are asked for again later.
 */
import { limits } from "../../messages/ListingMessage.ts"
import type { BadgeFact, Reference } from "../../messages/ListingMessage.ts"
import type { Channel } from "./Channel.ts"

/** References that are remembered; a page that has shown more begins anew. */
const mostRemembered = 50_000
/** The pause that a reference is worth before everything is asked for anew: half of what a tab may ask is then left for what comes. */
const millisPerReference = (2 * 60_000) / limits.referencesPerMinute
/** The shortest such pause. */
const leastMillis = 1_000

export class Ask {
  readonly #channel: Channel
  readonly #known = new Map<Reference, BadgeFact | null>()
  /** What is not to be asked for again. Another set stands in its place once that is not so any more. */
  #fresh = new Set<Reference>()
  #pausedUntil = 0
  /** Whether this tab has asked for as much as it may for now. */
  isPaused = false

  constructor(channel: Channel) {
    this.#channel = channel
  }

  /** The first listing with contracts among some references. */
  firstOf(
    references: ReadonlyArray<Reference>,
  ): { readonly reference: Reference; readonly fact: BadgeFact } | null {
    for (const reference of references) {
      const fact = this.#known.get(reference)
      if (fact != null) return { reference, fact }
    }
    return null
  }

  /** Milliseconds until everything may be asked for anew, so that a tab stays within what it may ask. Not above 0 when it may be now. */
  get pauseMillis(): number {
    return this.#pausedUntil - Date.now()
  }

  /** Asks for what is not known yet. False when any of it was not answered, or has to be asked for again already. */
  async learn(references: Iterable<Reference>): Promise<boolean> {
    if (this.#known.size > mostRemembered) this.forget()
    const known = this.#known
    const fresh = this.#fresh
    const unknown = [...new Set(references)].filter((reference) => !fresh.has(reference))
    for (let at = 0; at < unknown.length; at += limits.references) {
      const part = unknown.slice(at, at + limits.references)
      const answer = await this.#channel.ask({ type: "listing.lookup", references: part })
      this.isPaused = answer === "later"
      if (answer === null || answer === "later" || fresh !== this.#fresh) return false
      this.#pause(part.length * millisPerReference)
      for (const reference of part) {
        fresh.add(reference)
        known.set(reference, (Object.hasOwn(answer.known, reference) && answer.known[reference]) || null)
      }
    }
    return true
  }

  /** Has everything asked for anew, and keeps what is known until it is answered. Answers on their way are of no use any more. */
  renew(): void {
    this.#fresh = new Set()
    this.#pause(leastMillis)
  }

  /** Forgets everything. */
  forget(): void {
    this.#fresh = new Set()
    this.#known.clear()
    this.#pausedUntil = 0
  }

  #pause(millis: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, Date.now()) + millis
  }
}

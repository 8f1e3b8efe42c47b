/**
 * What is known of the references on this page. Each is asked for once, many in one message, and nothing but references is sent. A
 * refusal is not an answer: it leaves the references unknown, to be asked for again later.
 */
import { limits } from "../messages/ListingMessage.ts"
import type { BadgeFact, Reference } from "../messages/ListingMessage.ts"
import type { Channel } from "./Channel.ts"

/** References that are remembered; a page that has shown more begins anew. */
const mostRemembered = 50_000

export class Ask {
  readonly #channel: Channel
  #known = new Map<Reference, BadgeFact | null>()

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

  /** Asks for what is not known yet. False when any of it was refused. */
  async learn(references: Iterable<Reference>): Promise<boolean> {
    const known = this.#known
    const unknown = [...new Set(references)].filter((reference) => !known.has(reference))
    if (known.size + unknown.length > mostRemembered) known.clear()
    for (let at = 0; at < unknown.length; at += limits.references) {
      const part = unknown.slice(at, at + limits.references)
      const answer = await this.#channel.ask({ type: "listing.lookUp", references: part })
      if (answer === null) return false
      for (const reference of part) {
        known.set(reference, (Object.hasOwn(answer.known, reference) && answer.known[reference]) || null)
      }
    }
    return true
  }

  /** Forgets everything; answers that are on their way are of no use any more. */
  forget(): void {
    this.#known = new Map()
  }
}

/**
 * Where readings can go on: short tokens for an assistant, behind which the place in the pages is kept as long as this process lives. A token
 * can be used again, so that a call that was lost can be repeated; the oldest are forgotten.
 */

const most = 100

/** A store of places, each under a token such as `c1`. */
export class Positions<P> {
  readonly #places = new Map<string, P>()
  readonly #prefix: string
  #last = 0

  constructor(prefix: string) {
    this.#prefix = prefix
  }

  /** Keeps a place; gives its token. */
  keep(place: P): string {
    this.#last += 1
    const token = `${this.#prefix}${this.#last}`
    this.#places.set(token, place)
    for (const oldest of this.#places.keys()) {
      if (this.#places.size <= most) break
      this.#places.delete(oldest)
    }
    return token
  }

  /** The place of a token; undefined when it was never given out, or forgotten. */
  find(token: string): P | undefined {
    return this.#places.get(token)
  }
}

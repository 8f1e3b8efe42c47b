/**
 * Cursors of this server: short tokens for places in the pages, kept in memory while this process runs. A token can be reused, so that a lost call
 * can be repeated. The oldest tokens expire.
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

  /** Stores a place and returns its token. */
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

  /** The place of a token; undefined when it is unknown or has expired. */
  find(token: string): P | undefined {
    return this.#places.get(token)
  }
}

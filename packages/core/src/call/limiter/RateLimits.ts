/**
 * The figures of a rate limiter: where it starts, how many requests go without waiting, and how fast it may become. The specification shows
 * no figures (Spec: Limits 1), so all of them are ours.
 */

/** The figures of a rate limiter, in requests and requests a second. */
export interface RateLimits {
  /** Requests a second at the beginning; one more after each 10 clean answers, also while the burst is used up. More than 0; default 5. */
  readonly start: number
  /**
   * Requests that go without waiting for a turn. The first 10 go at once, each of the others after a clean answer, and no more than 10 once
   * there was a 429. At least 1; default 40.
   */
  readonly burst: number
  /** Requests a second that the rate rises to at most; `Infinity` for no limit, also of the burst. More than 0; default 20. */
  readonly ceiling: number
}

/**
 * The figures that an option asks for: all of them, or the ceiling as a number with 0 for none. The burst of a number is one second's requests,
 * if these are fewer than by default. Checks nothing.
 */
export const limitsOf = (rate: number | RateLimits | undefined): RateLimits =>
  typeof rate === "object"
    ? rate
    : {
        start: 5,
        burst: rate === undefined ? 40 : Math.min(40, Math.max(1, rate)),
        ceiling: rate === 0 ? Infinity : (rate ?? 20),
      }

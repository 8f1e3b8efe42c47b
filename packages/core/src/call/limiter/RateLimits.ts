/**
 * The figures of a rate limiter: its first rate, how many requests go without waiting, and its highest rate. The specification shows no figures
 * (Spec: Limits 1), so all of them are ours.
 */

/** The figures of a rate limiter, in requests and requests per second. */
export interface RateLimits {
  /** Requests per second at the beginning; one more after each 10 clean answers, also while the burst is being used up. More than 0; default 5. */
  readonly start: number
  /**
   * Requests that go without waiting for a turn. The first 10 go at once, each further one after a clean answer, and no more than 10 once there
   * was a 429. At least 1; default 40.
   */
  readonly burst: number
  /** The highest rate in requests per second; `Infinity` for no limit, also of the burst. More than 0; default 20. */
  readonly ceiling: number
}

/**
 * The figures of the option `rate`: all of them, or the ceiling as a number, with 0 for no limit. For a number, the burst is one second's
 * requests, if these are fewer than by default. Checks nothing.
 */
export const limitsOf = (rate: number | RateLimits | undefined): RateLimits =>
  typeof rate === "object"
    ? rate
    : {
        start: 5,
        burst: rate === undefined ? 40 : Math.min(40, Math.max(1, rate)),
        ceiling: rate === 0 ? Infinity : (rate ?? 20),
      }

/**
 * How long no passphrase is tried after a wrong one: twice as long with each, up to a quarter of an hour. The count is kept on disk and rises
 * before a passphrase is tried, so that stopping the background in between gains nothing. Pure.
 */

export interface Attempts {
  /** Wrong ones in a row. */
  readonly failures: number
  /** Epoch milliseconds before which none is tried. */
  readonly notBefore: number
}

export const none: Attempts = { failures: 0, notBefore: 0 }

const firstMillis = 1_000
export const longestMillis = 15 * 60_000

/** With one more wrong one. */
export const after = ({ failures }: Attempts, now: number): Attempts => ({
  failures: failures + 1,
  notBefore: now + Math.min(firstMillis * 2 ** failures, longestMillis),
})

/** The same, or a delay that begins now where the clock was ahead when it was set: no delay ends later than that. To be kept then. */
export const settled = (attempts: Attempts, now: number): Attempts =>
  attempts.notBefore - now > longestMillis ? { ...attempts, notBefore: now + longestMillis } : attempts

/** Milliseconds until the next one is tried. */
export const remaining = ({ notBefore }: Attempts, now: number): number => Math.max(0, notBefore - now)

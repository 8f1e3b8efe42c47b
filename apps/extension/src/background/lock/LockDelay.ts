/**
 * The delay after a wrong passphrase before another one is tried: twice as long with each, up to a quarter of an hour. The count is stored on
 * disk and rises before a passphrase is tried, so that stopping the background in between gains nothing. Pure.
 */

export interface Attempts {
  /** Wrong passphrases in a row. */
  readonly failures: number
  /** Epoch milliseconds before which no passphrase is tried. */
  readonly notBefore: number
}

export const none: Attempts = { failures: 0, notBefore: 0 }

const firstMillis = 1_000
export const longestMillis = 15 * 60_000

/** The attempts with one more wrong passphrase. */
export const after = ({ failures }: Attempts, now: number): Attempts => ({
  failures: failures + 1,
  notBefore: now + Math.min(firstMillis * 2 ** failures, longestMillis),
})

/** The same, or the longest delay from now if the clock was ahead when the delay was set: none ends later. The result has to be stored. */
export const settled = (attempts: Attempts, now: number): Attempts =>
  attempts.notBefore - now > longestMillis ? { ...attempts, notBefore: now + longestMillis } : attempts

/** Milliseconds until the next passphrase is tried. */
export const remaining = ({ notBefore }: Attempts, now: number): number => Math.max(0, notBefore - now)

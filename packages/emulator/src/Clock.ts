/**
 * The emulator's only source of time and of waits, so that a test can replace both.
 * Does not know dates of the fixtures: those are counted from `baseTime`, never from now.
 */

/** The time functions that the emulator needs: epoch milliseconds, and a wait in milliseconds that an abort ends early. */
export interface Clock {
  readonly now: () => number
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}

/** The machine's own time. */
export const real: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason)
      const onAbort = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", onAbort)
        resolve()
      }, ms)
      signal?.addEventListener("abort", onAbort, { once: true })
    }),
}

/** Waits, and rejects with the signal's reason on abort even if the clock itself ignores signals. */
export const wait = (clock: Clock, ms: number, signal: AbortSignal): Promise<void> =>
  untilAborted(signal, clock.sleep(ms, signal))

/** Never resolves by itself; rejects with the signal's reason on abort. */
export const stall = (signal: AbortSignal): Promise<never> =>
  untilAborted(signal, new Promise<never>(() => {}))

const untilAborted = <A>(signal: AbortSignal, work: Promise<A>): Promise<A> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const onAbort = () => reject(signal.reason)
    signal.addEventListener("abort", onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort))
  })

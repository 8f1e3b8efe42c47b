/**
 * Combines several `AbortSignal`s. Listeners are added and removed by hand: a signal that lives as long as the client would keep the results of
 * `AbortSignal.any` until garbage collection.
 */

/** Calls the listener once, with the reason of the first signal that aborts: at once when one has already. The returned function removes it. */
export const onAbort = (
  signals: ReadonlyArray<AbortSignal>,
  listener: (reason: unknown) => void,
): (() => void) => {
  const forget = (): void => {
    for (const signal of signals) signal.removeEventListener("abort", abort)
  }
  const abort = (): void => {
    forget()
    listener(signals.find((signal) => signal.aborted)!.reason)
  }
  if (signals.some((signal) => signal.aborted)) abort()
  else for (const signal of signals) signal.addEventListener("abort", abort)
  return forget
}

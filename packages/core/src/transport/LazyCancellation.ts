/** The cancellation of one attempt. It makes an `AbortSignal` only for a transport that asks for one. */
import type { Cancellation } from "./Transport.ts"

export class LazyCancellation implements Cancellation {
  #cancelled = false
  #controller: AbortController | null = null
  #listener: (() => void) | null = null

  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#cancelled) this.#controller.abort()
    return this.#controller.signal
  }

  readonly onCancel = (listener: () => void): void => {
    this.#listener = listener
    if (this.#cancelled) listener()
  }

  cancel(): void {
    if (this.#cancelled) return
    this.#cancelled = true
    try {
      this.#listener?.()
    } catch {
      // The attempt has ended. The error of a transport that fails to stop must not end the process from a timer.
    }
    this.#controller?.abort()
  }
}

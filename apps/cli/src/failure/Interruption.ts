/**
 * Ends the program on a signal: finalizers run first, and the exit code is that of the signal, as in shells.
 *
 * SIGHUP is sent when a terminal is closed or its connection is lost, and SIGQUIT by Ctrl-\. By default both would end the process at once.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Runtime from "effect/Runtime"

const signals = ["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM"] as const
export type Signal = (typeof signals)[number]

/** The signal that asked the program to end; null if there was none, or if Ctrl-C was pressed at a prompt. */
export const Interruption = Context.Reference<() => Signal | null>("deedkit/Interruption", {
  defaultValue: () => () => null,
})

/** Signals of keys that people press again when nothing seems to happen. */
const isFromPerson = (signal: Signal): boolean => signal === "SIGINT" || signal === "SIGQUIT"

/** Signals within this time count as one key press, which can arrive both from the terminal and from the parent process. */
const sameMillis = 300

/**
 * Runs a program to its end in this process. Signals of `ignored` do nothing, as when the program was started. The first other signal interrupts it; a second Ctrl-C ends the process at once, without
 * waiting for finalizers.
 */
export const run = <A, E>(
  effect: Effect.Effect<A, E>,
  exitCode: (exit: Exit.Exit<unknown, unknown>, signal: Signal | null) => number,
  codeOf: (signal: Signal) => number,
  ignored: ReadonlyArray<Signal> = [],
): void => {
  let first: { readonly signal: Signal; readonly at: number } | null = null
  const received = (): Signal | null => first?.signal ?? null
  const runMain = Runtime.makeRunMain(({ fiber, teardown }) => {
    const listeners = signals.map((signal) => {
      const listener = (): void => {
        if (ignored.includes(signal)) return
        const now = performance.now()
        if (first === null) {
          first = { signal, at: now }
          fiber.interruptUnsafe(fiber.id)
        } else if (isFromPerson(signal) && now - first.at > sameMillis) {
          process.exit(codeOf(signal))
        }
      }
      process.on(signal, listener)
      return () => process.removeListener(signal, listener)
    })
    fiber.addObserver((exit) => {
      for (const stop of listeners) stop()
      teardown(exit, (code) => {
        if (first !== null || code !== 0) process.exit(code)
      })
    })
  })
  runMain(Effect.provideService(effect, Interruption, received), {
    disableErrorReporting: true,
    teardown: (exit, onExit) => onExit(exitCode(exit, received())),
  })
}

/** Reports a listener's error: a warning in the log of the program that made the client. */
import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"

/**
 * Logs a listener's error as a warning through the loggers of this context. Console loggers write to standard error, because standard output may
 * be the program's data.
 */
export const listenerWarning =
  (context: Context.Context<never>) =>
  (error: unknown, what: string): void => {
    const warning = Effect.logWarning(
      `A listener failed on ${what}. The call is not affected.`,
      Cause.die(error),
    )
    Effect.runForkWith(context)(Effect.provideService(warning, Logger.LogToStderr, true))
  }

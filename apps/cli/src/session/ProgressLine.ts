/** Shows a changing text on standard error: as one live line on a terminal, as plain lines elsewhere. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as Terminal from "../terminal/Terminal.ts"

const liveMillis = 100
const plainMillis = 10_000

/** Shows the result of `text`, null for nothing, until its scope closes. Then the live line is removed. */
export const show = (
  terminal: Terminal.Service,
  text: () => string | null,
): Effect.Effect<void, never, Scope.Scope> => {
  const draw = (): void => {
    const line = text()
    if (terminal.canAnimate) terminal.live(line)
    else if (line !== null) terminal.say(line)
  }
  return Effect.asVoid(
    Effect.acquireRelease(
      Effect.sync(() => setInterval(draw, terminal.canAnimate ? liveMillis : plainMillis)),
      (timer) =>
        Effect.sync(() => {
          clearInterval(timer)
          terminal.live(null)
        }),
    ),
  )
}

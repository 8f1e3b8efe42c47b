/** A program that is never done with what a signal leaves to do. It is there to be ended all the same. */
import * as Effect from "effect/Effect"
import * as ExitCode from "../../src/failure/ExitCode.ts"
import * as Interruption from "../../src/failure/Interruption.ts"

const program = Effect.flatMap(
  Effect.sync(() => process.stdout.write("ready\n")),
  () => Effect.uninterruptible(Effect.never),
)

Interruption.run(program, ExitCode.ofExit, ExitCode.ofSignal)

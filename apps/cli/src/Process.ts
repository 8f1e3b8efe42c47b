/** The program in its process: arguments, environment and streams in, an exit code out. `Interruption` handles signals. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Environment from "./terminal/Environment.ts"
import * as ExitCode from "./failure/ExitCode.ts"
import * as Interruption from "./failure/Interruption.ts"
import { main } from "./Main.ts"
import * as Platform from "./terminal/Platform.ts"
import * as Terminal from "./terminal/Terminal.ts"

const services = Layer.mergeAll(Platform.layer, Layer.provideMerge(Terminal.layer, Environment.layer))

/** Runs the program to its end. */
export const run = (args: ReadonlyArray<string>): void =>
  Interruption.run(Effect.provide(main(args), services), ExitCode.ofExit, ExitCode.ofSignal)

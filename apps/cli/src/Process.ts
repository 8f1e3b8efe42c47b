/** The program in its process: arguments, environment and streams come in, an exit code goes out. Interrupts are left to the runtime. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Environment from "./Environment.ts"
import * as ExitCode from "./ExitCode.ts"
import { main } from "./Main.ts"
import * as Platform from "./Platform.ts"
import * as Terminal from "./Terminal.ts"

const services = Layer.mergeAll(Platform.layer, Layer.provideMerge(Terminal.layer, Environment.layer))

/** Runs the program to its end. */
export const run = (args: ReadonlyArray<string>): void =>
  NodeRuntime.runMain(Effect.provide(main(args), services), {
    disableErrorReporting: true,
    teardown: (exit, onExit) => onExit(ExitCode.ofExit(exit)),
  })
